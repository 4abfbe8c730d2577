// The page of a seat: stands in for a notebook with a small model such as anywidget's, over a WebSocket.
import panel from "./panel.js";
import "./freely.js";
import "./law.js";

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
    Object.assign(this, { url, link, Socket, listeners: new Map(), state: { parts: ["all"], device: true }, tries: 0, known: false });
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
  end() {
    this.socket.onclose = null;
    this.socket.close();
  }
  off(name, work) { this.listeners.set(name, (this.listeners.get(name) ?? []).filter((one) => work && one !== work)); }
  /** Send a message; one that finds no connection is sent again by whoever waits for its answer. */
  send(content) { if (content.text && this.known && this.socket.readyState === 1) this.socket.send(content.text); }
}

/** The theme of the page is the one of the device. */
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => { document.documentElement.dataset.theme = dark.matches ? "dark" : "light"; };
dark.addEventListener("change", theme);
theme();
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
  if (secret[0] === "desk") {
    secret.shift();
    await Promise.all(["shared", "history", "host", "cells"].map((name) => import(`./${name}.js`)));
  }
  place.replaceChildren();
  panel.render({ model: new Model(url.href, secret.join("/")), el: place });
}
/** What has no table in its address: the door of a lesson, its host page, its wall. */
const LOBBY = /^#?(?:(join|host|wall)=(.*))?$/;
if (place) {
  const [lobby, name = "join", secret = ""] = LOBBY.exec(location.hash) ?? [];
  if (lobby === undefined || !("lesson" in document.body.dataset)) await showSeat();
  else if (name === "join") {
    (await import("./door.js")).door(place, secret, (seat) => {
      history.replaceState(null, "", `#${seat}`); // what is loaded stays, so that all begin at once
      showSeat();
    });
  } else (await import("./lobby.js"))[name](place, secret);
  addEventListener("hashchange", () => location.reload());
}
