// Play in this page: a form that begins a game or goes on with one, then the panel of the table, as in a notebook.
import panel from "./widgets/table.js";
import { DICE, COMPANIONS, JOINT, KINDS, LARGEST, RULE_SETS, AWAY } from "./choices.js";
import { fileOf, gameOf, listGames, deleteGame } from "./store.js";

const { aria, endingPanel, fill, h, labelled, offer, on, option, render, say, set, tickBox, ticked, unhide, wider } = panel;
wider.ending = endingPanel;

const place = document.getElementById("table");
/** Milliseconds until a second press on “Delete” counts no more, until a download is forgotten, and of a moment. */
const SURE = 4000, DOWNLOADED = 10_000, MOMENT = 300;
const NO_STORAGE = "This browser doesn’t let the page store anything, so a game is gone once you close the page. Download its record to keep it.";
const FAILED = "Python can’t start in this browser. Use a current Firefox, Chrome, Edge or Safari, check the connection, and reload the page.";
const STOPPED = "Python has stopped in this page. Reload the page to go on from the last saved step.";
const ELSEWHERE = "This game is open in another tab, so here you can only watch. Close the other tab to play here.";
const GONE = "This browser doesn’t keep that game. Open its record below, or start a game.";
const UNREAD = "This browser couldn’t read that game. Choose it below to try again.";
const NAMELESS = "Enter a name for each player, or remove the row.";
const newName = () => Array.from(crypto.getRandomValues(new Uint32Array(3)), (one) => one.toString(36)).join("");
const plain = (name, ...rest) => h(`button.plain${name}`, ...rest);

// ------------------------------------------------------------------------------------------------- Python in a worker

/** `isUnsaved` tells whether the last step is in this page only. */
let worker = null, progress = 0, failed = "", isReady = false, isUnsaved = false;
const answers = new Map(), hears = { progress() {}, text() {}, stored() {}, stopped() {} };
let becomeReady;
const ready = new Promise((resolve) => { becomeReady = resolve; });
/** Say that Python has failed, also to whoever waits for an answer. */
function fail(error, told) {
  console.error(error);
  failed ||= told;
  for (const answer of answers.values()) answer({ why: failed });
  answers.clear();
  hears.stopped();
  hears.progress();
}
function loadPython() {
  const kept = navigator.serviceWorker?.controller ? "?kept" : "";
  worker = new Worker(new URL(`worker.js${kept}`, import.meta.url), { type: "module" });
  worker.onerror = ({ message }) => fail(message, isReady ? STOPPED : FAILED);
  worker.onmessage = ({ data }) => {
    if (data.id) {
      answers.get(data.id)?.(data.got);
      answers.delete(data.id);
    } else if (data.stopped) fail(data.stopped, STOPPED);
    else if (data.failed) fail(data.failed, FAILED);
    else if (data.text !== undefined) hears.text(data.text);
    else if (data.about) hears.stored(data);
    else {
      progress = data.ready ? 1 : Math.max(progress, data.progress ?? 0);
      isReady ||= Boolean(data.ready);
      if (data.ready) becomeReady();
      hears.progress();
    }
  };
}
/** Ask the worker; an answer says why if it refuses. */
const ask = (what, details = {}, transfer = []) => new Promise((resolve) => {
  const id = newName();
  answers.set(id, resolve);
  worker.postMessage({ id, ask: what, ...details }, transfer);
  if (failed) setTimeout(() => resolve({ why: failed }), isReady ? SURE : 0); // it may still answer, so that a record can be saved
});
/** Work offline from now on: the files are kept once all of them are there. */
async function keepFiles() {
  await ready;
  try {
    await navigator.serviceWorker.register(new URL("sw.js", import.meta.url));
    await navigator.serviceWorker.ready;
    document.documentElement.dataset.offline = "";
  } catch (error) {
    console.info("not kept for later without a network:", error);
  }
}

// ------------------------------------------------------------------------------------------------ parts of both pages

