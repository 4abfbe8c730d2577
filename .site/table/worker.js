// The kit in a worker: Python, one game, and the file of it that is stored after each step. The page is told of a step
// only once it is stored, or cannot be.
import { RULE_SETS } from "./choices.js";
import { COMPILED_TOTAL, KIT, MEMORY, PYODIDE, TOTAL } from "./files.js";
import { Conflict, storeGame } from "./store.js";

const FILE = "/games/game.sqlite", UPLOAD = "/games/upload";
/** Tabs that may look on at once, and milliseconds between two words on the progress and between two tries to store. */
const MOST_WATCHERS = 20, SELDOM = 50, AGAIN = 5000;
const UNSAVED = {
  QuotaExceededError: "This browser has no room left, so the last steps aren’t saved. Download the record, then delete other games.",
  conflict: "Another tab went on with this game or deleted it, so nothing is saved here any more. Download the record, or reload this page.",
  other: "This browser refuses to store the game, so the last steps aren’t saved. Download the record to keep it.",
};
const from = (name) => new URL(name, import.meta.url), indexURL = from(PYODIDE).href;
const allowed = new Set([self.location.origin, from(PYODIDE).origin]);
const fetched = self.fetch.bind(self);
/** Whether the files are on this device already. What is compiled of them is kept too, if nobody touches the answer. */
const isKept = self.location.search === "?kept", COMPILED = ".wasm";
let loaded = 0, told = 0;

/** Fetch from this site alone, and tell how much there is of what is loaded at the start. */
self.fetch = async (what, how) => {
  const { origin, pathname } = new URL(what.url ?? what, self.location.href);
  if (!allowed.has(origin)) throw new TypeError(`this page asks nothing of ${origin}`);
  const answer = await fetched(what, how);
  if (isKept && pathname.endsWith(COMPILED)) return answer;
  const { body, status, statusText, headers } = answer;
  const count = new TransformStream({
    transform(part, next) {
      loaded += part.byteLength;
      if (performance.now() - told > SELDOM) {
        told = performance.now();
        postMessage({ progress: Math.min(0.95, loaded / (isKept ? TOTAL - COMPILED_TOTAL : TOTAL)) });
      }
      next.enqueue(part);
    },
  });
  return new Response(body?.pipeThrough(count), { status, statusText, headers });
};

let python, host, cells, channel, game = null, version = 0, stored = "", broken = false, retry;
/** Python itself has failed: nothing more can be done here. */
const stop = (error) => postMessage({ stopped: String(error?.message ?? error) });

// ------------------------------------------------------------------------------------------------------ the start

/** What is kept for the next visit: the memory of Python once it has read the kit, and the files of the kit. */
const KEPT = "nomic_nb memory ", cacheName = KEPT + MEMORY, key = from("memory");
/** Keep it only if the browser has room for so many, so that games have enough; and bytes in a page of WebAssembly. */
const ROOM = 10, PAGE = 65_536;
function* filesBelow(folder) {
  for (const name of python.FS.readdir(folder)) {
    const path = `${folder}/${name}`;
    if (name === "." || name === "..") continue;
    if (python.FS.isDir(python.FS.stat(path).mode)) {
      yield { path };
      yield* filesBelow(path);
    } else yield { path, content: python.FS.readFile(path) };
  }
}
async function forgetMemory() {
  for (const name of await caches.keys()) if (name.startsWith(KEPT)) await caches.delete(name);
}
async function keepMemory() {
  const memory = python.makeMemorySnapshot(), files = [...filesBelow("/kit")];
  const list = new TextEncoder().encode(JSON.stringify(files.map(({ path, content }) => [path, content?.length])));
  const all = new Blob([memory, list, ...files.flatMap(({ content }) => content ?? [])]);
  const { quota, usage } = await navigator.storage.estimate();
  await forgetMemory(); // that of an earlier build
  if (quota - usage < ROOM * all.size) return;
  const headers = { "memory-length": memory.length, "list-length": list.length };
  await (await caches.open(cacheName)).put(key, new Response(all, { headers }));
}
/** A maker of Pyodide’s module with as much memory as will be put there; by itself, it has too little. */
const withRoom = (size) => async (settings) => {
  const { instantiateWasm } = settings, { default: make } = await import(from(`${PYODIDE}pyodide.asm.mjs`).href);
  return make({
    ...settings,
    instantiateWasm: (imports, done) => instantiateWasm(imports, (instance, module) => {
      const { memory } = instance.exports;
      memory.grow(Math.max(0, Math.ceil((size - memory.buffer.byteLength) / PAGE)));
      done(instance, module);
    }),
  });
};
/** Start Python as an earlier visit has kept it; tell whether there is such a one. */
async function restore(loadPyodide) {
  const kept = await self.caches?.match(key, { cacheName });
  if (!kept) return false;
  const all = new Uint8Array(await kept.arrayBuffer()), size = Number(kept.headers.get("memory-length"));
  let at = size + Number(kept.headers.get("list-length"));
  const list = JSON.parse(new TextDecoder().decode(all.subarray(size, at)));
  python = await loadPyodide({ indexURL, _loadSnapshot: all.subarray(0, size), createPyodideModule: withRoom(size) });
  python._api.config._loadSnapshot = null; // it is large
  python.FS.mkdir("/kit");
  for (const [path, length] of list) {
    if (length === null) python.FS.mkdir(path);
    else python.FS.writeFile(path, all.subarray(at, at += length));
  }
  python.runPython("import random; random.seed()"); // else each visit would draw the same
  host = python.pyimport("table_host");
  performance.mark("memory restored");
  return true;
}
async function start(loadPyodide) {
  const kit = self.fetch(from(KIT)).then((got) => {
    if (!got.ok) throw new Error(`${KIT}: ${got.status}`);
    return got.arrayBuffer();
  });
  kit.catch(() => {}); // it is told of below
  python = await loadPyodide({ indexURL, _makeSnapshot: true });
  python.FS.mkdir("/kit");
  python.unpackArchive(await kit, "zip", { extractDir: "/kit" });
  python.runPython("import sys; sys.path.insert(0, '/kit')");
  host = python.pyimport("table_host");
  host.prepare(RULE_SETS[0].name);
  keepMemory().catch((error) => console.info("not kept for a faster start:", error));
}
async function load() {
  const { loadPyodide } = await import(from(`${PYODIDE}pyodide.mjs`).href);
  const isRestored = await restore(loadPyodide).catch(async (error) => {
    console.warn("what was kept for a faster start is of no use:", error);
    await forgetMemory().catch(() => {});
  });
  if (!isRestored) await start(loadPyodide);
  python.FS.mkdir("/games");
  host.connect((to, text) => put(to, { text }));
  postMessage({ ready: true });
}
const ready = load();
ready.catch((error) => postMessage({ failed: String(error.message ?? error) }));

