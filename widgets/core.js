// What all panels share: elements, pictures and their differences, the way to the game, and presses that are meant.

/** Milliseconds for which a control that has just moved, or come to mean something else, takes no press. */
const SETTLE = 400;
/** Milliseconds between the presses of a double click. */
const DOUBLE = 500;
const GONE = "The kernel of this notebook has ended, so nothing can be done here. Run the cell again: a game in a file goes on where it was.";

/** Make an element: h("button.plain", {}, "Vote"). Text is never read as HTML. */
export function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (tag === "button") made.type = tag; // and sends no form
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) set(made, key, value);
  made.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

/** Make an element of a drawing: svg("circle", { r: 3 }). */
export function svg(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) set(made, key, value);
  made.append(...children);
  return made;
}

/** Set an attribute only where it differs, so that nothing is announced or laid out for nothing. */
export function set(el, key, value) {
  if (value === null || value === undefined || value === false) {
    if (el.hasAttribute(key)) el.removeAttribute(key);
  } else if (el.getAttribute(key) !== String(value)) el.setAttribute(key, String(value));
}
export function say(el, text) {
  if (el.textContent !== text) el.textContent = text;
}
export function unhide(el, wanted) {
  set(el, "hidden", wanted ? null : "");
}
/** Put children into an element, where they are others: what stays is not touched, so that it keeps the focus, and a press. */
export function hold(el, wanted) {
  for (const one of [...el.childNodes]) if (!wanted.includes(one)) one.remove();
  wanted.forEach((one, at) => {
    if (el.childNodes[at] !== one) el.insertBefore(one, el.childNodes[at] ?? null);
  });
}

/** The words of a search, without the endings of everyday English. */
export function searchWords(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean).map((word) => word.replace(/(\w{3})(?:ing|ed|es|s)$/, "$1"));
}

/** Make things once, by name. */
export function keeper() {
  const made = new Map();
  return (name, make) => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name);
  };
}

/** What a tree that Python made may have in it; anything else is shown as its text. */
const TAGS = new Set(("article bdi blockquote caption code del details div h3 h4 h5 ins li ol p pre section span strong summary "
  + "table tbody td th thead tr ul").split(" "));
const ATTRIBUTES = new Set(["class", "colspan", "open", "scope", "value"]);
/** Grow the elements of a tree: ["p", {}, "text", ["ins", {}, "more"]]. */
export function grow(tree) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const [tag, attributes, ...children] = tree;
  const made = document.createElement(TAGS.has(tag) ? tag : "span");
  for (const [key, value] of Object.entries(attributes)) if (ATTRIBUTES.has(key)) made.setAttribute(key, value);
  made.append(...children.map(grow));
  return made;
}

/** Return a picture after a difference; what did not change stays the same object. */
export function patched(old, changes) {
  let made = old;
  for (const [path, ...value] of changes) made = put(made, path, value, 0);
  return made;
}
function put(old, path, value, at) {
  const made = { ...old };
  if (at < path.length - 1) made[path[at]] = put(made[path[at]] ?? {}, path, value, at + 1);
  else if (value.length) made[path[at]] = value[0];
  else delete made[path[at]];
  return made;
}

/** A store of drafts for one seat of one game; where a browser keeps nothing, nothing is kept. */
export function drafts(name) {
  const key = `nomic_nb ${name}`;
  return {
    read() {
      try {
        return JSON.parse(localStorage.getItem(key) ?? "{}");
      } catch {
        return {};
      }
    },
    write(values) {
      try {
        if (Object.keys(values).length) localStorage.setItem(key, JSON.stringify(values));
        else localStorage.removeItem(key);
        return true;
      } catch {
        return false; // kept on the page alone
      }
    },
  };
}

/** Keep a picture of the game, and send what is done. */
export function connect(model, draw, message) {
  const own = Array.from(crypto.getRandomValues(new Uint32Array(2)), (one) => one.toString(36)).join("");
  const game = {
    picture: null, step: -1, message: message ?? "", news: "", bad: false, refusal: null, lost: "", sending: new Map(), asked: new Map(),
    act, ask, busy: (sign) => game.lost || [...game.sending.values()].some((one) => one.sign === sign), answered: 0, note: (selected) => model.send({ selected }),
  };
  let count = 0;
  const tell = (message) => model.send({ text: JSON.stringify(message) });
  const hear = (content) => {
    const got = JSON.parse(content.text);
    if (got.view) {
      Object.assign(game, { picture: { table: got.view.table, mine: got.view.mine }, step: got.view.step, lost: "" });
      for (const one of game.sending.values()) tell(one.message); // whose answers were lost: the same ids are done once
    } else if (got.diff) {
      if (!game.picture) return;
      if (got.diff.from !== game.step) return tell({ open: true });
      const { table, mine } = game.picture;
      game.picture = { table: patched(table, got.diff.table), mine: patched(mine, got.diff.mine) };
      const fresh = Object.entries(game.picture.table.news).filter(([seq]) => Number(seq) > game.step).map(([, one]) => one.text);
      if (fresh.length && !game.sending.size && mine.role !== "wall") game.news = fresh.slice(-3).join(" "); // what others did
      Object.assign(game, { step: got.diff.step, lost: "" });
    } else if ("done" in got) {
      if (!game.sending.has(got.done)) return;
      const { done } = game.sending.get(got.done);
      game.sending.delete(got.done);
      Object.assign(game, { message: got.said, news: "", bad: false, refusal: null, answered: game.answered + 1 });
      done?.();
    } else if ("refused" in got) {
      const asked = game.asked.get(got.refused);
      game.asked.delete(got.refused);
      const known = game.sending.get(got.refused);
      game.sending.delete(got.refused);
      if (asked) return asked.answered(got);
      Object.assign(game, { message: got.why, news: "", bad: true, refusal: got });
      known?.refused?.(got);
    } else if ("answer" in got) {
      game.asked.get(got.answer)?.answered(got);
      game.asked.delete(got.answer);
      return;
    } else if (got.connected) return tell({ open: true });
    else if (got.lost) game.lost = got.lost;
    if (game.picture || game.lost) draw(game);
  };
  /** Do something: what the decision `sign` asks for, or something that is always open. */
  function act(action, details, { sign = "", key = null, player = null, done = null, refused = null } = {}) {
    if (sign && game.busy(sign)) return; // it is being answered
    const message = { id: `${own}-${++count}`, action, details };
    if (key !== null) message.key = key;
    if (player !== null) message.player = player;
    game.sending.set(message.id, { message, sign, done, refused });
    tell(message);
    draw(game);
  }
  /** Ask something about the game as it stands. */
  function ask(about, details, player, answered, one = about) {
    if (game.lost) return; // nobody is there who could answer
    const id = `${own}-${++count}`;
    for (const [other, was] of game.asked) if (was.one === one) game.asked.delete(other); // its answer comes too late
    game.asked.set(id, { one, answered });
    tell(player === null ? { id, ask: about, details } : { id, ask: about, details, player });
  }
  model.on("msg:custom", hear);
  model.on("comm_live_update", () => hear({ text: JSON.stringify({ lost: GONE }) })); // said by a notebook alone
  tell({ open: true });
  return { game, stop: () => model.off("msg:custom", hear) };
}

