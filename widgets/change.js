// A rule-change to be written: which rule, its wording and clauses, and what the change comes to while it is written.
import { grow, h, lawError, set, unhide } from "./core.js";

const KINDS = [["enact", "Enact a new rule"], ["amend", "Amend a rule"], ["repeal", "Repeal a rule"], ["transmute", "Transmute a rule"],
  ["ready", "Use a ready-made rule"]];
/** Milliseconds after the last letter, before Python is asked what it comes to. */
const QUIET = 400;
let count = 0;
/** What is loaded besides: `completing` over a field, `together` with other changes. */
export const wider = {};

/** The field of a change: {el, value(), put(value), draw(game), watch(work), draft()}. */
export function changeField(told, tools) {
  const id = `nnb-change-${++count}`;
  const labelled = (name, input, about, around = input) => {
    input.id = `${id}-${name}`;
    return h("div.nnb-field", {}, h("label", { for: input.id }, about ?? name[0].toUpperCase() + name.slice(1)), around);
  };
  const which = h("select", {}, h("option", { value: "" }, "looking for those that fit …")), places = h("div.nnb-fields"), amends = h("p.nnb-about");
  const kind = h("select", {}, ...KINDS.map(([value, text]) => h("option", { value }, text)));
  const rule = h("select"), part = h("select"), universe = h("select"), also = h("input", { type: "text", autocomplete: "off", placeholder: "numbers" }), beside = h("input", { type: "checkbox", id: `${id}-beside` });
  const title = h("input", { type: "text", autocomplete: "off" });
  const wording = h("textarea", { rows: 4 }), law = h("textarea", { rows: 3, spellcheck: "false", autocapitalize: "none", autocorrect: "off" });
  const rows = {
    kind: labelled("kind", kind), which: labelled("which", which, "Ready made"), places, amends, rule: labelled("rule", rule), part: labelled("part", part),
    also: labelled("also", also, "And rules"), universe: labelled("universe", universe, "Where"),
    beside: h("div.nnb-tick", {}, beside, h("label", { for: beside.id }, "beside what is there, not in its place")),
    title: labelled("title", title), wording: labelled("wording", wording),
    law: labelled("law", law, null, wider.completing?.(law, (given, answered) => game.ask("words", given, null, answered)) ?? law),
  };
  law.classList.add("nnb-code");
  law.placeholder = "clauses, one a line, that the game keeps to by itself; where it is empty, people apply the wording. A letter or two show what fits.";
  wording.placeholder = "what people read";
  const error = h("div.nnb-error", { role: "status" }), preview = h("div.nnb-preview", { "aria-label": "What it comes to", role: "region" });
  const el = h("div.nnb-change", {}, rows.kind, rows.which, places, amends, rows.rule, rows.part, rows.also, rows.universe, rows.beside, rows.title, rows.wording, rows.law);
  const below = h("div.nnb-below", {}, error, preview); // under the button, which shall not move
  const bundle = wider.together?.({ kind, presses: tools.presses, single, begin, changed: () => changed(), kinds: () => game.picture.table.kinds });
  el.append(bundle?.el ?? "");
  const texts = { title, wording, law }, lists = [kind, which, rule, part, universe, beside], lines = [title, wording, law, also];
  const EMPTY = { title: "", wording: "", law: "" };
  let game = null, filled = EMPTY, listed = "", timer = 0, asked = "", wanted = null, where = "";
  let ready = null, made = EMPTY, given = [], placed = "", chosenReady = null, meant = "", picked = false;

  const chosen = () => game?.picture.table.law.rules[rule.value];
  const writes = () => !["repeal", "transmute", "rename"].includes(kind.value);
  const isNew = () => kind.value === "enact" || (kind.value === "ready" && !rule.value);
  const amending = () => kind.value === "amend" || (kind.value === "ready" && Boolean(rule.value));
  const standing = () => {
    const one = chosen();
    if (!one || !amending() || beside.checked) return EMPTY;
    const [text, clauses] = part.value ? one.parts[part.value] ?? ["", ""] : [one.wording, one.law];
    return { title: one.title, wording: text, law: clauses };
  };

  const blank = () => isNew() && !wording.value.trim() && !law.value.trim();
  const value = () => bundle?.whole(single(), blank()) ?? single();
  function single() {
    if (kind.value === "rename") return bundle.renaming();
    const one = chosen(), target = isNew() ? null : one?.number ?? null;
    const change = { kind: isNew() ? "enact" : amending() ? "amend" : kind.value };
    if (target !== null) change.target = target;
    if (part.value && ["amend", "repeal"].includes(kind.value)) change.part = Number(part.value);
    if (universe.value && !rows.universe.hidden) change.universe = universe.value;
    if (also.value.trim() && !rows.also.hidden) change.also = also.value.trim().split(/[\s,]+/);
    if (!writes()) return change;
    const old = standing();
    if (isNew()) return { ...change, wording: wording.value, law: law.value, title: title.value };
    if (beside.checked) return { ...change, add: true, wording: wording.value, title: title.value, ...(law.value.trim() ? { law: law.value } : {}) };
    if (wording.value !== old.wording) change.wording = wording.value;
    if (law.value !== old.law) change.law = law.value;
    if (title.value !== old.title) change.title = title.value;
    return change;
  }

  function list() {
    const { law: book } = game.picture.table;
    const key = `${kind.value === "ready"} ${JSON.stringify(book.order)} ${Object.values(book.rules).map((one) => one.title).join()}`;
    if (listed === key) return;
    const anew = kind.value === "ready" && !listed.startsWith("true"); // a ready-made rule is a new one, unless somebody says otherwise
    const before = wanted ?? (anew ? "" : rule.value);
    const numbers = Object.keys(book.order).sort((a, b) => book.order[a] - book.order[b]);
    rule.replaceChildren(...(kind.value === "ready" ? [h("option", { value: "" }, "a new rule")] : []), ...book.tiers.map((tier) => h("optgroup", { label: tier }, ...numbers.filter((one) => book.rules[one].tier === tier)
      .map((one) => h("option", { value: one }, `${one} ${book.rules[one].title}${book.rules[one].void ? " (void)" : ""}`)))));
    if (before in book.rules) rule.value = before;
    [listed, wanted] = [key, null];
  }
  /** Have the ready-made rules listed by subject, once somebody wants one. */
  function shelf() {
    if (kind.value !== "ready") return;
    if (ready === null) {
      ready = {};
      game.ask("ready", {}, null, (got) => {
        ready = got.ready ?? {};
        const subjects = [...new Set(Object.values(ready).map((one) => one.subject))];
        which.replaceChildren(h("option", { value: "" }, subjects.length ? "choose a ready-made rule …" : "none fits this game"), ...subjects.map((subject) => h("optgroup", { label: subject },
          ...Object.entries(ready).filter(([, one]) => one.subject === subject).map(([name, one]) => h("option", { value: name }, one.title)))));
        which.value = chosenReady in ready ? chosenReady : "";
        changed();
      });
    }
    const one = ready[which.value];
    if (placed === which.value) return;
    if (!one) {
      [placed, given, made] = ["", [], EMPTY];
      places.replaceChildren();
      amends.textContent = "";
      return;
    }
    placed = which.value;
    given = one.fields.map((told) => {
      const input = h("input", { type: told.type === "number" ? "number" : "text", value: told.default, autocomplete: "off" });
      input.addEventListener("input", () => make());
      return { told, input, el: labelled(`place-${told.name}`, input, told.label) };
    });
    places.replaceChildren(...given.map((place) => place.el));
    meant = chosenReady === which.value ? rule.value : "";
    chosenReady = null;
    make(meant === "");
  }
  /** Go on with a ready-made rule; what was typed stays. */
  function take(name) {
    [kind.value, chosenReady] = ["ready", name];
    if (ready && name in ready) which.value = name;
    changed();
    which.focus();
  }
  /** Have the rule made as its places are filled in. */
  function make(anew = false) {
    const name = which.value;
    const values = Object.fromEntries(given.map(({ told, input }) => [told.name, told.type === "number" ? Math.trunc(Number(input.value)) : input.value]));
    game.ask("made", { name, given: values }, null, (got) => {
      if (name !== which.value) return;
      if ("why" in got) error.replaceChildren(got.why);
      else {
        amends.textContent = got.amends;
        made = { title: got.title, wording: got.wording, law: got.law };
        if (anew || rule.value === meant) rule.value = meant = String(got.target ?? "");
        changed();
      }
    });
  }
  function show() {
    const parts = Object.entries(chosen()?.parts ?? {});
    const options = [["", "the rule itself"], ...parts.map(([at, [text]]) => [at, `amendment ${at}: ${text.split(/\s+/).slice(0, 6).join(" ")}`])];
    const before = part.value;
    part.replaceChildren(...options.map(([at, text]) => h("option", { value: at }, text)));
    if (options.some(([at]) => at === before)) part.value = before;
    for (const one of [rows.which, places, amends]) unhide(one, kind.value === "ready");
    unhide(rows.rule, !["enact", "rename"].includes(kind.value));
    bundle?.show();
    unhide(rows.part, parts.length && ["amend", "repeal"].includes(kind.value));
    unhide(rows.beside, amending() && !part.value);
    if (!amending() || part.value) beside.checked = false;
    const whole = kind.value === "repeal" && !part.value, boards = game.picture.table.chess?.boards ?? {}, named = Object.keys(boards).filter((one) => !boards[one].half);
    if (universe.options.length !== named.length + 1) universe.replaceChildren(...["", ...named].map((value) => h("option", { value }, value || "all universes")));
    if (named.includes(where)) universe.value = where;
    where = "";
    unhide(rows.universe, named.length && (isNew() || whole));
    unhide(rows.also, whole);
    for (const name of ["title", "wording", "law"]) unhide(rows[name], writes());
  }
  /** Put in what stands, where nobody has typed anything else. */
  function fill() {
    const now = kind.value === "ready" ? { ...made, title: beside.checked ? "" : made.title } : standing();
    for (const [name, input] of Object.entries(texts)) if (input.value === filled[name]) input.value = now[name];
    filled = now;
  }
  function check() {
    const one = single();
    if (isNew() && !one.wording.trim()) one.wording = "…"; // so that the clauses are looked at by themselves
    const change = bundle?.whole(one, blank()) ?? one;
    const empty = !change.parts && writes() && (blank() || !(one.wording ?? one.law ?? one.title));
    const said = JSON.stringify([change, game.picture.table.law.order, game.lost]);
    if (said === asked) return; // it is being asked, or has been
    clearTimeout(timer);
    asked = said;
    if (empty) {
      error.replaceChildren();
      preview.replaceChildren();
      return;
    }
    const player = () => (game.picture.mine.seat === null ? tools.player?.() ?? null : null);
    timer = setTimeout(() => game.ask("change", { change }, player(), (got) => {
      if (asked !== said) return;
      set(law, "aria-invalid", got.law ? "true" : null);
      if (got.law) error.replaceChildren(...lawError(got.law));
      else if (got.why) error.replaceChildren(got.why);
      else error.replaceChildren();
      preview.replaceChildren(...(got.said?.length ? [h("p.nnb-label", {}, "In plain English"), h("ul.nnb-said", {}, ...got.said.map((line) => h("li", {}, line)))] : []),
        ...(got.what ? [h("p.nnb-label", {}, "What it comes to"), ...got.what.map(grow)] : []),
        ...(got.odd?.length ? [h("p.nnb-label", {}, "Check before you vote"), h("ul", {}, ...got.odd.map(([line, evidence]) => h("li", {}, line, ...(evidence ? [h("p.nnb-soft", {}, evidence)] : []))))] : []));
      if (isNew() && !change.parts && one.wording !== "…" && got.what && !law.value.trim()) preview.append(h("p.nnb-label", {}, "From words to clauses"),
        h("p", {}, got.ready.length ? "Ready-made rules with clauses on such things:" : "No ready-made rule was found that speaks of it."), h("div.nnb-buttons", {}, ...got.ready.map(([name, text]) => tools.presses.add(h("button.plain", {}, text), () => take(name)))),
        h("p.nnb-about", {}, "How clauses are written: type a letter under Law to see what fits, or run nb.help(\"writing\") in a notebook."));
      if (!got.law && !got.why) game.ask("review", { change }, player(), ({ review, meter }) => {
        if (asked === said && review) preview.append(h("p.nnb-label", {}, "If it is proposed"), h("ul.nnb-review", {}, ...review.map((line) => h("li", {}, line))),
          ...(meter ? [h("img.nnb-meter", { src: meter.src, alt: meter.alt, width: meter.width })] : []));
      });
    }), QUIET);
  }
  const changed = () => {
    list();
    shelf();
    show();
    fill();
    check();
  };
  rule.addEventListener("change", () => { picked = true; });
  kind.addEventListener("change", () => { // what players made is what they mean most often; a founding rule is for them to pick
    const { order, rules } = game.picture.table.law;
    const newest = Object.keys(order).filter((one) => rules[one].made).sort((a, b) => order[a] - order[b]).at(-1);
    if (newest && !picked && !["enact", "ready", "rename"].includes(kind.value)) rule.value = newest;
  });
  for (const one of lists) one.addEventListener("change", changed);
  for (const one of lines) one.addEventListener("input", check);

  /** Begin with a change that was written before. */
  function begin({ kind: how, target, part: place, add, universe: there, also: others, ...said }, keeps) {
    kind.value = how;
    [wanted, where, beside.checked, also.value] = [target === undefined ? null : String(target), there, Boolean(add), (others ?? []).join(" ")];
    if (place) part.append(h("option", { value: place, selected: "" }, ""));
    if (!keeps) filled = EMPTY;
    picked ||= target !== undefined;
    for (const [name, input] of Object.entries(texts)) input.value = said[name] ?? (keeps ? input.value : ""); // what was typed is not lost
    listed = "";
  }

  return {
    el, below, value,
    watch(work) {
      bundle?.watch(work);
      for (const one of lists) one.addEventListener("change", work);
      for (const one of lines) one.addEventListener("input", work);
    },
    draft: () => ({ kind: kind.value, picked, ready: chosenReady ?? which.value, rule: rule.value, part: part.value, universe: universe.value, also: also.value, beside: beside.checked, title: title.value, wording: wording.value, law: law.value, together: bundle?.draft() }),
    put(kept) {
      if (!kept || typeof kept !== "object") return;
      kind.value = kept.kind ?? "enact";
      [wanted, where, chosenReady, beside.checked] = [kept.rule ?? null, kept.universe, kept.ready ?? null, Boolean(kept.beside)];
      also.value = kept.also ?? "";
      picked = Boolean(kept.picked);
      bundle?.put(kept.together);
      for (const [name, input] of Object.entries(texts)) input.value = kept[name] ?? "";
    },
    begin: (change) => begin(change, true),
    draw(now) {
      game = now;
      // A kind that nobody can ever propose, as the law stands, is not on the list.
      for (const one of kind.options)
        if (one.value !== "ready") unhide(one, one.value === kind.value || now.picture.table.kinds.includes(one.value));
      changed();
    },
  };
}
