// What all panels share: elements, views and their differences, the way to the game, and presses that are meant.

/** Milliseconds for which a control that has just moved, or come to mean something else, takes no press. */
const SETTLE = 400;
/** Milliseconds between the presses of a double click. */
const DOUBLE = 500;
/** What only some pages load, by name: each puts itself in here. */
export const wider = {};

/** What is shown of a list of children: lists in it are spread, and what is missing is left out. */
const shownOf = (children) => children.flat(3).filter(Boolean);

/** Make an element: h("button.plain", { title: "Ballot" }, "Vote"); attributes may be left out. Text is never HTML. */
export function h(name, ...children) {
  const [tag, ...classes] = name.split("."), made = document.createElement(tag);
  if (tag === "button") made.type = tag; // and sends no form
  if (tag === "input") made.autocomplete = "off";
  if (tag === "summary") on(made, "pointerdown", hold);
  if (classes.length) made.className = classes.join(" ");
  if (children[0]?.constructor === Object) setAll(made, children.shift());
  made.append(...shownOf(children));
  return made;
}

/** Let the click come where the press began, even if that moves away. */
const hold = ({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId);

/** Make an element of a drawing: svg("circle", { r: 3 }). */
export function svg(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAll(made, attributes);
  made.append(...children);
  return made;
}

/** Attributes of what has a name for screen readers alone, or is not read out. */
export const aria = (label, more) => ({ "aria-label": label, ...more });
export const UNREAD = { "aria-hidden": "true" };
/** Elements that belong together, under a name for screen readers. */
export const group = (name, label, ...children) => h(`div.${name}`, aria(label, { role: "group" }), ...children);

/** Set an attribute only where it differs, so that nothing is announced or laid out for nothing; null takes it away. */
export function set(el, key, value) {
  if ((value ?? null) === null) el.removeAttribute(key);
  else if (el.getAttribute(key) !== String(value)) el.setAttribute(key, String(value));
}
function setAll(el, attributes) {
  for (const [key, value] of Object.entries(attributes)) set(el, key, value);
}
/** Set an attribute that has no value, or take it away. */
export const flag = (el, key, wanted) => set(el, key, wanted ? "" : null);
export function say(el, text) {
  if (el.textContent !== text) el.textContent = text;
}
export function unhide(el, wanted) {
  flag(el, "hidden", !wanted);
}
/** Show a text, if there is one. */
export function tell(el, text) {
  say(el, text || "");
  unhide(el, text);
}
/** What there is of some texts, in one. */
export const phrase = (parts, gap = " ") => parts.filter(Boolean).join(gap);
/** Whether the focus is in an element. */
export const hasFocus = (el) => el.contains(document.activeElement);
/** Give the focus to an element, without scrolling to it. */
export const focusOn = (el) => el.focus({ preventScroll: true });
/** Hear events of an element, whose names are separated by blanks. */
export function on(el, names, work, how) {
  for (const name of names.split(" ")) el.addEventListener(name, work, how);
}
/** Take an event for one’s own: neither the browser nor JupyterLab does anything with it. */
export function claim(event) {
  event.preventDefault();
  event.stopPropagation();
}
/** Put children into an element: what stays is not touched, so that it keeps the focus, and a press. */
export function fill(el, ...children) {
  const wanted = shownOf(children);
  for (const one of [...el.childNodes]) if (!wanted.includes(one)) one.remove();
  wanted.forEach((one, at) => {
    if (el.childNodes[at] !== one) el.insertBefore(one.nodeType ? one : new Text(one), el.childNodes[at] ?? null);
  });
}
/** Fill an element with what is made of a value, as often as that is another; tell whether it was. */
export function renew(el, value, make) {
  if (el.known === value) return false;
  el.known = value;
  fill(el, make(value));
  return true;
}
/** What is folded under a title. */
export const fold = (name, title, ...children) => h(`details.nnb-${name}`, h("summary", title), ...children);
let fieldCount = 0;
/** A field under its label; `around` is what stands in its place. */
export function labelled(label, input, around = input) {
  input.id ||= `nnb-field-${++fieldCount}`;
  return h("div.nnb-field", h("label", { for: input.id }, label), around);
}
/** A box to tick. */
export const tickBox = () => h("input", { type: "checkbox", id: `nnb-field-${++fieldCount}` });
/** A box before its label. */
export const ticked = (label, box) => h("div.nnb-tick", box, h("label", { for: box.id }, label));
export const option = (value, text = value) => h("option", { value }, text);
/** Offer values with their texts in a list; what is chosen stays so, if it is still there. */
export function offer(list, pairs) {
  const before = list.value, anew = renew(list, JSON.stringify(pairs), () => pairs.map((pair) => option(...pair)));
  if (anew && pairs.some(([one]) => one === before)) list.value = before;
}
/** Do something when Enter is pressed in a line. */
export function entered(input, work) {
  on(input, "keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || event.isComposing) return;
    event.preventDefault();
    work();
  });
}
/** Where an element is now, which has the page laid out. */
export const boxOf = (el) => el.getBoundingClientRect();
/** The first of some elements that can be seen. */
export const visible = (elements) => [...elements].find((one) => one.checkVisibility());
/** A player's name, and whether a machine plays. */
export const called = (name, seats) => (seats[name]?.machine ? `${name} (machine)` : name);
export const upper = (text) => text[0].toUpperCase() + text.slice(1);

