// The ways to a proposal: what is to be changed, which rule, which ready-made rule. change.js has the rule itself.
import { fill, group, h, hasFocus, on, renew, rulesSearch, say, set, svg, unhide, upper, visible } from "./core.js";

const ICONS = {
  write: "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4", rules: "M4 8h15l-4-4M20 16H5l4 4",
  ready: "M4 4h5v16H4zM9 4h5v16H9zM15 5l4-1 3 15-4 1z", amend: "M4 20l1-5L16 4l4 4L9 19z",
  repeal: "M5 5l14 14M19 5L5 19", transmute: "M4 8h15l-4-4M20 16H5l4 4",
};
let choiceCount = 0;
/** A large choice, the whole row of which is the button. */
function choice(presses, name, title, about, does) {
  const id = `nnb-choice-${++choiceCount}`, told = h("span", { id }, about);
  const icon = svg("svg", { viewBox: "0 0 24 24", class: "nnb-icon", "aria-hidden": "true" },
    svg("path", { d: ICONS[name] }));
  const el = presses.button([icon, h("b", title), told], does, "nnb-choice",
    { "aria-label": title, "aria-describedby": id, "data-name": name });
  return Object.assign(el, { told });
}

/** Rows to choose from: {key, title, wording, mark, use}; a press on one takes it. */
export function rowsOf(presses, take) {
  const el = h("div.nnb-list");
  presses.add(el, (_, from) => {
    const name = from.closest("[data-name]")?.dataset.name;
    if (name !== undefined) take(name);
  });
  const row = ({ key, title, wording, mark, use }) => h("li", h("button.nnb-item", { "data-name": key },
    h("b", mark && h("span.nnb-number", mark), title), h("span.nnb-two", wording), use && h("i", use)));
  return {
    el,
    /** Each part has a heading, which may be empty, and its rows. */
    show(parts) {
      const shown = JSON.stringify(parts), at = hasFocus(el) && document.activeElement.dataset.name;
      if (el.meant === shown) return;
      el.meant = shown;
      presses.look();
      fill(el, parts.map(([heading, rows]) => [rows.length && heading && h("h3.nnb-label", heading),
        h("ul", rows.map(row))]));
      // A late answer takes nobody’s place away.
      if (at) [...el.querySelectorAll("[data-name]")].find((one) => one.dataset.name === at)?.focus();
    },
  };
}
/** Ready-made rules as rows to take. */
export function readyRows(names, ready) {
  return names.map((key) => ({ key, title: ready[key].title, wording: ready[key].wording, use: "Use" }));
}

/** A list with a search field and subjects: {el, find, subject(), draw(parts, said, subjects)}. */
function searched(presses, find, search, take) {
  const chips = group("nnb-chips", "Subjects");
  const count = h("p.nnb-quiet", { role: "status" }), rows = rowsOf(presses, take);
  let subject = "";
  presses.add(chips, (_, from) => {
    subject = from.closest("button")?.dataset.name ?? subject;
    search();
  });
  return {
    el: h("div.nnb-shelf", find, chips, count, rows.el), find,
    subject: () => subject,
    draw(parts, said, subjects = []) {
      const chip = (name) => h("button.nnb-tab", { "data-name": name }, name ? upper(name) : "All");
      renew(chips, subjects.join(), () => ["", ...subjects].map(chip));
      for (const one of chips.children) set(one, "aria-pressed", one.dataset.name === subject);
      unhide(chips, subjects.length);
      say(count, said);
      rows.show(parts);
    },
  };
}

/** The rules that can be changed: those of players first, then by tier; what can only be transmuted stands last. */
function changeable({ order, rules, tiers }, changes, isFound) {
  const all = Object.values(rules), found = all.filter((one) => changes[one.number]?.length && isFound(one));
  const rank = ({ made, number }) => (made ? -order[number] : order[number]);
  const only = (tier) => all.every((one) => one.tier !== tier || !changes[one.number]?.includes("amend"));
  const rows = (tier) => found.filter((one) => one.tier === tier).sort((a, b) => rank(a) - rank(b));
  return [...tiers].sort((a, b) => only(a) - only(b)).map((tier) => [`${upper(tier)} rules`,
    rows(tier).map(({ number, title, wording }) => ({ key: number, mark: number, title, wording }))]);
}