// ---------------------------------------------------------------------------------------------- what goes out

let line = [], settling = false;
const send = (to, message) => (to === "panel" ? postMessage(message) : channel?.postMessage({ to, ...message }));
function put(to, message) {
  line.push([to, message]);
  settle();
}
/** What tells one content of the game’s file from the next: each step writes another file. */
function mark() {
  try {
    const { ino, mtime } = python.FS.stat(FILE);
    return `${ino} ${Number(mtime)}`;
  } catch {
    return "";
  }
}
/** Store what is new, and then tell of it, for as long as there is something. */
async function settle() {
  if (settling) return;
  settling = true;
  try {
    await null; // until Python has done the whole step
    while (line.length || (game && mark() !== stored)) {
      const batch = line;
      line = [];
      if (game && mark() !== stored) await store();
      for (const one of batch) send(...one);
    }
  } catch (error) {
    stop(error);
  }
  settling = false;
}
async function store() {
  clearTimeout(retry);
  stored = mark();
  const about = JSON.parse(host.about());
  if (!game.keeps) return postMessage({ about });
  try {
    if (broken) throw new Conflict();
    await storeGame({ id: game.id, version: version + 1, at: Date.now(), ...about }, python.FS.readFile(FILE), version);
    version += 1;
    postMessage({ about, saved: true });
  } catch (error) {
    broken ||= error instanceof Conflict;
    if (!broken) {
      console.warn(error);
      retry = setTimeout(() => {
        stored = "";
        settle();
      }, AGAIN);
    }
    postMessage({ about, unsaved: UNSAVED[broken ? "conflict" : error?.name] ?? UNSAVED.other });
  }
}

// ----------------------------------------------------------------------------------------------- what comes in

/** Let other tabs look on; what they send is told apart by their own names. */
function open(about) {
  [game, version] = [about, about.version ?? 0];
  stored = version ? mark() : "";
  channel = new BroadcastChannel(`nomic_nb ${game.id}`);
  channel.onmessage = ({ data: { from: who, text, gone } }) => {
    if (typeof who !== "string") return;
    if (gone) host.stop_watching(who);
    else if (host.watch(who, MOST_WATCHERS)) host.receive(who, text);
    settle();
  };
  channel.postMessage({ here: true });
}
const asks = {
  begin: ({ how }) => host.begin(JSON.stringify(how)),
  open({ file, name, way }) {
    python.FS.writeFile(FILE, file);
    return host.open_game(name, way);
  },
  load({ file, name }) {
    python.FS.writeFile(UPLOAD, file);
    return host.load_upload(name ?? "");
  },
  record: () => host.record(),
  notebook: () => host.notebook(),
  show: ({ at }) => host.show_branch(at),
  cell({ source }) { // of the home page
    cells ??= python.pyimport("page_cells");
    return cells.run_cell(source);
  },
};
onmessage = async ({ data }) => {
  try {
    await ready;
  } catch {
    return;
  }
  try {
    if (data.text !== undefined) host.receive("panel", data.text);
    else if (data.game) open(data.game);
    else put("panel", { id: data.id, got: JSON.parse(asks[data.ask](data)) });
    settle();
  } catch (error) {
    stop(error);
  }
};
