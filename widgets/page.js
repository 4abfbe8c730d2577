// The page of a seat: stands in for a notebook with a small model such as anywidget's, over a WebSocket.
import { h } from "./core.js";
import panel, { more } from "./panel.js";
import "./freely.js";
import "./law.js";
import "./complete.js";
import "./together.js";

/** What closes a connection for good, by its code. */
const ENDS = {
  4401: "This link opens no seat. Ask for a new one.",
  4403: "This page was not opened at an address that the game is served at.",
  4404: "There is no such table here.",
  4409: "This seat was opened on another device. Load this page again to use it here.",
};
const SLOW = 4429;

export class Model {
  constructor(url, link, Socket = WebSocket) {
    Object.assign(this, { url, link, Socket, listeners: new Map(), state: { parts: ["all"], device: true, ending: () => import("./ending.js") }, tries: 0, known: false });
    this.dial();
  }
  dial() {
    this.socket = new this.Socket(this.url);
    this.socket.onopen = () => {
      this.known = false;
      this.socket.send(JSON.stringify({ link: this.link }));
    };
    this.socket.onmessage = (event) => {
      this.tries = 0; // not before: a server that accepts and fails would be dialled without a pause
      const first = !this.known;
      this.known = true;
      if (first) this.tell("msg:custom", { text: '{"connected":true}' });
      else this.tell("msg:custom", { text: event.data });
    };
    this.socket.onclose = (event) => {
      this.known = false;
      if (event.code in ENDS) return this.lost(ENDS[event.code]);
      this.lost("The connection is lost; trying again …");
      const least = event.code === SLOW ? 4000 : 250;
      setTimeout(() => this.dial(), Math.min(8000, least * 2 ** this.tries++) * (0.5 + Math.random()));
    };
  }
  lost(text) { this.tell("msg:custom", { text: JSON.stringify({ lost: text }) }); }
  tell(name, ...given) { for (const one of [...(this.listeners.get(name) ?? [])]) one(...given); }
  get(key) { return this.state[key]; }
  set(key, value) { this.state[key] = value; }
  save_changes() {}
  on(name, work) { this.listeners.set(name, [...(this.listeners.get(name) ?? []), work]); }
  off(name, work) { this.listeners.set(name, (this.listeners.get(name) ?? []).filter((one) => work && one !== work)); }
  /** Send a message; one that finds no connection is sent again by whoever waits for its answer. */
  send(content) { if (content.text && this.known && this.socket.readyState === 1) this.socket.send(content.text); }
}

/** The choice of a theme, kept on this device. */
more.theme = () => {
  const list = h("select", { id: "nnb-theme" }, ...[["", "as on this device"], ["light", "light"], ["dark", "dark"]].map(([value, text]) => h("option", { value }, text)));
  list.value = nomicTheme();
  list.addEventListener("change", () => nomicTheme(list.value));
  return { el: h("div.nnb-card.nnb-field", {}, h("label", { for: list.id }, "Colours"), list), draw() {} };
};
const place = document.getElementById("panel");
if (place) {
  const [table, ...secret] = location.hash.slice(1).split("/");
  const url = new URL(`ws/${encodeURIComponent(table)}`, location.href.split("#")[0]); // relative: it works behind a prefix
  url.protocol = url.protocol.replace("http", "ws");
  if (secret.length) {
    if (secret[0] === "desk") await Promise.all([secret.shift(), import("./history.js"), import("./host.js"), import("./cells.js")]);
    panel.render({ model: new Model(url.href, secret.join("/")), el: place });
    addEventListener("hashchange", () => location.reload());
  } else place.textContent = "This address has no seat in it. Use the whole link that you were given, or its code.";
}