/** Buttons of a panel: a press belongs to the button on which it began, and to what that stood for then; one that cannot be taken is told of by `lost`. */
export class Presses {
  constructor(lost) {
    Object.assign(this, { lost, all: new Set(), due: 0 });
  }
  /** `el.meant` says what a press stands for. */
  add(el, work) {
    this.all.add(new WeakRef(el)); // what is away for a moment is looked at again; what was replaced is forgotten
    Object.assign(el, { moved: performance.now(), other: -1e9, box: "", was: undefined });
    let down = 0, meant, from;
    el.addEventListener("pointerdown", (event) => {
      const now = performance.now(), twice = now - down < DOUBLE;
      [down, meant, from] = [now, el.meant, event.target];
      el.setPointerCapture(event.pointerId); // so that the click comes here even if the button moves away
      const over = new AbortController();
      addEventListener("pointercancel", () => over.abort(), { once: true, signal: over.signal });
      addEventListener("pointerup", () => { over.abort(); if (!twice && !el.checkVisibility()) this.lost(); }, { signal: over.signal });
    });
    el.addEventListener("keydown", (event) => {
      if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
    });
    el.addEventListener("click", (event) => {
      const key = event.detail === 0; // what has the focus takes it, wherever it has moved
      if (key) [down, meant, from] = [performance.now(), el.meant, event.target];
      if (event.detail > 1 || (meant === el.meant && el.getAttribute("aria-disabled") === "true")) return; // the second press of a double click
      const unsettled = (at) => at <= down && down - at < SETTLE;
      // In a list, the row with the focus is what a key presses, whatever else is listed now.
      if (meant !== el.meant || (key ? el.type && unsettled(el.other) : unsettled(el.other) || unsettled(el.moved))) this.lost();
      else work(event, from);
    });
    return el;
  }
  /** After each drawing: note which buttons mean something else now, and, once it is painted, which have moved. */
  look() {
    const now = performance.now();
    for (const el of this.each()) {
      if (el.box && el.was !== el.meant) el.other = now;
      el.was = el.meant;
    }
    // Not before it is painted: reading positions while drawing would lay the page out twice.
    if (!this.due) this.due = requestAnimationFrame(() => setTimeout(() => this.measure()));
  }
  *each() {
    for (const one of this.all) {
      const el = one.deref();
      if (el) yield el;
      else this.all.delete(one);
    }
  }
  measure() {
    this.due = 0;
    for (const el of this.each()) {
      if (!el.checkVisibility()) {
        el.box = "";
        continue;
      }
      const { x, y } = el.getBoundingClientRect();
      // Scrolling moves the panel as a whole, and leaves what is docked where it is.
      const fixed = el.closest(".nnb-dock, .nnb-head, dialog"), from = (fixed ? null : el.closest(".nnb-live")?.getBoundingClientRect()) ?? { x: 0, y: 0 };
      const box = `${Math.round(x - from.x)},${Math.round(y - from.y)}`;
      if (el.box && box !== el.box) el.moved = performance.now();
      el.box = box;
    }
  }
}

/** What is asked for once somebody opens it: {el, draw}. */
export function asked(about, title, where, ...more) {
  let game, step = -1;
  const el = h("details.nnb-asked", {}, h("summary", {}, title), where, ...more);
  const look = () => {
    if (!el.open || !game || step === game.step) return;
    step = game.step;
    game.ask(about, {}, null, (got) => (got.tree ? where.replaceChildren(grow(got.tree)) : say(where, got[about] ?? got.why)));
  };
  el.addEventListener("toggle", look);
  return { el, draw(now) { game = now; look(); } };
}

/** Write what stands in the way of a text: the line with a mark under the place. */
export function lawError(law) {
  const text = `Line ${law.line}, column ${law.column}: ${law.message}.`.replace("?.", "?")
    + (law.found ? ` Found: ${law.found}.` : "") + (law.expected ? ` Expected ${law.expected}.` : "") + (law.example ? ` Such as: ${law.example}` : "");
  return law.text ? [h("span", {}, text), h("pre", {}, `${law.text}\n${" ".repeat(Math.max(0, law.column - 1))}^`)] : [h("span", {}, text)];
}
