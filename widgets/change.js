// A rule-change to be written, one step at a time: what to change, its wording and clauses, and what they do, told while they are written.
import { grow, h, hold, say, set, unhide } from "./core.js";
import { rowsOf, steps } from "./propose.js";

const KINDS = [["enact", "enact a new rule"], ["amend", "amend a rule"], ["repeal", "repeal a rule"], ["transmute", "transmute a rule"],
  ["ready", "use a ready-made rule"]];
/** Milliseconds after the last letter, before Python is asked what it comes to. */
const QUIET = 400;
/** Return a text with a capital and a full stop. */
const sentence = (text, first = text[0].toUpperCase()) => `${first}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;
let count = 0;
/** What is loaded besides: `completing` over a field, `together` with other changes. */
export const wider = {};

/** The field of a change: {el, value(), put(value), draw(game), watch(work), draft()}. */
export function changeField(_, tools) {
  const { presses } = tools, id = `nnb-change-${++count}`;
  const labelled = (name, input, about, around = input) => {
    input.id = `${id}-${name}`;
    return h("div.nnb-field", {}, h("label", { for: input.id }, about), around);
  };
  const choose = (all) => h("select", {}, ...all.map(([value, text]) => h("option", { value }, text)));
  /** A choice in the sentence that tells what is proposed. */
  const inline = (about, before, input, after) => {
    set(input, "aria-label", about);
    return h("span", {}, before, input, after);
  };
  const kind = choose(KINDS), beside = choose([["", "replacing its text"], ["add", "adding to its text"]]);
  const rule = choose([]), part = choose([]), tier = choose([]), universe = choose([]), also = h("input", { autocomplete: "off", placeholder: "e.g. 205, 206" });
  const title = h("input", { autocomplete: "off", placeholder: "e.g. No talking" });
  const wording = h("textarea.nnb-serif", { rows: 4, placeholder: "Whoever …" }), law = h("textarea.nnb-code", { rows: 3, spellcheck: "false", autocapitalize: "none", autocorrect: "off", placeholder: "e.g. set win.points to 50" });
  const places = h("div.nnb-places"), amends = h("p.nnb-quiet");
  const clauses = h("details.nnb-fold", {}, h("summary", {}, "Add clauses, so the game enforces it (optional)"),
    labelled("law", law, "Clauses", wider.completing?.(law, (given, answered) => game.ask("words", given, null, answered)) ?? law), h("p.nnb-quiet", {}, "One clause per line. Type a letter for suggestions."));
  const rows = {
    kind: inline("Kind of change", "I want to ", kind), rule: inline("Rule", ", namely ", rule), part: inline("Part", " – ", part), also: inline("Also repeal rules", ", with rules ", also),
    beside: inline("New text", ", ", beside), tier: inline("Tier", ", as ", tier), universe: inline("Applies to", ", for ", universe),
    title: labelled("title", title, "Title (optional)"), wording: labelled("wording", wording, "The rule, in your own words"),
  };
  const button = (label, does, look = "plain.nnb-link") => presses.add(h(`button.${look}`, {}, label), does);
  const back = button("‹ Back", () => go(way === "rule" ? "rules" : way !== "write" || kind.value === "enact" ? "choose" : kind.value === "ready" ? "ready" : looked ? "rule" : "choose")), heading = h("h2.nnb-step", { tabindex: -1 });
  const other = button("More options", () => {
    go("write");
    more.open = true;
    kind.focus();
  });
  const own = button("Back to my own words", () => {
    beginOwn();
    go("write");
  });
  const box = h("div", { role: "status" }), help = h("div.nnb-buttons"), plain = h("section.nnb-told", { "aria-label": "In plain English" }, box, help);
  const similar = rowsOf(presses, (name) => take(name)), near = h("section.nnb-near-by", { hidden: "" }, h("h3.nnb-label", {}, "Similar ready-made rules"), similar.el);
  const preview = h("div.nnb-preview", { role: "region", "aria-label": "Preview" }), review = h("div.nnb-foreseen");
  const bundle = wider.together?.({ kind, presses, single, blank: () => blank(), begin: (change) => { if (!writes()) stash(); begin(change); }, next: (step = way) => go(step), changed: () => changed(), kinds: () => game.picture.table.kinds });
  const more = h("details.nnb-fold.nnb-more", {}, h("summary", {}, "More options"), h("div.nnb-fields", {}, h("p.nnb-sentence", {}, rows.kind, rows.rule, rows.part, rows.also, rows.beside, rows.tier, rows.universe, "."), bundle?.more ?? ""));
  const write = h("div.nnb-writing", {}, h("div.nnb-fields", {}, places, bundle?.named ?? "", rows.wording, own), plain, h("div.nnb-fields", {}, amends, rows.title, clauses, ...(tools.dock ? [near] : []), more));
  const told = { ready: {}, changes: {}, known: false };
  const before = steps({ presses, told, go: (next) => {
    if (next === "write" && kind.value !== "enact") beginOwn();
    go(next);
  }, pick, take, ask: (about, details, answered, one) => game.ask(about, details, proposer(), answered, one ?? about) });
  const el = h("div.nnb-change", {}, h("div.nnb-change-head", {}, back, heading), bundle?.el ?? "", ...before.els, other, write);
  const below = h("div.nnb-below", {}, ...(tools.dock ? [] : [near]), preview, review);
  const texts = { title, wording, law }, lists = [kind, rule, part, tier, universe, beside], lines = [title, wording, law, also];
  const EMPTY = { title: "", wording: "", law: "" };
  let game = null, filled = EMPTY, listed = "", timer = 0, asked = "", wanted = null, where = "", wish = "", way = "choose", looked = "", work = () => {};
  let which = "", placed = "", given = [], made = EMPTY, meant = "", anew = false, values = {}, kept = {}, picked = false, shelved = "", gone = "";

  const proposer = () => (game.picture.mine.seat === null ? tools.player?.() ?? null : null);
  const chosen = () => game?.picture.table.law.rules[rule.value];
  const writes = () => !["repeal", "transmute", "rename"].includes(kind.value);
  const isNew = () => kind.value === "enact" || (kind.value === "ready" && !rule.value);
  const amending = () => kind.value === "amend" || (kind.value === "ready" && Boolean(rule.value));
  const standing = () => {
    const one = chosen();
    if (!one || !amending() || beside.value) return EMPTY;
    const [text, clause] = part.value ? one.parts[part.value] ?? ["", ""] : [one.wording, one.law];
    return { title: one.title, wording: text, law: clause };
  };
  const aims = () => !["enact", "rename"].includes(kind.value), parted = () => ["amend", "repeal"].includes(kind.value);
  /** Return what to choose again, if what was chosen is no longer there. */
  const lost = () => {
    if (!aims()) return "";
    const [what, named] = gone ? ["rule", `Rule ${gone}`] : ["part", part.value && parted() && !chosen()?.parts[part.value] ? `Amendment ${part.value}` : ""];
    return named && `${named} is no longer there. Choose the ${what} again.`;
  };
  /** The name under which words are kept: what is done with which rule. */
  const slot = (how = kind.value, number = gone || rule.value) => (how === "enact" ? how : `${how} ${how === "ready" ? which : number}`);
  const typed = () => ({ title: title.value, wording: wording.value, law: law.value });
  const blank = () => isNew() && !wording.value.trim() && !law.value.trim();
  const value = () => bundle?.whole(single(), blank()) ?? single();
  function single() {
    if (kind.value === "rename") return bundle.renaming();
    const one = chosen(), target = isNew() ? null : one?.number ?? (gone || null);
    const change = { kind: isNew() ? "enact" : amending() ? "amend" : kind.value };
    if (target !== null) change.target = target;
    if (part.value && parted()) change.part = Number(part.value);
    if (universe.value && !rows.universe.hidden) change.universe = universe.value;
    if (tier.value && !rows.tier.hidden) change.standing = tier.value;
    if (also.value.trim() && !rows.also.hidden) change.also = also.value.trim().split(/[\s,]+/);
    if (!writes()) return change;
    const old = standing();
    if (isNew()) return { ...change, ...typed() };
    if (beside.value) return { ...change, add: true, wording: wording.value, title: title.value, ...(law.value.trim() ? { law: law.value } : {}) };
    if (wording.value !== old.wording) change.wording = wording.value;
    if (law.value !== old.law) change.law = law.value;
    if (title.value !== old.title) change.title = title.value;
    return change;
  }

  /** Go to a step; the focus goes along, to where one begins. */
  function go(next) {
    way = next;
    changed();
    work();
    if (tools.device && el.checkVisibility()) scrollTo(0, 0);
    const first = way === "choose" ? before.first(way) : way === "write" && kind.value === "enact" ? wording : heading;
    (first ?? heading).focus({ preventScroll: Boolean(tools.device) });
  }
  /** Keep what somebody wrote, before other words come in its place; they are given back where they belong. */
  function stash() {
    const words = typed(), at = writes() ? slot() : "enact";
    if (Object.keys(words).some((name) => words[name] !== filled[name])) kept[at] = { ...words, filled, part: part.value, add: beside.value, values };
    else if (writes()) delete kept[at];
  }
  function beginOwn() {
    stash();
    begin({ ...kept.enact });
  }
  /** Choose a rule, and then what is done with it. */
  function pick(number, how) {
    if (!(number in game.picture.table.law.rules)) return changed();
    if (gone && kind.value === how) [gone, rule.value] = ["", number]; // chosen again; the words stay
    else if (how && !(kind.value === how && rule.value === number)) {
      stash();
      begin({ ...kept[slot(how, number)], kind: how, target: number });
    }
    looked = number;
    go(how ? "write" : "rule");
  }
  /** Go on with a ready-made rule, which brings its own wording; what was written can be had back. */
  function take(name) {
    stash();
    which = name;
    const was = kept[slot("ready")];
    begin({ ...was, kind: "ready" });
    [placed, anew, values, made, rule.value] = ["", true, was?.values ?? {}, EMPTY, ""];
    go("write");
  }

  function list() {
    const { law: book } = game.picture.table;
    const key = `${kind.value === "ready"} ${JSON.stringify(book.order)} ${Object.values(book.rules).map((one) => one.title).join()}`;
    if (listed === key) return;
    const old = wanted ?? (gone || rule.value), numbers = Object.keys(book.order).sort((a, b) => book.order[a] - book.order[b]);
    rule.replaceChildren(...(kind.value === "ready" ? [h("option", { value: "" }, "a new rule")] : []), ...book.tiers.map((tier) => h("optgroup", { label: tier }, ...numbers.filter((one) => book.rules[one].tier === tier)
      .map((one) => h("option", { value: one }, `${one} ${book.rules[one].title}${book.rules[one].void ? " (void)" : ""}`)))));
    gone = old && !(old in book.rules) ? old : "";
    if (old) rule.value = old; // none is chosen if it is gone
    if (gone && kind.value === "ready" && meant === gone) [placed, anew] = ["", true]; // Python knows whether the rule that it changes has another number
    [listed, wanted] = [key, null];
  }
  /** Have the ready-made rules listed, and what can be done with each rule, as often as the law is another. */
  function shelf() {
    const law = JSON.stringify(game.picture.table.law.order);
    if (shelved === law || game.lost) return;
    shelved = law;
    game.ask("ready", {}, proposer(), (got) => {
      Object.assign(told, { ready: got.ready ?? {}, changes: got.changes ?? {}, known: law });
      changed();
    });
  }
  /** Show the places of a ready-made rule that are filled in. */
  function fillIn() {
    const one = kind.value === "ready" ? told.ready[which] : null;
    if (!one || placed === which) {
      unhide(places, one);
      return;
    }
    placed = which;
    given = one.fields.map((field) => {
      const start = values[field.name] ?? field.default;
      const input = field.options ? h("select", {}, ...field.options.map((name) => h("option", { value: name }, name))) : h("input", { type: field.type === "number" ? "number" : "text", value: start, autocomplete: "off" });
      if (field.options) input.value = start;
      input.addEventListener("input", () => {
        make();
        work();
      });
      return { field, input, el: labelled(`place-${field.name}`, input, field.label) };
    });
    places.replaceChildren(...given.map((place) => place.el));
    unhide(places, given.length);
    meant = gone || rule.value;
    make();
  }
  /** Have the rule made as its places are filled in. */
  function make() {
    const name = which;
    values = Object.fromEntries(given.map(({ field, input }) => [field.name, field.type === "number" ? Math.trunc(Number(input.value)) : input.value]));
    game.ask("made", { name, given: values }, null, (got) => {
      if (name !== which) return;
      if ("why" in got) return tell("bad", "Check what you filled in", [got.why]);
      say(amends, got.target ? got.amends : "");
      made = { title: got.title, wording: got.wording, law: got.law };
      if ((anew || rule.value === meant) && (got.target || !gone)) [gone, rule.value] = ["", (meant = String(got.target ?? ""))];
      anew = false;
      changed();
      work();
    });
  }
  function show() {
    const { law: book, kinds, chess, tiers: [usual, ...others] } = game.picture.table, one = chosen(), parts = Object.entries(one?.parts ?? {});
    const options = [["", "the rule itself"], ...parts.map(([at, [text]]) => [at, `amendment ${at}: ${text.split(/\s+/).slice(0, 6).join(" ")}`])];
    const old = part.value;
    if (old && !(old in (one?.parts ?? {}))) options.push([old, `amendment ${old} (no longer there)`]);
    part.replaceChildren(...options.map(([at, text]) => h("option", { value: at }, text)));
    part.value = old;
    // A kind that nobody can ever propose, as the law stands, is not on the list.
    for (const option of kind.options) unhide(option, option.value === kind.value || (option.value === "ready" ? which : kinds.includes(option.value)));
    unhide(rows.rule, aims());
    bundle?.show(way);
    unhide(rows.part, (parts.length || old) && parted());
    unhide(rows.beside, amending() && !part.value);
    if (!amending() || part.value) beside.value = "";
    const whole = kind.value === "repeal" && !part.value, boards = chess?.boards ?? {}, named = Object.keys(boards).filter((name) => !boards[name].half);
    const fit = (list, names, first, value) => {
      if (list.options.length !== names.length + 1) list.replaceChildren(...["", ...names].map((name) => h("option", { value: name }, name || first)));
      if (names.includes(value)) list.value = value;
    };
    fit(universe, named, "all universes", where);
    fit(tier, others, usual, wish);
    where = wish = "";
    unhide(rows.universe, named.length && (isNew() || whole));
    unhide(rows.tier, others.length && isNew());
    unhide(rows.also, whole);
    for (const row of [rows.title, rows.wording, clauses]) unhide(row, writes());
    unhide(own, kept.enact && kind.value !== "enact");
    unhide(amends, kind.value === "ready" && amends.textContent);
    const number = one ? `rule ${one.number}` : "the rule", titles = {
      choose: "What else would you change?", rules: "Which rule?", ready: "Take a ready-made rule", rule: `${looked} ${book.rules[looked]?.title}`,
      write: { enact: "Write your rule", amend: `Change ${number}`, ready: isNew() ? "Your ready-made rule" : `Change ${number}`, repeal: `Repeal ${number}`, transmute: `Transmute ${number}`, rename: "Rename points or coins" }[kind.value] };
    say(heading, titles[way]);
    set(el, "data-way", way);
    unhide(back.parentNode, way !== "choose" || bundle?.begun());
    unhide(back, way !== "choose");
    unhide(other, way === "choose");
    unhide(write, way === "write");
    unhide(below, way === "write");
    before.draw({ law: book, kinds, way, rule: looked });
    tools.turned?.();
    presses.look();
  }
  /** Put in what stands, where nobody has typed anything else. */
  function fill() {
    const now = kind.value === "ready" ? { ...made, title: beside.value ? "" : made.title } : standing();
    for (const [name, input] of Object.entries(texts)) if (input.value === filled[name]) input.value = now[name];
    if (now.law && now.law !== filled.law) clauses.open = true;
    filled = now;
  }

  /** Say in the box what the rule does: it works, it cannot be read, or it may not do what is meant. */
  function tell(tone, head, said, ...buttons) {
    set(plain, "data-tone", tone);
    box.replaceChildren(h("h3.nnb-label", {}, head), ...said.map((one) => (typeof one === "string" ? h(tone === "bad" ? "p.nnb-error" : "p", {}, one) : one)));
    hold(help, buttons);
    unhide(help, buttons.length);
    presses.look();
  }
  /** Put an example in the place of a line that cannot be read. */
  function correct({ line, example }) {
    const all = law.value.split("\n"), from = all.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    clauses.open = true;
    law.focus();
    law.setSelectionRange(from, from + (all[line - 1] ?? "").length);
    if (!document.execCommand("insertText", false, example)) law.setRangeText(example, law.selectionStart, law.selectionEnd, "end"); // the first can be undone
    check();
  }
  function check() {
    const one = single();
    if (isNew() && !one.wording.trim()) one.wording = "…"; // so that the clauses are looked at by themselves
    const change = bundle?.whole(one, blank()) ?? one;
    const gap = lost(), empty = !change.parts && writes() && (blank() || !(one.wording ?? one.law ?? one.title));
    const said = JSON.stringify([change, game.picture.table.law.order, game.lost, way, gap]);
    if (said === asked) return; // it is being asked, or has been
    clearTimeout(timer);
    asked = said;
    if (way !== "write") return;
    if (empty || gap) {
      set(law, "aria-invalid", null);
      more.open ||= Boolean(gap);
      if (gap) tell("bad", "Choose again", [gap]);
      else tell("", "In plain English", [isNew() ? "Start writing. This box says what your rule does." : "Change the wording. This box says what that does."]);
      for (const region of [preview, review]) region.replaceChildren();
      unhide(near, false);
      return;
    }
    timer = setTimeout(() => game.ask("change", { change }, proposer(), (got) => {
      if (asked !== said) return;
      report(got, change, one);
      if (!got.law && !got.why) game.ask("review", { change }, proposer(), ({ review: foreseen, meter }) => {
        if (asked !== said || !foreseen) return;
        presses.look();
        review.replaceChildren(h("h3.nnb-label", {}, "If it is proposed"), h("ul.nnb-review", {}, ...foreseen.map((line) => h("li", {}, line))),
          ...(meter ? [h("img.nnb-meter", { src: meter.src, alt: meter.alt, width: meter.width })] : []));
      });
    }), QUIET);
  }
  /** Show what Python says of a change. */
  function report(got, change, one) {
    const { law: error, remedy, reason } = got, enforced = Boolean(law.value.trim()) && writes();
    set(law, "aria-invalid", error ? "true" : null);
    if (error) {
      clauses.open = true;
      const mark = error.text ? [h("pre", {}, `${error.text}\n${" ".repeat(Math.max(0, error.column - 1))}^`)] : [];
      tell("bad", `The game can’t read line ${error.line} yet`, [`Line ${error.line}, column ${error.column}: ${sentence(error.message, error.message[0])}${error.expected && error.expected.length < 40 ? ` Expected ${error.expected}.` : ""}`, ...mark],
        ...(error.example ? [button(`Use an example: ${error.example}`, () => correct(error), "plain")] : []));
    } else if (got.why) tell("bad", "You can’t propose this", [got.why]);
    else if (reason && (enforced || !writes())) tell("odd", "It can pass, but may not do what you want", [sentence(reason)], ...(remedy ? [button(remedy.text, () => {
      stash();
      begin({ title: title.value, wording: wording.value, ...remedy.change });
      go("write");
    }, "plain")] : []));
    else tell("", "In plain English", got.said?.length ? got.said : [change.parts || !writes() ? "See below what changes." : enforced ? "The game enforces your clauses." : "Players follow your words. The game doesn’t enforce them."]);
    const odd = got.odd ?? [];
    preview.replaceChildren(...(odd.length ? [h("div.nnb-odd", {}, h("h3.nnb-label", {}, "Check before you propose"), h("ul", {}, ...odd.map(([line, evidence]) => h("li", {}, sentence(line), evidence ? ` ${sentence(evidence)}` : ""))))] : []),
      ...(got.what && (!isNew() || change.parts) ? [h("h3.nnb-label", {}, "What changes"), ...got.what.map(grow)] : []));
    review.replaceChildren();
    const alike = kind.value === "enact" && !change.parts && one.wording !== "…" && !enforced ? (got.ready ?? []).filter(([name]) => name in told.ready) : [];
    unhide(near, alike.length);
    similar.show([["", alike.map(([name]) => ({ key: name, title: told.ready[name].title, text: told.ready[name].wording, use: "Use" }))]]);
  }
  const changed = () => {
    if (!game) return;
    if (way === "rule" && !(looked in game.picture.table.law.rules)) way = "rules";
    list();
    shelf();
    fillIn();
    fill();
    show();
    check();
  };
  rule.addEventListener("change", () => { [picked, part.value, gone] = [true, gone && part.value, ""]; });
  kind.addEventListener("change", () => { // what players made is what they mean most often; a founding rule is for them to pick
    const { order, rules } = game.picture.table.law;
    const newest = Object.keys(order).filter((one) => rules[one].made).sort((a, b) => order[a] - order[b]).at(-1);
    if (newest && !picked && !["enact", "ready", "rename"].includes(kind.value)) [rule.value, part.value, gone] = [newest, "", ""];
  });
  for (const one of lists) one.addEventListener("change", changed);
  for (const one of lines) one.addEventListener("input", check);

  /** Begin with a change that was written before. */
  function begin({ kind: how = "enact", target, part: place, add, universe: there, standing: as, also: others, filled: base = EMPTY, ...said }) {
    kind.value = how;
    [wanted, where, wish, beside.value, also.value, way] = [target === undefined ? null : String(target), there, as, add ? "add" : "", (others ?? []).join(" "), "write"];
    part.replaceChildren(h("option", { value: place ?? "" }));
    [filled, gone] = [base, ""];
    picked ||= target !== undefined;
    for (const [name, input] of Object.entries(texts)) input.value = said[name] ?? "";
    if (said.law) clauses.open = true;
    listed = "";
  }

  return {
    el, below, value, more, docks: true,
    watch(does) {
      const all = work;
      work = () => { all(); does(); };
      bundle?.watch(work);
      for (const one of lists) one.addEventListener("change", does);
      for (const one of lines) one.addEventListener("input", does);
    },
    draft: () => ({ way, looked, kind: kind.value, picked, ready: which, values, rule: gone || rule.value, part: part.value, universe: universe.value, standing: tier.value, also: also.value, beside: beside.value, ...typed(), own: kept, filled, together: bundle?.draft() }),
    put(was) {
      if (!was || typeof was !== "object") return;
      begin({ ...was, target: was.rule, add: was.beside, also: [was.also ?? ""] });
      [way, looked, which, values, kept, picked] = [was.way ?? "write", was.looked ?? "", was.ready ?? "", was.values ?? {}, was.own ?? {}, Boolean(was.picked)];
      bundle?.put(was.together);
    },
    begin(change) {
      stash();
      looked = "";
      begin({ ...kept[slot(change.kind, change.target)], ...change });
      if (game) go("write");
    },
    /** Whether there is something to propose, what its button says, and what is missing. */
    sends: () => way === "write" || Boolean(way === "choose" && bundle?.begun()),
    caption: () => (bundle?.begun() ? "Propose these changes" : isNew() ? "Propose this rule" : "Propose this change"),
    missing: () => lost() || (blank() && !bundle?.begun() ? "Write your rule first." : ""),
    first: () => (way === "write" ? (writes() ? wording : more.querySelector("summary")) : before.first(way)),
    sent: () => {
      [kept, which, placed, picked] = [{}, "", "", false];
      bundle?.put();
      begin({});
      [way, looked] = ["choose", ""];
      changed();
    },
    draw(now) {
      game = now;
      changed();
    },
  };
}
