// The games that this browser keeps: what the list shows of each, and its file, which are written together or not at all.
const GAMES = "games", FILES = "files";
let opened = null;

/** Another tab has stored a step of the same game, or deleted it. */
export class Conflict extends Error {}

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
function database() {
  if (opened) return opened;
  opened = new Promise((resolve, reject) => {
    const request = indexedDB.open("nomic_nb table", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(GAMES, { keyPath: "id" });
      request.result.createObjectStore(FILES);
    };
    result(request).then((found) => {
      found.onclose = () => { opened = null; }; // somebody cleared what the browser keeps
      resolve(found);
    }, reject);
  });
  opened.catch(() => { opened = null; }); // the next one tries again
  return opened;
}
/** Do something in one transaction, and wait until it is stored. */
async function change(work) {
  const made = (await database()).transaction([GAMES, FILES], "readwrite");
  const ended = new Promise((resolve, reject) => {
    made.oncomplete = resolve;
    made.onabort = () => reject(made.error ?? new Error("the browser gave up"));
  });
  try {
    await work(made.objectStore(GAMES), made.objectStore(FILES));
  } catch (error) {
    try { made.abort(); } catch { /* it has ended already */ }
    await ended.catch(() => {});
    throw error;
  }
  await ended;
}
const read = async (name) => (await database()).transaction(name).objectStore(name);

/** The games, the last one first. */
export const listGames = async () => (await result((await read(GAMES)).getAll())).sort((a, b) => b.at - a.at);
export const gameOf = async (id) => result((await read(GAMES)).get(id));
export const fileOf = async (id) => result((await read(FILES)).get(id));
/** Store a step of a game, if nobody has stored one since `version`. */
export const storeGame = (game, file, version) => change(async (games, files) => {
  const before = (await result(games.get(game.id)))?.version ?? 0;
  if (before !== version) throw new Conflict();
  await result(files.put(file, game.id)); // a browser without room refuses here, or at the end
  games.put(game);
});
export const deleteGame = (id) => change((games, files) => {
  games.delete(id);
  files.delete(id);
});
