// The ways to a proposal: what is to be changed, which rule, which ready-made rule. The rule itself is written in change.js.
import { h, hold, say, searchWords, set, svg, unhide } from "./core.js";

const ICONS = {
  write: "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4", rules: "M4 8h15l-4-4M20 16H5l4 4", ready: "M4 4h5v16H4zM9 4h5v16H9zM15 5l4-1 3 15-4 1z",
  amend: "M4 20l1-5L16 4l4 4L9 19z", repeal: "M5 5l14 14M19 5L5 19", transmute: "M4 8h15l-4-4M20 16H5l4 4",
};
const icon = (name) => svg("svg", { viewBox: "0 0 24 24", class: "nnb-icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

let choiceCount = 0;
/** A large choice, the whole row of which is the button. */
export function choice(presses, name, title, about, does) {
  const id = `nnb-choice-${++choiceCount}`, told = h("span", { id }, about);
  const el = presses.add(h("button.nnb-choice", { "aria-label": title, "aria-describedby": id, "data-name": name }, icon(name), h("b", {}, title), told), () => does(name));
  return Object.assign(el, { told });
}

/** Rows to choose from: {key, title, text, mark, use}; a press on one takes it. */
export function rowsOf(presses, take) {
  const el = h("div.nnb-list");
  presses.add(el, (_, from) => {
    const name = from.closest("[data-name]")?.dataset.name;
    if (name !== undefined) take(name);
  });
  return {
    el,
    /** Each part has a heading, which may be empty, and its rows. */
    show(parts) {
      const shown = JSON.stringify(parts), at = el.contains(document.activeElement) ? document.activeElement.dataset.name : null;
      if (el.meant === shown) return;
      el.meant = shown;
      presses.look();
      el.replaceChildren(...parts.flatMap(([heading, rows]) => [heading && rows.length ? h("h3.nnb-label", {}, heading) : "", h("ul", {}, ...rows.map((one) => h("li", {},
        h("button.nnb-item", { "data-name": one.key }, h("b", {}, one.mark ? h("span.nnb-number", {}, one.mark) : "", one.title), h("span.nnb-two", {}, one.text), one.use ? h("i", {}, one.use) : ""))))]));
      if (at !== null) [...el.querySelectorAll("[data-name]")].find((one) => one.dataset.name === at)?.focus(); // a late answer takes nobody's place away
    },
  };
}

/** A list with a search: {el, find, draw(parts, said)}. `chosen` gives the subject that is pressed. */
export function searched(presses, label, placeholder, search, take) {
  const find = h("input", { type: "search", "aria-label": label, placeholder, autocomplete: "off" });
  const chips = h("div.nnb-chips", { role: "group", "aria-label": "Subjects" }), count = h("p.nnb-quiet", { role: "status" }), rows = rowsOf(presses, take);
  let subject = "", named = "";
  presses.add(chips, (_, from) => {
    const chip = from.closest("button");
    if (chip) subject = chip.dataset.name;
    search();
  });
  find.addEventListener("input", () => search());
  return {
    el: h("div.nnb-shelf", {}, find, chips, count, rows.el), find,
    subject: () => subject,
    draw(parts, said, subjects = []) {
      if (named !== subjects.join()) {
        named = subjects.join();
        chips.replaceChildren(...["", ...subjects].map((one) => h("button.nnb-tab", { "data-name": one }, one ? one[0].toUpperCase() + one.slice(1) : "All")));
      }
      for (const chip of chips.children) set(chip, "aria-pressed", String(chip.dataset.name === subject));
      unhide(chips, subjects.length);
      say(count, said);
      rows.show(parts);
    },
  };
}

/** The rules that can be changed, by everyday words: those of players first, then by tier; what can only be transmuted stands last. */
export function changeable({ order, rules, tiers }, changes, alike, text) {
  const words = searchWords(text);
  const found = Object.keys(order).map((number) => rules[number]).filter((one) => changes[one.number]?.length
    && words.every((word) => `${one.number} ${one.title} ${one.wording} ${alike[one.number] ?? ""}`.toLowerCase().includes(word)));
  const rank = (one) => (one.made ? -order[one.number] : order[one.number]);
  const only = (tier) => rules && Object.values(rules).filter((one) => one.tier === tier).every((one) => !changes[one.number]?.includes("amend"));
  return [...tiers].sort((a, b) => only(a) - only(b)).map((tier) => [`${tier[0].toUpperCase()}${tier.slice(1)} rules`,
    found.filter((one) => one.tier === tier).sort((a, b) => rank(a) - rank(b)).map((one) => ({ key: one.number, mark: String(one.number), title: one.title, text: one.wording }))]);
}

/** The steps before the writing: {el, draw(now)}. */
export function steps({ presses, go, pick, take, ask, told }) {
  const choices = [["write", "Write a rule", "In your own words. No code."], ["rules", "Change a rule", "Reword one or repeal it."], ["ready", "Take a ready-made rule", ""]]
    .map(([name, title, about]) => choice(presses, name, title, about, () => go(name, true)));
  const rulesList = searched(presses, "Search the rules", "Number or word, e.g. points", () => drawRules(), (number) => pick(number));
  const readyList = searched(presses, "Search ready-made rules", "e.g. secret votes", () => look(), (name) => take(name));
  const wording = h("div.nnb-wording.nnb-quoted"), kinds = h("div.nnb-choices");
  const parts = { choose: h("div.nnb-choices", {}, ...choices), rules: rulesList.el, ready: readyList.el, rule: h("div.nnb-shelf", {}, wording, kinds) };
  let now = null, alike = null, found = null, timer = 0, sought = "", shown = "";

  function drawRules() {
    const listed = changeable(now.law, told.changes, alike ?? {}, rulesList.find.value);
    const many = listed.reduce((sum, [, rows]) => sum + rows.length, 0);
    rulesList.draw(listed, many ? "" : "Nothing found. Try another word.");
  }
  /** Find ready-made rules by everyday words; Python knows which words mean the same. */
  function look() {
    const words = readyList.find.value.trim();
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
    const subject = readyList.subject(), names = Object.keys(told.ready), subjects = [...new Set(names.map((name) => told.ready[name].subject))];
    const rows = (found ?? names).filter((name) => name in told.ready && (!subject || told.ready[name].subject === subject));
    const said = rows.length ? `${rows.length} ${rows.length === 1 ? "rule" : "rules"}` : "Nothing found. Try another word, or write the rule yourself.";
    readyList.draw([["", rows.map((name) => ({ key: name, title: told.ready[name].title, text: told.ready[name].wording, use: "Use" }))]], said, subjects);
  }
  rulesList.find.addEventListener("focus", () => alike ?? ask("alike", {}, (got) => {
    alike = got.alike ?? {};
    drawRules();
  }));
  return {
    els: Object.values(parts),
    /** Show a step, with the rule that is chosen in it. */
    draw({ law, kinds: open, way, rule }) {
      now = { law };
      const count = Object.keys(told.ready).length;
      say(choices[2].told, count ? `${count} rules the game can run.` : "Rules the game can run.");
      unhide(choices[0], open.includes("enact"));
      unhide(choices[1], open.some((one) => ["amend", "repeal", "transmute"].includes(one)));
      unhide(choices[2], open.includes("enact") && (count || !told.known));
      for (const [name, el] of Object.entries(parts)) unhide(el, name === way);
      const key = JSON.stringify([way, rule, told.known, open, Object.values(law.rules).map((one) => one.title + one.wording + one.tier)]);
      if (key === shown) return;
      shown = key;
      if (way === "rules") drawRules();
      if (way === "ready") drawReady();
      const one = law.rules[rule];
      if (way !== "rule" || !one) return;
      const other = law.tiers.find((tier) => tier !== one.tier && ["mutable", "immutable"].includes(tier)), texts = {
        amend: ["Reword it", "Write new wording or clauses."], repeal: ["Repeal it", "The rule no longer applies."],
        transmute: one.tier.endsWith("mutable") && other ? [`Make it ${other}`, other === "mutable" ? "Later it can be reworded or repealed." : "It can’t be reworded or repealed while it is immutable."] : ["Transmute it", "Move it to another tier."] };
      wording.replaceChildren(...one.wording.split("\n").map((line) => h("p", {}, line)));
      hold(kinds, (told.changes[rule] ?? []).filter((kind) => open.includes(kind)).map((kind) => choice(presses, kind, ...texts[kind], () => pick(rule, kind))));
    },
    first: (way) => ({ rules: rulesList.find, ready: readyList.find })[way] ?? [...parts[way].querySelectorAll("button")].find((one) => one.checkVisibility()),
  };
}