/** The steps before the writing: {els, draw(now), first(way)}. */
export function steps({ presses, go, pick, take, ask, told }) {
  const choices = [
    ["write", "Write a rule", "In your own words. No code."], ["rules", "Change a rule", "Reword one or repeal it."],
    ["ready", "Take a ready-made rule"],
  ].map(([name, title, about]) => choice(presses, name, title, about, () => go(name)));
  const rulesFound = rulesSearch("Number or word, e.g. points", ask, () => drawRules());
  const rulesList = searched(presses, rulesFound.find, () => drawRules(), pick);
  const find = h("input", {
    type: "search", "aria-label": "Search ready-made rules", placeholder: "e.g. secret votes",
  });
  const readyList = searched(presses, find, look, take);
  const wording = h("div.nnb-wording.nnb-quoted"), kinds = h("div.nnb-choices");
  const parts = {
    choose: h("div.nnb-choices", choices), rules: rulesList.el, ready: readyList.el,
    rule: h("div.nnb-shelf", wording, kinds),
  };
  let book = null, found = null, timer = 0, sought = "", shown = "";

  function drawRules() {
    const listed = changeable(book, told.changes, rulesFound.finder());
    rulesList.draw(listed, listed.some(([, rows]) => rows.length) ? "" : "Nothing found. Try another word.");
  }
  /** Find ready-made rules by everyday words; Python knows which words mean the same. */
  function look() {
    const words = find.value.trim();
    if (words !== sought) {
      clearTimeout(timer);
      sought = words;
      if (words) timer = setTimeout(() => ask("ready", { words }, (got) => {
        if (words !== sought) return; // another search, or none, came after it
        found = got.found ?? [];
        drawReady();
      }, "found"), 250);
      else found = null;
    }
    if (!words || found) drawReady();
  }
  function drawReady() {
    const { ready } = told, subject = readyList.subject(), names = Object.keys(ready);
    const rows = (found ?? names).filter((name) => name in ready && (!subject || ready[name].subject === subject));
    const said = rows.length ? `${rows.length} ${rows.length === 1 ? "rule" : "rules"}`
      : "Nothing found. Try another word, or write the rule yourself.";
    readyList.draw([["", readyRows(rows, ready)]], said, [...new Set(names.map((name) => ready[name].subject))]);
  }
  on(find, "input", look);
  /** What can be done with a rule, as large choices. */
  function changesOf(number, { tier }, open) {
    const other = book.tiers.find((one) => one !== tier && ["mutable", "immutable"].includes(one));
    const texts = {
      amend: ["Reword it", "Write new wording or clauses."], repeal: ["Repeal it", "The rule no longer applies."],
      transmute: tier.endsWith("mutable") && other ? [`Make it ${other}`, other === "mutable"
        ? "Later it can be reworded or repealed." : "It can’t be reworded or repealed while it is immutable."]
        : ["Transmute it", "Move it to another tier."],
    };
    const able = (told.changes[number] ?? []).filter((kind) => open.includes(kind));
    return able.map((kind) => choice(presses, kind, ...texts[kind], () => pick(number, kind)));
  }
  return {
    els: Object.values(parts),
    /** Show a step, with the rule that is chosen in it. */
    draw({ law, kinds: open, way, rule }) {
      const count = Object.keys(told.ready).length;
      book = law;
      say(choices[2].told, count ? `${count} rules the game can run.` : "Rules the game can run.");
      unhide(choices[0], open.includes("enact"));
      unhide(choices[1], open.some((one) => ["amend", "repeal", "transmute"].includes(one)));
      unhide(choices[2], open.includes("enact") && (count || !told.known));
      for (const [name, el] of Object.entries(parts)) unhide(el, name === way);
      const texts = Object.values(law.rules).map((one) => one.title + one.wording + one.tier);
      const key = JSON.stringify([way, rule, told.known, open, texts]), one = law.rules[rule];
      if (key === shown) return;
      shown = key;
      if (way === "rules") drawRules();
      if (way === "ready") drawReady();
      if (way !== "rule" || !one) return;
      fill(wording, one.wording.split("\n").map((line) => h("p", line)));
      fill(kinds, changesOf(rule, one, open));
    },
    first: (way) => ({ rules: rulesFound.find, ready: find })[way] ?? visible(parts[way].querySelectorAll("button")),
  };
}