function themeList() {
  const list = h("select.nnb-theme", aria("Colours"), option("", "Auto"), option("light", "Light"), option("dark", "Dark"));
  list.value = nomicTheme();
  on(list, "change", () => nomicTheme(list.value));
  return list;
}
function progressBar() {
  const bar = h("progress", aria("Loading", { max: 1, value: 0 })), told = h("p.nnb-quiet");
  const el = h("div.nnb-loading", bar, told);
  const draw = () => {
    unhide(el, !isReady && !failed);
    set(bar, "value", progress.toFixed(3));
    say(told, `Loading Python and the kit, ${Math.round(progress * 100)} %`);
  };
  return { el, draw };
}
/** Let the browser keep a text as a file. */
function download({ name, text }) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOADED);
}
const when = (at) => new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
const held = new Set(), lockOf = (id) => `nomic_nb ${id}`;
/** Hold a game for as long as this page is open; tell whether nobody else does. A page that was just left may hold it a moment longer. */
async function hold(id) {
  if (held.has(id)) return true;
  if (!navigator.locks) return true; // then a step that another tab stored first is noticed when it is stored
  const once = () => new Promise((resolve) => {
    navigator.locks.request(lockOf(id), { ifAvailable: true }, (lock) => {
      if (lock) held.add(id);
      resolve(Boolean(lock));
      return lock && new Promise(() => {});
    });
  });
  if (await once()) return true;
  await new Promise((resolve) => { setTimeout(resolve, MOMENT); });
  return once();
}

// ---------------------------------------------------------------------------------------------------- before the game