/** A field in which rules are searched, also by words that mean the same: {find, finder()}. */
export function rulesSearch(placeholder, ask, draw) {
  const find = h("input", { type: "search", "aria-label": "Search the rules", placeholder });
  let alike = {};
  on(find, "input", draw);
  on(find, "focus", () => ask("alike", {}, (got) => {
    alike = got.alike ?? {};
    draw();
  }));
  return {
    find,
    /** Whether a rule is found, and the text that goes with it; endings of everyday English count for nothing. */
    finder() {
      const words = find.value.toLowerCase().split(/\s+/).map((word) => word.replace(/(\w{3})(?:ing|ed|es|s)$/, "$1"));
      return ({ number, title, wording }, more = "") => {
        const text = `${number} ${title} ${wording} ${more} ${alike[number] ?? ""}`.toLowerCase();
        return words.every((word) => text.includes(word));
      };
    },
  };
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
const TAGS = new Set(("article bdi blockquote caption code del details div h3 h4 h5 ins li ol p pre section span "
  + "strong summary table tbody td th thead tr ul").split(" "));
const ATTRIBUTES = new Set(["class", "colspan", "open", "scope", "value"]);
/** Grow the elements of a tree: ["p", {}, "text", ["ins", {}, "more"]]. */
export function grow(tree) {
  if (typeof tree === "string") return new Text(tree);
  const [tag, attributes, ...children] = tree, made = h(TAGS.has(tag) ? tag : "span");
  for (const [key, value] of Object.entries(attributes)) if (ATTRIBUTES.has(key)) made.setAttribute(key, value);
  made.append(...children.map(grow));
  return made;
}
/** Put an answer into an element: its tree, or why there is none. */
export const answerIn = (el) => (got) => fill(el, got.tree ? grow(got.tree) : got.why);

/** Return a view after a difference; what did not change stays the same object. */
export function patched(old, changes) {
  return changes.reduce((made, [path, ...value]) => put(made, path, value), old);
}
function put(old, [name, ...rest], value) {
  const made = { ...old };
  if (rest.length) made[name] = put(made[name] ?? {}, rest, value);
  else if (value.length) made[name] = value[0];
  else delete made[name];
  return made;
}

/** What this device keeps under a name, by key; where a browser keeps nothing, the page alone does. */
export function storeOf(name) {
  const place = `nomic_nb ${name}`, here = {};
  function read() {
    try {
      return { ...JSON.parse(localStorage.getItem(place) ?? "{}"), ...here };
    } catch {
      return { ...here };
    }
  }
  /** Tell whether it will be there after the page is loaded again. */
  function write(all) {
    try {
      if (Object.keys(all).length) localStorage.setItem(place, JSON.stringify(all));
      else localStorage.removeItem(place);
      return true;
    } catch {
      return false;
    }
  }
  return {
    of: (key) => read()[key],
    works() {
      const all = read();
      return write({ ...all, "": 0 }) && write(all);
    },
    keep(key, value) {
      here[key] = value;
      return write(read());
    },
    forget(key) {
      delete here[key];
      const { [key]: gone, ...others } = read();
      if (gone !== undefined) write(others);
    },
  };
}

/** Keep a view of the game, which has `table` and `mine` once it is there, and send what is done. */
export function connect(model, draw) {
  const device = Array.from(crypto.getRandomValues(new Uint32Array(2)), (one) => one.toString(36)).join("");
  const sending = new Map(), asked = new Map();
  const game = {
    table: null, mine: null, step: -1, message: "", news: "", bad: false, refusal: null, lost: "", answered: 0,
    sending, act, ask, note: (selected) => model.send({ selected }),
    /** Why a decision can’t be made now: the game is lost, or it is being answered. */
    busy: (sign) => game.lost || [...sending.values()].some((one) => one.sign === sign),
  };
  let count = 0;
  const post = (message) => model.send({ text: JSON.stringify(message) });
  const hear = (content) => {
    const got = JSON.parse(content.text), how = ["done", "refused", "answer"].find((one) => one in got);
    if (how) {
      const id = got[how], sent = sending.get(id), question = asked.get(id);
      sending.delete(id);
      asked.delete(id);
      if (question) return question.answered(got);
      const bad = how === "refused";
      if (!bad && !sent) return;
      Object.assign(game, { message: bad ? got.why : got.said, news: "", bad, refusal: bad ? got : null });
      if (!bad) game.answered++;
      (bad ? sent?.refused : sent.done)?.(got);
    } else if (got.view) {
      const { table, mine, step } = got.view;
      Object.assign(game, { table, mine, step, lost: "" });
      for (const one of sending.values()) post(one.message); // whose answers were lost: the same ids are done once
    } else if (got.diff) {
      const { from, step, table, mine } = got.diff;
      if (!game.table) return;
      if (from !== game.step) return post({ open: true });
      Object.assign(game, { table: patched(game.table, table), mine: patched(game.mine, mine), lost: "" });
      const fresh = game.fresh(game.step).map((one) => one.text);
      // What others did.
      if (fresh.length && !sending.size && game.mine.role !== "wall") game.news = fresh.slice(-3).join(" ");
      game.step = step;
    } else if (got.connected) return post({ open: true });
    else if (got.lost) game.lost = got.lost;
    else if (got.class) game.aside = got.class;
    else if (got.class_diff) game.aside = patched(game.aside, got.class_diff);
    if (game.table || game.lost) draw(game);
  };
  /** The decisions that ask for an action: [sign, decision]. */
  game.open = (action) => Object.entries(game.mine.decisions).filter(([, one]) => one.action === action);
  /** What has happened since an event. */
  game.fresh = (step) => Object.entries(game.table.news).filter(([seq]) => seq > step).map(([, one]) => one);
  /** Do something: what the decision `sign` asks for, or something that is always open; `about` what it is. */
  function act(what, details, { sign = "", key = null, player = null, done, refused, about = "action" } = {}) {
    if (sign && game.busy(sign)) return; // it is being answered
    const message = { id: `${device}-${++count}`, [about]: what, details };
    if (key !== null) message.key = key;
    if (player !== null) message.player = player;
    sending.set(message.id, { message, sign, done, refused });
    post(message);
    draw(game);
  }
  /** Ask something about the game; the answer to what was asked before as the same `one` comes too late. */
  function ask(about, details, answered, player = null, one = about) {
    if (game.lost) return; // nobody is there who could answer
    const id = `${device}-${++count}`;
    for (const [other, was] of asked) if (was.one === one) asked.delete(other);
    asked.set(id, { one, answered });
    post({ id, ask: about, details, ...(player !== null && { player }) });
  }
  model.on("msg:custom", hear);
  post({ open: true });
  return { game, lose: (lost) => hear({ text: JSON.stringify({ lost }) }), stop: () => model.off("msg:custom", hear) };
}

// Buttons of a panel: a press belongs to the button on which it began, and to what that stood for then.
// One that cannot be taken is told of by `lost`.
export class Presses {
  constructor(lost) {
    Object.assign(this, { lost, all: new Set(), due: 0 });
  }
  /** Make a button with its label: presses.button("Vote", work, "nnb-send"). */
  button(label, work, name = "plain", attributes = {}) {
    return this.add(h(`button${name && "."}${name}`, attributes, label), work);
  }
  /** `el.meant` says what a press stands for. */
  add(el, work) {
    this.all.add(new WeakRef(el)); // what is away for a moment is looked at again; what was replaced is forgotten
    Object.assign(el, { moved: performance.now(), other: -1e9, box: "", was: undefined });
    let down = 0, meant, from;
    on(el, "pointerdown", (event) => {
      const now = performance.now(), twice = now - down < DOUBLE, over = new AbortController();
      [down, meant, from] = [now, el.meant, event.target];
      hold(event);
      on(window, "pointerup pointercancel", ({ type }) => {
        over.abort();
        if (type === "pointerup" && !twice && !el.checkVisibility()) this.lost();
      }, over);
    });
    on(el, "keydown", (event) => {
      if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
    });
    on(el, "click", (event) => {
      const key = !event.detail; // what has the focus takes it, wherever it has moved
      if (key) [down, meant, from] = [performance.now(), el.meant, event.target];
      const same = meant === el.meant, unsettled = (at) => at <= down && down - at < SETTLE;
      // The second press of a double click.
      if (event.detail > 1 || (same && el.getAttribute("aria-disabled") === "true")) return;
      // In a list, the row with the focus is what a key presses, whatever else is listed now.
      if (!same || (key ? el.type && unsettled(el.other) : [el.other, el.moved].some(unsettled))) this.lost();
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
      const { x, y } = boxOf(el);
      // Scrolling moves the panel as a whole, and leaves what is docked where it is.
      const panel = !el.closest(".nnb-dock, .nnb-head, dialog") && el.closest(".nnb-live");
      const from = panel ? boxOf(panel) : { x: 0, y: 0 };
      const box = `${Math.round(x - from.x)},${Math.round(y - from.y)}`;
      if (el.box && box !== el.box) el.moved = performance.now();
      el.box = box;
    }
  }
}

/** What is asked for once somebody opens it: {el, draw}. */
export function asked(game, about, title, where, ...more) {
  let step = -1;
  const el = fold("asked", title, where, ...more), answered = answerIn(where);
  const look = () => {
    if (!el.open || !game.table || step === game.step) return;
    step = game.step;
    game.ask(about, {}, (got) => {
      if (about in got) say(where, got[about]);
      else answered(got);
      el.told?.(got);
    });
  };
  on(el, "toggle", look);
  return { el, draw: look };
}

/** Write what stands in the way of a text. */
export function lawError({ text, line, column, message, found, expected, example }) {
  const said = phrase([`Line ${line}, column ${column}: ${message.replace(/[^.?!]$/, "$&.")}`,
    found && `Found: ${found}.`,
    expected && `Expected ${expected}.`, example && `Such as: ${example}`]);
  return [h("p", said), text && h("pre", `${text}\n${" ".repeat(Math.max(0, column - 1))}^`)];
}
