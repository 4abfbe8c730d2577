// The door of a class on a phone: the code on the wall, a name, a sign, and then the seat. It knows no rule of a game.
import { entered, fill, h, keeper, labelled, on, say, set, storeOf, unhide } from "./core.js";
import { line } from "./line.js";

const COLOURS = { red: "#c8372d", blue: "#2f6fd0", green: "#2e8b57", yellow: "#f2c230", orange: "#e8812b", purple: "#7d4cc0",
  pink: "#e46aa0", brown: "#7b5236", grey: "#8b8b86", white: "#fff", black: "#222", gold: "#c9a227" };
/** A sign, such as “pink crab”: in words, beside its colour. */
export function signOf(sign) {
  const dot = h("span.nnb-dot", { "aria-hidden": "true" });
  dot.style.background = COLOURS[sign.split(" ")[0]] ?? "none";
  return h("span.nnb-sign", dot, sign);
}
/** Show a code in two halves: 482 913. */
export const spaced = (code) => `${code.slice(0, 3)} ${code.slice(3)}`;

/** Show a phone nothing but a title and what stands below it. */
function showOnly(place, text, ...below) {
  document.title = text;
  const title = h("h1.nnb-heading", { tabindex: -1 }, text);
  place.replaceChildren(h("div.nnb-live", h("header.nnb-head", h("span.nnb-me", "Nomic")), h("div.nnb-column.nnb-main", h("div.nnb-lede", title), ...below)));
  title.focus({ preventScroll: true });
}
/** Say on a phone that its class has ended. */
export const over = (place) => showOnly(place, "That’s it for today.", h("p", "The class is over, and this phone has forgotten it."));
/** Say on a phone that the class here has no seat for it, and let it join. */
export function elsewhere(place) {
  if (place.querySelector(".nnb-elsewhere")) return;
  const join = h("button.nnb-elsewhere", "Join this class");
  on(join, "click", () => { location.hash = ""; });
  showOnly(place, "You have no seat here", h("p", "Another class is open here now, or your seat has moved to another phone. If your class opens again, this page continues by itself."), join);
}

/** Let somebody in who scanned a code, or who types it; `seated` is told the address of the seat once there is one, `ended` that the class is over. */
export function door(place, scanned, seated, ended) {
  const kept = storeOf("class"), title = h("h1.nnb-heading", { tabindex: -1 }), more = h("div.nnb-column");
  const said = h("div.nnb-message", { role: "alert" }), lost = h("p.nnb-banner", { role: "status", hidden: "" });
  const button = h("button"), dock = h("section.nnb-dock", { "aria-label": "Join" }, said, button);
  const code = h("input", { inputmode: "numeric", autocomplete: "off", maxlength: 9 });
  const name = h("input", { autocomplete: "given-name", maxlength: 24, spellcheck: "false" });
  let step = "", press, typed = scanned, names = [], chosen = "", sent = false, types = false;
  on(button, "click", () => press());
  for (const input of [code, name]) entered(input, () => press());
  place.append(h("div.nnb-live", h("header.nnb-head", h("span.nnb-me", "Nomic")), lost,
    h("div.nnb-column.nnb-main", h("div.nnb-lede", title), more), dock));

  /** Show one step: its title, what stands below it, and what the button does. */
  function show(next, text, children, label = "", work) {
    if (step !== next) say(said, "");
    const anew = step !== next;
    step = next;
    say(title, text);
    fill(more, children);
    unhide(button, label);
    say(button, label);
    press = work ?? (() => {});
    document.title = text;
    if (anew) (more.querySelector("input") ?? title).focus({ preventScroll: true });
  }
  const ask = (message) => {
    if (sent) return; // it is being answered
    sent = send(message);
    set(button, "aria-disabled", sent || null);
  };
  const askCode = () => show("code", "Join the game", [labelled("Code on the board", code)], "Next", () => {
    typed = code.value.replace(/\s/g, "");
    ask({ code: typed });
  });
  const choose = (one) => ask({ name: chosen = one });
  const keep = keeper(), list = h("div.nnb-column", { role: "group", "aria-label": "Names" });
  const field = h("div.nnb-column", labelled("Your name in the game", name), h("p.nnb-quiet", "A nickname is enough."));
  const missing = h("button.plain.nnb-link", "My name isn’t here");
  on(missing, "click", () => {
    types = true;
    askName();
    name.focus({ preventScroll: true });
  });
  function askName() {
    fill(list, names.map((one) => keep(`name ${one}`, () => nameButton(one))), missing);
    const choosing = names.length && !types;
    show("name", "What’s your name?", choosing ? list : field, choosing ? "" : "Join", () => choose(name.value));
  }
  function nameButton(one) {
    const button = h("button.plain", h("bdi", one));
    on(button, "click", () => choose(one));
    return button;
  }
  const yourSign = (sign) => h("p.nnb-yours", "Your sign: ", signOf(sign));

  function heard(got) {
    if (got.names && !got.door) { // others have taken some
      names = got.names;
      if (step === "name") askName();
      return;
    }
    sent = false;
    set(button, "aria-disabled", null);
    if (got.pass) kept.keep("pass", got.pass);
    if (got.door) {
      names = got.names;
      if (step === "waits") ask({ name: chosen }); // the connection was lost meanwhile
      else askName();
    } else if (got.in || got.back) {
      show("in", `You’re in, ${got.in ?? got.back}.`, [yourSign(got.sign), h("p", "The game starts when your teacher begins.")]);
    } else if (got.waits) {
      show("waits", "Waiting for your teacher", [h("p", got.why), yourSign(got.waits)]);
    } else if (got.go) {
      navigator.vibrate?.(12);
      end();
      seated(`${encodeURIComponent(got.go)}/${got.link}`);
    } else if (got.end) {
      end();
      kept.forget("pass");
      ended();
    } else if (got.away) {
      kept.forget("pass");
      if (step === "waits") askName();
      else askCode();
      say(said, got.away);
    } else if (got.refused) refused(got);
  }
  function refused({ code: why, refused: text }) {
    if (why === "pass-unknown") {
      kept.forget("pass");
      if (typed) return ask({ code: typed });
      askCode();
      return; // nobody who comes for the first time has to read of it
    }
    if (why !== "door-closed" && why.includes("code") || !["name", "waits"].includes(step)) askCode();
    say(said, text);
  }
  const { send, end } = line("door", {
    opened() {
      sent = false;
      unhide(lost, false);
      const pass = kept.of("pass");
      if (pass) ask({ pass });
      else if (typed) ask({ code: typed });
      else askCode();
    },
    heard,
    lost(closed) {
      say(lost, closed === 4429 ? "There’s a crowd at the door. This page tries again by itself." : "Connection lost. Reconnecting …");
      unhide(lost, true);
      if (closed === 4401) step = ""; // the place is another's: this phone begins anew
    },
  });
}