/** The players: a row for each, with a name and who plays. */
function seatRows() {
  const list = h("ul.nnb-seatrows", aria("Players")), hint = h("p.nnb-quiet");
  const kinds = [["", "a person here"], ...KINDS.map((kind) => [kind, `the kit: ${kind}`])];
  let rows = [];
  function describe() {
    const people = rows.filter((row) => !row.kind.value).map((row) => row.name.value.trim()).filter(Boolean);
    say(hint, !people.length ? "The kit plays everybody, and you watch."
      : people.length === 1 ? `You play ${people[0]}, and the kit plays the others.` : "People here share this screen.");
    for (const row of rows) {
      set(row.away, "aria-label", `Remove ${row.name.value || "this player"}`);
      set(row.kind, "aria-label", `Who plays ${row.name.value || "this player"}`);
      unhide(row.away, rows.length > 2);
    }
    fill(list, rows.map((row) => row.el));
  }
  function add(called, kind) {
    const row = { name: h("input", aria("Name", { maxlength: 60, spellcheck: "false" })), kind: h("select"), away: plain(".nnb-away", {}, "×") };
    row.el = h("li", row.name, row.kind, row.away);
    row.name.value = called;
    offer(row.kind, kinds);
    row.kind.value = kind;
    on(row.name, "input", describe);
    on(row.kind, "change", describe);
    on(row.away, "click", () => {
      rows = rows.filter((one) => one !== row);
      describe();
      rows.at(-1).name.focus();
    });
    rows.push(row);
    return row;
  }
  for (const [at, name] of COMPANIONS.entries()) add(name, at ? KINDS[0] : "");
  const more = plain("", "Add a player");
  on(more, "click", () => {
    const free = ["Dora", "Eli", "Fay", "Gus", "Hana"].find((name) => rows.every((row) => row.name.value !== name)) ?? "";
    add(free, KINDS[0]).name.focus();
    describe();
  });
  describe();
  return {
    el: h("section.nnb-card", aria("Players"), h("h2.nnb-title", "Players"), list, more, hint),
    given: () => rows.map((row) => [row.name.value.trim(), row.kind.value]),
  };
}
/** The rule sets, each with what it is about. */
function ruleSets(chosen) {
  const list = h("div.nnb-games", { role: "radiogroup", "aria-label": "Game" }, RULE_SETS.map((one, at) => {
    const box = h("input", { type: "radio", name: "game", value: one.name, id: `game-${one.name}` });
    box.checked = at === 0;
    on(box, "change", chosen);
    return h("label.nnb-pick", { for: box.id }, box, h("span", h("b", one.title), h("small", one.lead), h("small.nnb-howmany", `Players: ${one.players}`)));
  }));
  return { el: h("section.nnb-card", aria("Game"), h("h2.nnb-title", "Game"), list), get: () => RULE_SETS.find((one) => list.querySelector("input:checked").value === one.name) };
}
/** What the players agree on before play. */
function agreements() {
  const points = h("input", { inputmode: "numeric", maxlength: 40 }), joint = h("select"), dice = h("select"), away = tickBox();
  offer(joint, JOINT);
  offer(dice, DICE);
  [joint.value] = JOINT[0];
  const rows = { points: labelled("Points to win", points), joint: labelled("If several win", joint), away: ticked(AWAY, away) };
  return {
    el: h("details.nnb-card", h("summary", "More choices"), h("div.nnb-fields", rows.points, rows.joint, labelled("Dice", dice), rows.away)),
    draw(one) {
      for (const [name, row] of Object.entries(rows)) unhide(row, one[name]);
      set(points, "placeholder", one.points ? `${one.points}, as in the rules` : "");
    },
    given: (one) => ({ points: one.points ? points.value : "", joint: one.joint ? joint.value : "", away: Boolean(one.away) && away.checked, dice: dice.value || null }),
  };
}
/** The games that this browser keeps. */
function keptGames(games, refuse) {
  const el = h("section.nnb-card", aria("Your games"), h("h2.nnb-title", "Your games"), h("ul.nnb-saves", games.map((game) => {
    const go = h("a.nnb-resume", { href: `#${game.id}` }, "Continue this game"), away = plain(".nnb-link", "Delete");
    const row = h("li", h("div", h("b", `${game.title}, ${game.stands}`), h("small", game.players), h("small", `Saved ${when(game.at)}`)), h("div.nnb-buttons", go, away));
    let sure = -Infinity;
    on(away, "click", async () => {
      if (performance.now() - sure > SURE) {
        sure = performance.now();
        say(away, "Delete it for good?");
        setTimeout(() => say(away, "Delete"), SURE);
        return;
      }
      if (!(await hold(game.id))) return refuse("This game is open in another tab. Close that tab, then delete the game.");
      await deleteGame(game.id);
      row.remove();
      unhide(el, el.querySelector("li"));
    });
    return row;
  })));
  unhide(el, games.length);
  return el;
}
/** A game from a file, which another browser or a computer may have made. */
function uploaded(begun) {
  const file = h("input", { type: "file", accept: ".jsonl,.sqlite", id: "nnb-upload" }), which = h("select"), open = plain("", "Open this game");
  const choice = h("div.nnb-fields", { hidden: "" }, labelled("Which game", which), open);
  let read = null;
  const send = async (name) => {
    const got = await begun("load", { file: read, name });
    if (!got?.choose) return;
    offer(which, got.choose.map((one) => [one]));
    unhide(choice, true);
  };
  on(file, "change", async () => {
    const [one] = file.files;
    unhide(choice, false);
    if (!one) return;
    if (one.size > LARGEST) return begun(null, { why: `This file is too large to be a game: it has more than ${LARGEST / 2 ** 20} MB.` });
    read = new Uint8Array(await one.arrayBuffer());
    file.value = "";
    await send("");
  });
  on(open, "click", () => send(which.value));
  return h("section.nnb-card", aria("Open a file"), h("h2.nnb-title", "Open a file"),
    labelled("A record (.jsonl) or a game file (.sqlite)", file), choice);
}

