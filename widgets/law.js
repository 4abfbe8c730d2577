// The law book: rules by tier, with a search; what stands under a rule, and why a term is what it is, are asked for.
import { answerIn, entered, fill, fold, h, keeper, on, option, rulesSearch, unhide } from "./core.js";
import { more } from "./panel.js";

/** The panel: {el, draw}. */
more.law = ({ game, presses, change: propose, writes }) => {
  const list = h("div.nnb-rules"), none = h("p.nnb-quiet", { hidden: "" }, "Nothing found.");
  const { find, finder } = rulesSearch("Search by number or word", game.ask, show);
  const terms = h("datalist", { id: `nnb-terms-${Math.random().toString(36).slice(2)}` });
  const term = h("input", { list: terms.id, "aria-label": "Setting", placeholder: "e.g. win.points" });
  const answer = h("div.nnb-answer", { role: "status" }), why = presses.button("Why?", ask);
  const el = fold("card.nnb-law", "Rules", find, list, none, h("p.nnb-label", "Look up a setting"), h("div.nnb-typed", term, terms, why), answer);
  const made = new Map(), tierTitle = keeper();
  let seen = null;

  /** Ask what stands under a rule, once somebody opens it. */
  function load(entry) {
    if (!entry.el.open || entry.filled) return;
    entry.filled = true;
    game.ask("rule", { rule: entry.rule.number }, answerIn(entry.body), null, entry);
  }
  function entryOf(rule) {
    const { number, title, kept } = rule, known = made.get(number);
    if (known?.rule === rule) return known;
    const body = h("div"), change = presses.button("Propose a change", () => propose(rule));
    const marks = rule.void ? h("span.nnb-chip", { "data-tone": "no" }, "void")
      : kept.map((one) => h("span.nnb-chip", one));
    const inner = h("details", { open: known?.el.open ? "" : null },
      h("summary", h("strong", `${number} `), h("span", title), marks), body, change);
    const entry = { rule, el: inner, body, change, filled: false };
    on(inner, "toggle", () => load(entry));
    made.set(number, entry);
    load(entry);
    return entry;
  }
  function show() {
    if (!seen) return;
    const { order, rules, tiers } = seen, isFound = finder(),
      all = Object.keys(order).sort((a, b) => order[a] - order[b]);
    const told = (rule) => isFound(rule, `${rule.law} ${rule.void || rule.kept}`);
    const found = all.map((number) => rules[number]).filter(told);
    fill(list, tiers.map((tier) => {
      const inside = found.filter((rule) => rule.tier === tier);
      return inside.length && [tierTitle(tier, () => h("h3", tier)), inside.map((rule) => entryOf(rule).el)];
    }));
    unhide(none, !found.length);
  }
  function ask() {
    if (term.value.trim()) game.ask("why", { term: term.value.trim() }, answerIn(answer));
  }
  on(term, "focus", () => {
    if (!terms.firstChild) game.ask("terms", {}, (got) => fill(terms, got.terms.map((one) => option(one))));
  });
  entered(term, ask);
  return {
    el,
    draw() {
      const { law } = game.table;
      if (seen !== law) {
        seen = law;
        for (const number of made.keys()) if (!(number in seen.rules)) made.delete(number);
        show();
      }
      for (const { change } of made.values()) unhide(change, writes());
    },
  };
};
