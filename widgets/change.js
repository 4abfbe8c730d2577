// A rule-change to be written, one step at a time: what to change, its wording and clauses, and what they do.
import {
  aria, fill, fold, grow, h, labelled, lawError, offer, on, option, say, set, unhide, upper,
} from "./core.js";
import { completing } from "./complete.js";
import { readyRows, rowsOf, steps } from "./propose.js";
import { together } from "./together.js";

const KINDS = [["enact", "enact a new rule"], ["amend", "amend a rule"], ["repeal", "repeal a rule"],
  ["transmute", "transmute a rule"], ["ready", "use a ready-made rule"]];
/** A choice in the sentence that tells what is proposed. */
function inline(about, before, input) {
  set(input, "aria-label", about);
  return h("span", before, input);
}
/** Milliseconds after the last letter, before Python is asked what the change does. */
const QUIET = 400;
const EMPTY = { title: "", wording: "", law: "" };
/** Return a text with a capital and a full stop. */
const sentence = (text) => `${upper(text)}${/[.?!]$/.test(text) ? "" : "."}`;

/** The field of a change: {el, value(), put(value), draw(), watch(work), draft()}. */
export function changeField(tools) {
  const { game, presses } = tools;
  const line = (placeholder) => h("input", { placeholder });
  const kind = h("select", KINDS.map((pair) => option(...pair)));
  const rule = h("select"), part = h("select"), tier = h("select"), universe = h("select"), also = line("e.g. 205, 206");
  const beside = h("select", option("", "replacing its text"), option("add", "adding to its text")), title = line("e.g. No talking");
  const wording = h("textarea.nnb-serif", { rows: 4, placeholder: "Whoever …" });
  const law = h("textarea.nnb-code", {
    rows: 3, spellcheck: "false", autocapitalize: "none", autocorrect: "off", placeholder: "e.g. set win.points to 50",
  });
  const places = h("div.nnb-places"), amends = h("p.nnb-quiet");
  const suggested = completing(law, (now, answered) => game.ask("words", now, answered));
  const clauses = fold("fold", "Add clauses, so the game enforces it (optional)", labelled("Clauses", law, suggested),
    h("p.nnb-quiet", "One clause per line, or indented below a line that ends in a colon. Type a letter for suggestions."));
  const rows = {
    kind: inline("Kind of change", "I want to ", kind), rule: inline("Rule", ", namely ", rule),
    part: inline("Part", " – ", part), also: inline("Also repeal rules", ", with rules ", also),
    beside: inline("New text", ", ", beside), tier: inline("Tier", ", as ", tier),
    universe: inline("Applies to", ", for ", universe), title: labelled("Title (optional)", title),
    wording: labelled("The rule, in your own words", wording),
  };
  const back = presses.button("‹ Back", () => go(stepBefore()), "plain.nnb-link");
  const heading = h("h2.nnb-step", { tabindex: -1 });
  const other = presses.button("More options", () => {
    go("write");
    more.open = true;
    kind.focus();
  }, "plain.nnb-link");
  const own = presses.button("Back to my own words", () => {
    beginOwn();
    go("write");
  }, "plain.nnb-link");
  const box = h("div", { role: "status" }), help = h("div.nnb-buttons");
  const plain = h("section.nnb-told", aria("In plain English"), box, help);
  const similar = rowsOf(presses, take);
  const near = h("section.nnb-near-by", { hidden: "" }, h("h3.nnb-label", "Similar ready-made rules"), similar.el);
  const preview = h("div.nnb-preview", { role: "region", "aria-label": "Preview" }), review = h("div.nnb-foreseen");
  const bundle = together({
    kind, presses, single, blank, changed, next: (step = way) => go(step), kinds: () => game.table.kinds,
    begin(change) {
      if (!writes()) stash();
      begin(change);
    },
  });
  const { title: titleRow, wording: wordingRow, ...folded } = rows;
  const more = fold("fold.nnb-more", "More options", h("div.nnb-fields", h("p.nnb-sentence", Object.values(folded), "."), bundle.more));
  const write = h("div.nnb-writing", h("div.nnb-fields", places, bundle.named, wordingRow, own), plain,
    h("div.nnb-fields", amends, titleRow, clauses, tools.dock && near, more));
  const told = { ready: {}, changes: {}, known: false };
  const before = steps({
    presses, told, pick, take,
    go(next) {
      if (next === "write" && kind.value !== "enact") beginOwn();
      go(next);
    },
    ask: (about, details, answered, one) => game.ask(about, details, answered, proposer(), one),
  });
  const el = h("div.nnb-change", h("div.nnb-change-head", back, heading), bundle.el, before.els, other, write);
  const below = h("div.nnb-below", !tools.dock && near, preview, review);
  const texts = { title, wording, law };
  /** The step; the rule looked at; the ready-made rule; a rule that is gone; what was written elsewhere. */
  let way = "choose", looked = "", which = "", gone = "", kept = {}, filled = EMPTY, work = () => {};
  /** The places of a ready-made rule, what is in them, and what is made of them. */
  let given = [], values = {}, placed = "", made = EMPTY, meant = "", anew = false, forms = {};
  let listed = "", timer = 0, asked = "", wanted = null, where = "", wish = "", picked = false, shelved = "";

  const proposer = () => (game.mine.seat === null ? tools.player() : null);
  const chosen = () => game.table?.law.rules[rule.value];
  const is = (...kinds) => kinds.includes(kind.value);
  function writes() { return !is("repeal", "transmute", "rename"); }
  const isNew = () => is("enact") || (is("ready") && !rule.value);
  const amending = () => is("amend") || (is("ready") && Boolean(rule.value));
  const standing = () => {
    const one = chosen();
    if (!one || !amending() || beside.value) return EMPTY;
    const [text, clause] = part.value ? one.parts?.[part.value] ?? ["", ""] : [one.wording, one.law];
    return { title: one.title, wording: text, law: clause };
  };
  const parted = () => is("amend", "repeal");
  /** Return what to choose again, if what was chosen is no longer there. */
  const lost = () => {
    if (is("enact", "rename")) return "";
    const apart = part.value && parted() && !chosen()?.parts?.[part.value];
    const named = gone ? `Rule ${gone}` : apart && `Amendment ${part.value}`;
    return named ? `${named} is no longer there. Choose the ${gone ? "rule" : "part"} again.` : "";
  };
  /** The name under which words are kept: what is done with which rule. */
  const slot = (how = kind.value, number = gone || rule.value) =>
    (how === "enact" ? how : `${how} ${how === "ready" ? which : number}`);
  const typed = () => ({ title: title.value, wording: wording.value, law: law.value });
  function blank() { return isNew() && !wording.value.trim() && !law.value.trim(); }
  function single() {
    if (is("rename")) return bundle.renaming();
    const change = { kind: isNew() ? "enact" : amending() ? "amend" : kind.value };
    const target = isNew() ? null : chosen()?.number ?? (gone || null);
    if (target !== null) change.target = target;
    if (part.value && parted()) change.part = Number(part.value);
    if (universe.value && !rows.universe.hidden) change.universe = universe.value;
    if (tier.value && !rows.tier.hidden) change.standing = tier.value;
    if (also.value.trim() && !rows.also.hidden) change.also = also.value.trim().split(/[\s,]+/);
    if (!writes()) return change;
    const now = typed(), old = standing();
    if (isNew()) return { ...change, ...now };
    if (beside.value) {
      if (!now.law.trim()) delete now.law;
      return { ...change, ...now, add: true };
    }
    for (const name of ["wording", "law", "title"]) if (now[name] !== old[name]) change[name] = now[name];
    return change;
  }

  function stepBefore() {
    if (way === "rule") return "rules";
    if (way !== "write" || is("enact")) return "choose";
    return is("ready") ? "ready" : looked ? "rule" : "choose";
  }
  /** Go to a step; the focus goes along, to where one begins. */
  function go(next) {
    way = next;
    changed();
    work();
    if (tools.device && el.checkVisibility()) scrollTo(0, 0);
    const first = way === "choose" ? before.first(way) : way === "write" && is("enact") ? wording : heading;
    (first ?? heading).focus({ preventScroll: Boolean(tools.device) });
  }
  /** Keep what somebody wrote, before other words come in its place; they are given back where they belong. */
  function stash() {
    const words = typed(), at = writes() ? slot() : "enact";
    if (Object.keys(words).some((name) => words[name] !== filled[name])) {
      kept[at] = { ...words, filled, part: part.value, add: beside.value, values };
    } else if (writes()) delete kept[at];
  }
  function beginOwn() {
    stash();
    begin({ ...kept.enact });
  }
  /** Choose a rule, and then what is done with it. */
  function pick(number, how) {
    if (!(number in game.table.law.rules)) return changed();
    if (gone && kind.value === how) [gone, rule.value] = ["", number]; // chosen again; the words stay
    else if (how && !(kind.value === how && rule.value === number)) {
      stash();
      begin({ ...kept[slot(how, number)], kind: how, target: number });
    }
    looked = number;
    go(how ? "write" : "rule");
  }
  /** The form of a ready-made rule: of the library, or of those suggested last. */
  const formOf = (name) => told.ready[name] ?? forms[name];
  /** Go on with a ready-made rule, which brings its own wording; what was written can be had back. */
  function take(name) {
    stash();
    which = name;
    const was = kept[slot("ready")];
    begin({ ...was, kind: "ready" });
    [placed, anew, values, made, rule.value] = ["", true, was?.values ?? forms[name]?.filled ?? {}, EMPTY, ""];
    go("write");
  }

  function list() {
    const { order, rules, tiers } = game.table.law, ready = is("ready");
    const key = JSON.stringify([ready, order, Object.values(rules).map((one) => one.title)]);
    if (listed === key) return;
    const old = wanted ?? (gone || rule.value), numbers = Object.keys(order).sort((a, b) => order[a] - order[b]);
    const name = (one) => option(one, `${one} ${rules[one].title}${rules[one].void ? " (void)" : ""}`);
    fill(rule, ready && option("", "a new rule"), tiers.map((tier) =>
      h("optgroup", { label: tier }, numbers.filter((one) => rules[one].tier === tier).map(name))));
    gone = old && !(old in rules) ? old : "";
    if (old) rule.value = old; // none is chosen if it is gone
    // Python knows whether the rule that it changes has another number.
    if (gone && ready && meant === gone) [placed, anew] = ["", true];
    [listed, wanted] = [key, null];
  }
  /** Have the ready-made rules listed, and what can be done with each rule, as often as the law is another. */
  function shelf() {
    const known = JSON.stringify(game.table.law.order);
    if (shelved === known || game.lost) return;
    shelved = known;
    game.ask("ready", {}, ({ ready = {}, changes = {} }) => {
      Object.assign(told, { ready, changes, known });
      changed();
    }, proposer());
  }
  /** Show the places of a ready-made rule that are filled in. */
  function fillIn() {
    const one = is("ready") && formOf(which);
    if (!one || placed === which) return unhide(places, one);
    placed = which;
    given = one.fields.map((field) => {
      const { name, options, label } = field, type = field.type === "number" ? "number" : "text";
      const input = options ? h("select", options.map((value) => option(value))) : h("input", { type });
      input.value = values[name] ?? field.default ?? "";
      on(input, "input", () => {
        make();
        work();
      });
      return { name, type, input, el: labelled(label, input) };
    });
    fill(places, given.map((place) => place.el));
    unhide(places, given.length);
    meant = gone || rule.value;
    make();
  }
  /** Have the rule made as its places are filled in. */
  function make() {
    const name = which, read = ({ type, input }) => (type === "number" ? Math.trunc(Number(input.value)) : input.value);
    values = Object.fromEntries(given.map((place) => [place.name, read(place)]));
    game.ask("made", { name, given: values }, (got) => {
      if (name !== which) return;
      if ("why" in got) return inform("bad", "Check what you filled in", [got.why]);
      say(amends, got.target ? got.amends : "");
      made = { title: got.title, wording: got.wording, law: got.law };
      if ((anew || rule.value === meant) && (got.target || !gone)) {
        meant = String(got.target ?? "");
        [gone, rule.value] = ["", meant];
      }
      anew = false;
      changed();
      work();
    });
  }
  function show() {
    const { law: book, kinds, chess, tiers } = game.table, one = chosen(), old = part.value;
    const parts = Object.entries(one?.parts ?? {}), [usual = "", ...others] = tiers[game.mine.seat ?? tools.player()] ?? [];
    const begins = (text) => text.split(/\s+/).slice(0, 6).join(" ");
    const options = [["", "the rule itself"], ...parts.map(([at, [text]]) => [at, `amendment ${at}: ${begins(text)}`])];
    if (old && !(old in (one?.parts ?? {}))) options.push([old, `amendment ${old} (no longer there)`]);
    offer(part, options);
    // A kind that nobody can ever propose, as the law stands, is not on the list.
    const possible = (value) => value === kind.value || (value === "ready" ? which : kinds.includes(value));
    for (const each of kind.options) unhide(each, possible(each.value));
    unhide(rows.rule, !is("enact", "rename"));
    bundle.show(way);
    unhide(rows.part, (parts.length || old) && parted());
    unhide(rows.beside, amending() && !old);
    if (!amending() || old) beside.value = "";
    const whole = is("repeal") && !old, boards = chess?.boards ?? {};
    const named = Object.keys(boards).filter((name) => !boards[name].half);
    const among = (list, usually, names, value) => {
      offer(list, [["", usually], ...names.map((name) => [name])]);
      if (names.includes(value)) list.value = value;
    };
    among(universe, "all universes", named, where);
    among(tier, usual, others, wish);
    where = wish = "";
    unhide(rows.tier, others.length && isNew());
    unhide(rows.universe, named.length && (isNew() || whole));
    unhide(rows.also, whole);
    for (const row of [titleRow, wordingRow, clauses]) unhide(row, writes());
    unhide(own, kept.enact && !is("enact"));
    unhide(amends, is("ready") && amends.textContent);
    say(heading, headingNow(one ? `rule ${one.number}` : "the rule", book));
    set(el, "data-way", way);
    unhide(back.parentNode, way !== "choose" || bundle.begun());
    unhide(back, way !== "choose");
    unhide(other, way === "choose");
    for (const region of [write, below]) unhide(region, way === "write");
    before.draw({ law: book, kinds, way, rule: looked });
    tools.turned();
    presses.look();
  }
  function headingNow(number, { rules }) {
    if (way === "rule") return `${looked} ${rules[looked]?.title}`;
    if (way === "write") return {
      enact: "Write your rule", ready: isNew() ? "Your ready-made rule" : `Change ${number}`, amend: `Change ${number}`,
      rename: "Rename points or coins",
    }[kind.value] ?? `${upper(kind.value)} ${number}`;
    return { choose: "What else would you change?", rules: "Which rule?", ready: "Take a ready-made rule" }[way];
  }
  /** Put in what stands, where nobody has typed anything else. */
  function putStanding() {
    const now = is("ready") ? { ...made, title: beside.value ? "" : made.title } : standing();
    for (const [name, input] of Object.entries(texts)) if (input.value === filled[name]) input.value = now[name];
    if (now.law && now.law !== filled.law) clauses.open = true;
    filled = now;
  }

  /** Say in the box what the rule does: it works, it cannot be read, or it may not do what is meant. */
  function inform(tone, head, said, label, does) {
    set(plain, "data-tone", tone);
    box.classList.toggle("nnb-error", tone === "bad");
    fill(box, h("h3.nnb-label", head), said.map((one) => (typeof one === "string" ? h("p", one) : one)));
    fill(help, label && presses.button(label, does));
    unhide(help, label);
    presses.look();
  }
  /** Put an example in the place of a line that cannot be read. */
  function correct({ line: number, example }) {
    const all = law.value.split("\n"), from = all.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
    clauses.open = true;
    law.focus();
    law.setSelectionRange(from, from + (all[number - 1] ?? "").length);
    // The first can be undone.
    if (!document.execCommand("insertText", false, example)) {
      law.setRangeText(example, law.selectionStart, law.selectionEnd, "end");
    }
    check();
  }
  function check() {
    const one = single();
    if (isNew() && !one.wording.trim()) one.wording = "…"; // so that the clauses are looked at by themselves
    const change = bundle.whole(one, blank()), gap = lost();
    const empty = !change.parts && writes() && (blank() || !(one.wording ?? one.law ?? one.title));
    const said = JSON.stringify([change, game.table.law.order, game.lost, way, gap]);
    if (said === asked) return; // it is being asked, or has been
    clearTimeout(timer);
    asked = said;
    if (way !== "write") return;
    if (empty || gap) {
      set(law, "aria-invalid", null);
      more.open ||= Boolean(gap);
      if (gap) inform("bad", "Choose again", [gap]);
      else inform("", "In plain English", [isNew() ? "Start writing. This box says what your rule does."
        : "Change the wording. This box says what that does."]);
      for (const region of [preview, review]) fill(region);
      return unhide(near, false);
    }
    const ask = (about, answered) => game.ask(about, { change }, (got) => asked === said && answered(got), proposer());
    timer = setTimeout(() => ask("change", (got) => {
      report(got, change, one);
      if (!got.law && !got.why) ask("review", foresee);
    }), QUIET);
  }
  function foresee({ review: foreseen, meter }) {
    if (!foreseen) return;
    presses.look();
    fill(review, h("h3.nnb-label", "If it is proposed"), h("ul.nnb-review", foreseen.map((text) => h("li", text))),
      meter && h("img.nnb-meter", { src: meter.src, alt: meter.alt, width: meter.width }));
  }
  /** Show what Python says of a change. */
  function report(got, change, one) {
    const { law: error, remedy, reason, why, said, what, odd = [], ready = {} } = got;
    const enforced = Boolean(law.value.trim()) && writes();
    set(law, "aria-invalid", error ? "true" : null);
    if (error) {
      const { line: number, expected, example } = error, short = expected?.length < 40 && expected;
      clauses.open = true;
      inform("bad", `The game can’t read line ${number} yet`,
        lawError({ ...error, found: "", expected: short, example: "" }),
        example && `Use an example: ${example}`, () => correct(error));
    } else if (why) inform("bad", "You can’t propose this", [why]);
    else if (reason && (enforced || !writes())) {
      inform("odd", "It can pass, but may not do what you want", [sentence(reason)], remedy?.text, () => {
        stash();
        begin({ title: title.value, wording: wording.value, ...remedy.change });
        go("write");
      });
    } else {
      const by = enforced ? "The game enforces your clauses."
        : "Players follow your words. The game doesn’t enforce them.";
      inform("", "In plain English", said?.length ? said
        : [change.parts || !writes() ? "See below what changes." : by]);
    }
    const remark = ([text, evidence]) => h("li", sentence(text), evidence && ` ${sentence(evidence)}`);
    fill(preview,
      odd.length && h("div.nnb-odd", h("h3.nnb-label", "Check before you propose"), h("ul", odd.map(remark))),
      what && (!isNew() || change.parts) && [h("h3.nnb-label", "What changes"), what.map(grow)]);
    fill(review);
    const compared = is("enact") && !change.parts && one.wording !== "…" && !enforced;
    const alike = compared ? Object.keys(ready) : [];
    forms = { [which]: formOf(which), ...ready };
    unhide(near, alike.length);
    similar.show([["", readyRows(alike, forms)]]);
  }
  function changed() {
    if (!game.table) return;
    if (way === "rule" && !(looked in game.table.law.rules)) way = "rules";
    list();
    shelf();
    fillIn();
    putStanding();
    show();
    check();
  }
  on(rule, "change", () => { [picked, part.value, gone] = [true, gone && part.value, ""]; });
  on(kind, "change", () => { // what players made is what they mean most often; a founding rule is for them to pick
    const { order, rules } = game.table.law;
    const newest = Object.keys(order).filter((one) => rules[one].made).sort((a, b) => order[a] - order[b]).at(-1);
    if (newest && !picked && !is("enact", "ready", "rename")) [rule.value, part.value, gone] = [newest, "", ""];
  });
  function listen(chose, written) {
    for (const one of [kind, rule, part, tier, universe, beside]) on(one, "change", chose);
    for (const one of [title, wording, law, also]) on(one, "input", written);
  }
  listen(changed, check);

  /** Begin with a change that was written before. */
  function begin({ kind: how = "enact", target, part: place = "", add, universe: there, standing: as, also: others, ...said }) {
    kind.value = how;
    [where, wish, beside.value, also.value, way] = [there, as, add ? "add" : "", (others ?? []).join(" "), "write"];
    wanted = target === undefined ? null : String(target);
    offer(part, [[place, ""]]);
    [filled, gone] = [said.filled ?? EMPTY, ""];
    picked ||= target !== undefined;
    for (const [name, input] of Object.entries(texts)) input.value = said[name] ?? "";
    if (said.law) clauses.open = true;
    listed = "";
  }

  return {
    el, below, more, docks: true,
    value: () => bundle.whole(single(), blank()),
    watch(does) {
      const all = work;
      work = () => { all(); does(); };
      bundle.watch(work);
      listen(does, does);
    },
    draft: () => ({
      way, looked, kind: kind.value, picked, ready: which, values, rule: gone || rule.value, part: part.value,
      universe: universe.value, standing: tier.value, also: also.value, beside: beside.value, ...typed(), own: kept, filled,
      together: bundle.draft(),
    }),
    put(was) {
      if (!was || typeof was !== "object") return;
      begin({ ...was, target: was.rule, add: was.beside, also: [was.also ?? ""] });
      ({ way = "write", looked = "", ready: which = "", values = {}, own: kept = {}, picked = false } = was);
      bundle.put(was.together);
    },
    begin(change) {
      stash();
      looked = "";
      begin({ ...kept[slot(change.kind, change.target)], ...change });
      go("write");
    },
    /** Whether there is something to propose, what its button says, and what is missing. */
    sends: () => way === "write" || (way === "choose" && bundle.begun()),
    caption: () => (bundle.begun() ? "Propose these changes" : isNew() ? "Propose this rule" : "Propose this change"),
    missing: () => lost() || (blank() && !bundle.begun() ? "Write your rule first." : ""),
    first: () => (way !== "write" ? before.first(way) : writes() ? wording : more.firstChild),
    sent() {
      [kept, which, placed, picked] = [{}, "", "", false];
      bundle.put();
      begin({});
      [way, looked] = ["choose", ""];
      changed();
    },
    draw: changed,
  };
}