function startPage(games, canStore, why = "") {
  document.title = "Play Nomic";
  const bar = progressBar(), said = h("div.nnb-message", { role: "status", tabindex: -1 }), start = h("button.nnb-start-game", "Start the game");
  let busy = false;
  function refuse(text) {
    say(said, text);
    set(said, "data-bad", text ? "" : null);
    draw();
  }
  /** Have the worker begin a game, or say why not; the form stays as it is until there is one. */
  async function begun(what, details) {
    if (!what) return refuse(details.why);
    if (busy) return;
    busy = true;
    refuse("");
    const got = await ask(what, details);
    busy = false;
    refuse(got.why ?? "");
    if (got.why || got.choose) return got;
    const id = newName();
    await hold(id);
    history.pushState(null, "", `#${id}`);
    playPage({ id, keeps: canStore });
  }
  const seats = seatRows(), more = agreements(), picked = ruleSets(() => more.draw(picked.get()));
  more.draw(picked.get());
  on(start, "click", () => {
    const one = picked.get(), players = seats.given();
    if (!players.every(([name]) => name)) return refuse(NAMELESS);
    const machines = Object.fromEntries(players.filter(([, kind]) => kind));
    begun("begin", { how: { ruleset: one.name, players: players.map(([name]) => name), machines, ...more.given(one) } });
  });
  function draw() {
    bar.draw();
    say(start, busy ? (isReady ? "Starting …" : "Starts once it’s loaded …") : "Start the game");
    set(start, "aria-disabled", busy || failed ? "true" : null);
    if (failed && said.textContent !== failed) refuse(failed);
  }
  hears.progress = draw;
  const form = [h("div.nnb-halves", picked.el, h("div.nnb-column", seats.el, more.el)), uploaded(begun)];
  place.replaceChildren(h("div.nnb-live.nnb-begin",
    h("header.nnb-head", h("a.nnb-me", { href: "../" }, "Nomic"), themeList()),
    h("div.nnb-main",
      h("div.nnb-lede", h("h1.nnb-heading", "Play Nomic"),
        h("p", "A game in which changing the rules is a move. It runs in this page, and nothing leaves your browser.")),
      !canStore && h("p.nnb-notice", NO_STORAGE), keptGames(games, refuse), form),
    h("section.nnb-dock", aria("Start"), said, bar.el, start)));
  refuse(why);
}

// ------------------------------------------------------------------------------------------------------- at the table

/** What a panel wants of a notebook’s model: it sends texts, and hears them. */
class Model {
  constructor(post) {
    Object.assign(this, { post, listeners: [] });
  }
  get(key) { return key === "parts" ? ["all"] : undefined; }
  on(name, work) { if (name === "msg:custom") this.listeners.push(work); }
  off() { this.listeners = []; }
  send({ text }) { if (text) this.post(text); }
  tell(text) { for (const one of [...this.listeners]) one({ text }); }
}
/** Show the panel below a bar; what the worker or another tab sends goes to the model. */
function showPanel(post, ...bar) {
  const box = h("div.nnb-table"), model = new Model(post);
  const draw = () => {
    stop?.();
    box.replaceChildren();
    stop = render({ model, el: box });
  };
  let stop = null;
  const top = h("div.nnb-topbar.nnb-live", aria("This game", { role: "group", tabindex: -1 }), bar);
  place.replaceChildren(top, box);
  draw();
  top.focus({ preventScroll: true }); // what had the focus is gone
  return { model, draw };
}
const listOfGames = () => location.pathname + location.search;
const home = () => h("a.nnb-link", { href: listOfGames() }, "All games");

