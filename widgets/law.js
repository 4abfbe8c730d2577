// The law book: rules by tier, with a search; what stands under a rule, and why a term is what it is, are asked for.
import { grow, h, hold, searchWords, unhide } from "./core.js";
import { more } from "./panel.js";

/** The panel: {el, draw}. */
function lawPanel(tools) {
  const find = h("input", { type: "search", "aria-label": "Search the rules", placeholder: "Search by number or word" });
  const list = h("div.nnb-rules"), none = h("p.nnb-quiet", { hidden: "" }, "Nothing found.");
  const terms = h("datalist", { id: `nnb-terms-${Math.random().toString(36).slice(2)}` });
  const term = h("input", { autocomplete: "off", list: terms.id, "aria-label": "Setting", placeholder: "e.g. win.points" });
  const why = tools.presses.add(h("button.plain", {}, "Why?"), () => ask());
  const answer = h("div.nnb-answer", { role: "status" });
  const el = h("details.nnb-card.nnb-law", {}, h("summary", {}, "Rules"), find, list, none, h("p.nnb-label", {}, "Look up a setting"), h("div.nnb-typed", {}, term, terms, why), answer);
  const made = new Map();
  let seen = null, alike = {}, game;

  /** Ask what stands under a rule, once somebody opens it. */
  function fill(entry) {
    if (!entry.el.open || entry.filled) return;
    entry.filled = true;
    game.ask("rule", { rule: entry.rule.number }, null, (got) => entry.body.replaceChildren(got.tree ? grow(got.tree) : got.why), entry);
  }
  function one(rule) {
    const known = made.get(String(rule.number));
    if (known?.rule === rule) return known;
    const body = h("div"), change = tools.presses.add(h("button.plain", {}, "Propose to change this"), () => tools.change(rule));
    const inner = h("details", { open: known?.el.open ? "" : null },
      h("summary", {}, h("strong", {}, `${rule.number} `), h("span", {}, rule.title), h("span.nnb-chip", { "data-tone": rule.void ? "no" : null }, rule.void ? "void" : rule.kept.join(" "))), body, change);
    const entry = { rule, el: inner, body, change, filled: false, text: `${rule.number} ${rule.title} ${rule.wording} ${rule.law} ${rule.void || rule.kept}`.toLowerCase() };
    inner.addEventListener("toggle", () => fill(entry));
    made.set(String(rule.number), entry);
    fill(entry);
    return entry;
  }
  function show() {
    const words = searchWords(find.value);
    const found = Object.keys(seen.order).sort((a, b) => seen.order[a] - seen.order[b]).map((number) => one(seen.rules[number]))
      .filter((entry) => words.every((word) => `${entry.text} ${alike[entry.rule.number] ?? ""}`.includes(word)));
    hold(list, seen.tiers.flatMap((tier) => {
      const inside = found.filter((entry) => entry.rule.tier === tier);
      if (!inside.length) return [];
      if (!made.has(`tier ${tier}`)) made.set(`tier ${tier}`, { el: h("h3", {}, tier) });
      return [made.get(`tier ${tier}`).el, ...inside.map((entry) => entry.el)];
    }));
    unhide(none, !found.length);
  }
  function ask() {
    if (term.value.trim()) game.ask("why", { term: term.value.trim() }, null, (got) => answer.replaceChildren(got.tree ? grow(got.tree) : got.why));
  }
  find.addEventListener("input", show);
  find.addEventListener("focus", () => game.ask("alike", {}, null, (got) => { // rules are found by everyday words as well
    alike = got.alike ?? {};
    if (find.value) show();
  }));
  term.addEventListener("focus", () => terms.childNodes.length || game.ask("terms", {}, null, (got) => terms.replaceChildren(...got.terms.map((value) => h("option", { value })))));
  term.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat) ask();
  });
  return {
    el,
    draw(now) {
      game = now;
      const { law } = game.picture.table;
      if (seen !== law) {
        seen = law;
        for (const number of made.keys()) if (!number.startsWith("tier ") && !(number in seen.rules)) made.delete(number);
        show();
      }
      for (const { change } of made.values()) if (change) unhide(change, tools.writes());
    },
  };
}
more.law = lawPanel;
