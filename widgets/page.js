// The page of a seat: stands in for a notebook with a small model such as anywidget's, over a WebSocket.
/** What closes a connection for good, by its code. */
const ENDS = {
  4401: "This link no longer works. Ask the host for a new one.",
  4403: "This page was not opened at an address that the game is served at.",
  4404: "This game isn’t running here.",
  4406: "This link is for a program, not a person. Ask the host for a player link.",
  4409: "You’re playing on another device now. Reload this page to play here instead.",
};
const SLOW = 4429, OVER = 4410, LOST = "Connection lost. Reconnecting …";
/** Forget what this device keeps of a class, its pass and what was written and not sent, and say that it is over. */
async function endClass() {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith("nomic_nb ")) localStorage.removeItem(name);
  } catch { /* a browser that keeps nothing */ }
  if (/^#(?:host|wall)=/.test(location.hash)) return; // these pages say it themselves
  history.replaceState(null, "", "#");
  (await import("./door.js")).default.over(place);
}

class Model {
  constructor(url, link, elsewhere) {
    Object.assign(this, { url, link, elsewhere, listeners: [], tries: 0, known: false });
    this.dial();
    addEventListener("offline", () => { // long before the socket notices; if it holds, the answer takes this back
      if (!this.known) return;
      this.lost(LOST);
      this.tell('{"connected":true}');
    });
  }
  dial() {
    const socket = this.socket = new WebSocket(this.url);
    this.known = false;
    socket.onopen = () => socket.send(JSON.stringify({ link: this.link }));
    socket.onmessage = ({ data }) => {
      this.tries = 0; // not before: a server that accepts and fails would be dialled without a pause
      if (this.gone) return location.reload();
      const first = !this.known;
      this.known = true;
      this.tell(first ? '{"connected":true}' : data);
    };
    socket.onclose = ({ code }) => {
      this.known = false;
      if (code === OVER) return endClass();
      if (this.elsewhere && (code === 4401 || code === 4404)) { // its own class may be opened again
        this.elsewhere();
        this.listeners = [];
        this.gone = true;
        return setTimeout(() => this.dial(), 8000);
      }
      if (code in ENDS) return this.lost(ENDS[code]);
      this.lost(LOST);
      const least = code === SLOW ? 4000 : 250;
      setTimeout(() => this.dial(), Math.min(8000, least * 2 ** this.tries++) * (0.5 + Math.random()));
    };
  }
  lost(lost) { this.tell(JSON.stringify({ lost })); }
  tell(text) { for (const one of this.listeners) one({ text }); }
  get(key) { return { parts: ["all"], device: { sealing: () => import("./seal.js"), ending: () => import("./ending.js") } }[key]; }
  end() {
    this.socket.onclose = null;
    this.socket.close();
  }
  /** Messages are all that there is to hear here. */
  on(_, work) { this.listeners.push(work); }
  off() { this.listeners = []; }
  /** Send a message; one that finds no connection is sent again by whoever waits for its answer. */
  send({ text }) { if (text && this.known && this.socket.readyState === 1) this.socket.send(text); }
}

/** Draw the page of a seat, or with `bundle` another one, with what goes on beside the game; return what ends it. `elsewhere` is told that the seat is not here. */
export async function showTable(url, link, el, bundle = "seat", elsewhere) {
  const [{ default: panel }, { addAside }] = await Promise.all([import(`./${bundle}.js`), import("./aside.js")]);
  addAside(panel);
  el.replaceChildren();
  const model = new Model(url, link, elsewhere), stop = panel.render({ model, el });
  return () => {
    stop();
    model.end();
  };
}
const place = document.getElementById("panel");
/** Show the seat that the address names, in place of what is there. */
async function showSeat() {
  const [table, ...secret] = location.hash.slice(1).split("/");
  if (!secret.length) {
    place.textContent = "This address has no seat in it. Use the whole link that you were given, or its code.";
    return;
  }
  const url = new URL(`ws/${table}`, location.href.split("#")[0]); // relative: it works behind a prefix
  url.protocol = url.protocol.replace("http", "ws");
  const desk = secret[0] === "desk";
  if (desk) secret.shift();
  const elsewhere = "lesson" in document.body.dataset && (async () => (await import("./door.js")).default.elsewhere(place));
  await showTable(url.href, secret.join("/"), place, desk ? "desk" : "seat", elsewhere);
}
/** What has no table in its address: the door of a lesson, its host page, its wall. */
const LOBBY = /^#?(?:(join|host|wall)=(.*))?$/;
if (place) {
  const [lobby, name = "join", secret = ""] = LOBBY.exec(location.hash) ?? [];
  if (lobby === undefined || !("lesson" in document.body.dataset)) await showSeat();
  else if (name === "join") {
    for (const name of ["seat", "aside"]) import(`./${name}.js`).catch(() => {}); // so that they are there when play begins
    (await import("./door.js")).default.door(place, secret, (seat) => {
      history.replaceState(null, "", `#${seat}`); // what is loaded stays, so that all begin at once
      showSeat().catch(() => location.reload()); // a script that did not come while the server was away
    }, endClass);
  } else (await import("./lobby.js")).default[name](place, secret);
  addEventListener("hashchange", () => location.reload());
}