function playPage(game) {
  document.title = "Nomic";
  const kept = h("p.nnb-saved", { role: "status" }), said = h("p.nnb-saved", { role: "status" }), branch = h("select"), show = plain("", "Show this branch");
  const file = async (what) => {
    const got = await ask(what);
    if (got.text) download(got);
    if (got.text && what === "record") isUnsaved = false;
    say(said, got.why ?? [`Downloaded ${got.name}.`, got.letters && `Its fingerprint is ${got.letters}: write it down.`, got.said].filter(Boolean).join(" "));
  };
  const record = plain("", "Download the record"), notebook = plain("", "Download as a notebook");
  on(record, "click", () => file("record"));
  on(notebook, "click", () => file("notebook"));
  const ways = h("div.nnb-buttons", { hidden: "" }, branch, show);
  set(branch, "aria-label", "Branch");
  const menu = h("details.nnb-menu", h("summary", "This game"), h("div.nnb-fields", h("div.nnb-buttons", record, notebook), ways, said, labelled("Colours", themeList())));
  const { model, draw } = showPanel((text) => worker.postMessage({ text }), home(), kept, menu);
  on(show, "click", async () => {
    const got = await ask("show", { at: Number(branch.value) });
    say(said, got.why ?? "");
    if (!got.why) draw();
  });
  hears.text = (text) => model.tell(text);
  hears.stopped = () => model.tell(JSON.stringify({ lost: STOPPED }));
  hears.stored = ({ about, saved, unsaved }) => {
    isUnsaved = !saved;
    say(kept, saved ? "Saved in this browser" : unsaved ?? NO_STORAGE);
    set(kept, "data-bad", saved ? null : "");
    document.title = `${about.title} · Nomic`;
    offer(branch, about.branches.map((text, at) => [at, text]));
    unhide(ways, about.branches.length > 1);
  };
  say(kept, game.version ? "Saved in this browser" : "");
  worker.postMessage({ game });
  navigator.storage?.persist?.();
}
/** Look on while another tab plays; play here once it is closed. */
function watchPage(id) {
  const channel = new BroadcastChannel(`nomic_nb ${id}`), name = newName();
  const { model } = showPanel((text) => channel.postMessage({ from: name, text }), home(), h("p.nnb-saved", { role: "status" }, ELSEWHERE));
  channel.onmessage = ({ data: { to, text, here } }) => {
    if (here) model.tell('{"connected":true}');
    // Who looks on here reads a page, not a wall at the end of a room.
    else if (to === name) model.tell(text.replace('"role":"wall"', '"role":"look"'));
  };
  on(window, "pagehide", () => channel.postMessage({ from: name, gone: true }));
  navigator.locks.request(lockOf(id), () => location.reload());
}

// ------------------------------------------------------------------------------------------------------------- arrival

/** Go on with a game that this browser keeps; return why not. */
async function resume(id) {
  const game = await gameOf(id);
  if (!game) return GONE;
  if (!(await hold(id))) {
    watchPage(id);
    return "";
  }
  loadPython();
  const bar = progressBar(), said = h("div.nnb-message", { role: "status" });
  hears.progress = () => {
    bar.draw();
    if (failed) say(said, failed);
  };
  place.replaceChildren(h("div.nnb-live.nnb-begin", h("header.nnb-head", h("span.nnb-me", "Nomic"), home()),
    h("div.nnb-main", h("div.nnb-lede", h("h1.nnb-heading", game.title), h("p", `${game.players}, ${game.stands}`)), bar.el, said)));
  bar.draw();
  const now = await gameOf(id), file = await fileOf(id);
  if (!now || !file) return GONE;
  const got = await ask("open", { file, name: now.name, way: now.way });
  if (failed) return ""; // this page says so
  if (got.why) return got.why;
  playPage({ id, keeps: true, version: now.version });
  return "";
}
async function arrive() {
  let games = [], canStore = true, why = "";
  const id = location.hash.slice(1);
  on(window, "hashchange", () => location.reload());
  on(window, "pageshow", ({ persisted }) => persisted && location.reload()); // others may have gone on meanwhile
  on(window, "beforeunload", (event) => isUnsaved && event.preventDefault());
  try {
    if (id) why = await resume(id);
  } catch (error) {
    console.error(error);
    why = UNREAD;
  }
  if (id && !why) return keepFiles();
  if (id) history.replaceState(null, "", listOfGames()); // so that a link to the same game is a change
  try {
    games = await listGames();
  } catch (error) {
    console.info("no storage:", error);
    canStore = false;
  }
  if (!worker) loadPython();
  startPage(games, canStore, why);
  keepFiles();
}
await arrive();
