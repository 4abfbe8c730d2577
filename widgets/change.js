// @ts-check
// A rule-change to be written: which rule, its wording and clauses, and what the change comes to while it is written.
import { grow, h, lawError, set } from "./core.js";

const KINDS = [["enact", "Enact a new rule"], ["amend", "Amend a rule"], ["repeal", "Repeal a rule"], ["transmute", "Transmute a rule"]];
/** Milliseconds after the last letter, before Python is asked what it comes to. */
const QUIET = 400;
let count = 0;

/** The field of a change: {el, value(), put(value), draw(game), watch(work), draft()}. */
export function changeField(told, tools) {
  const id = `nnb-change-${++count}`;
  const labelled = (name, input, about) => {
    input.id = `${id}-${name}`;
    return h("div.nnb-field", {}, h("label", { for: input.id }, about ?? name), input);
  };
  const kind = h("select", {}, ...KINDS.map(([value, text]) => h("option", { value }, text)));
  const rule = h("select"), part = h("select"), beside = h("input", { type: "checkbox", id: `${id}-beside` });
  const title = h("input", { type: "text", autocomplete: "off" });
  const wording = h("textarea", { rows: 4 }), law = h("textarea", { rows: 3, spellcheck: "false" });
  const rows = {
    kind: labelled("kind", kind, "Kind"), rule: labelled("rule", rule, "Rule"), part: labelled("part", part, "Part"),
    beside: h("div.nnb-tick", {}, beside, h("label", { for: beside.id }, "beside what is there, not in its place")),
    title: labelled("title", title, "Title"), wording: labelled("wording", wording, "Wording"),
    law: labelled("law", law, "Law"),
  };
  law.classList.add("nnb-code");
  law.placeholder = "clauses for the machine, one a line; may be empty";
  wording.placeholder = "what people read";
  const error = h("div.nnb-error", { role: "status" }), preview = h("div.nnb-preview", { "aria-label": "What it comes to", role: "region" });
  const el = h("div.nnb-change", {}, rows.kind, rows.rule, rows.part, rows.beside, rows.title, rows.wording, rows.law);
  const below = h("div.nnb-below", {}, error, preview); // under the button, which shall not move
  let game = null, filled = { title: "", wording: "", law: "" }, listed = null, timer = 0, asked = "", wanted = null;

  const chosen = () => game?.picture.table.law.rules[rule.value];
  const writes = () => kind.value === "enact" || kind.value === "amend";
  const standing = () => {
    const one = chosen();
    if (!one || kind.value !== "amend" || beside.checked) return { title: "", wording: "", law: "" };
    const [text, clauses] = part.value ? one.parts[part.value] ?? ["", ""] : [one.wording, one.law];
    return { title: one.title, wording: text, law: clauses };
  };

  function value() {
    const one = chosen(), target = kind.value === "enact" ? null : one?.number ?? null;
    const made = { kind: kind.value };
    if (target !== null) made.target = target;
    if (part.value && ["amend", "repeal"].includes(kind.value)) made.part = Number(part.value);
    if (!writes()) return made;
    const old = standing();
    if (kind.value === "enact") return { ...made, wording: wording.value, law: law.value, title: title.value };
    if (beside.checked) return { ...made, add: true, wording: wording.value, title: title.value, ...(law.value.trim() ? { law: law.value } : {}) };
    if (wording.value !== old.wording) made.wording = wording.value;
    if (law.value !== old.law) made.law = law.value;
    if (title.value !== old.title) made.title = title.value;
    return made;
  }

  function list() {
    const { law: book } = game.picture.table;
    if (listed === book) return;
    listed = book;
    const before = wanted ?? rule.value;
    const numbers = Object.keys(book.order).sort((a, b) => book.order[a] - book.order[b]);
    rule.replaceChildren(...book.tiers.map((tier) => h("optgroup", { label: tier }, ...numbers.filter((one) => book.rules[one].tier === tier)
      .map((one) => h("option", { value: one }, `${one} ${book.rules[one].title}${book.rules[one].void ? " (void)" : ""}`)))));
    if (before in book.rules) rule.value = before;
    wanted = null;
  }
  function show() {
    const parts = Object.entries(chosen()?.parts ?? {});
    const options = [["", "the rule itself"], ...parts.map(([at, [text]]) => [at, `amendment ${at}: ${text.split(/\s+/).slice(0, 6).join(" ")}`])];
    const before = part.value;
    part.replaceChildren(...options.map(([at, text]) => h("option", { value: at }, text)));
    if (options.some(([at]) => at === before)) part.value = before;
    set(rows.rule, "hidden", kind.value === "enact" ? "" : null);
    set(rows.part, "hidden", parts.length && ["amend", "repeal"].includes(kind.value) ? null : "");
    set(rows.beside, "hidden", kind.value === "amend" && !part.value ? null : "");
    if (kind.value !== "amend" || part.value) beside.checked = false;
    for (const name of ["title", "wording", "law"]) set(rows[name], "hidden", writes() ? null : "");
  }
  /** Put in what stands, where nobody has typed anything else. */
  function fill() {
    const now = standing();
    for (const [name, input] of Object.entries({ title, wording, law })) if (input.value === filled[name]) input.value = now[name];
    filled = now;
  }
  function check() {
    clearTimeout(timer);
    const change = value();
    const empty = writes() && !(change.wording ?? "").trim() && !(change.law ?? "").trim() && !change.title;
    const said = JSON.stringify([change, game.picture.table.law.order]);
    if (said === asked) return;
    asked = said;
    if (empty) {
      error.replaceChildren();
      preview.replaceChildren();
      return;
    }
    timer = setTimeout(() => game.ask("change", { change }, game.picture.mine.seat === null ? tools.player?.() ?? null : null, (got) => {
      if (asked !== said) return;
      if (got.law) error.replaceChildren(...lawError(got.law));
      else if (got.why) error.replaceChildren(got.why);
      else error.replaceChildren();
      preview.replaceChildren(...(got.what ? [h("p.nnb-label", {}, "What it comes to"), ...got.what.map(grow)] : []),
        ...(got.odd?.length ? [h("p.nnb-label", {}, "Worth a thought"), h("ul", {}, ...got.odd.map(([line]) => h("li", {}, line)))] : []));
    }), QUIET);
  }
  const changed = () => {
    show();
    fill();
    check();
  };
  for (const one of [kind, rule, part, beside]) one.addEventListener("change", changed);
  for (const one of [title, wording, law]) one.addEventListener("input", check);

  return {
    el, below, value,
    watch(work) {
      for (const one of [kind, rule, part, beside]) one.addEventListener("change", work);
      for (const one of [title, wording, law]) one.addEventListener("input", work);
    },
    draft: () => ({ kind: kind.value, rule: rule.value, part: part.value, beside: beside.checked, title: title.value, wording: wording.value, law: law.value }),
    put(kept) {
      if (!kept || typeof kept !== "object") return;
      kind.value = kept.kind ?? "enact";
      [wanted, beside.checked] = [kept.rule ?? null, Boolean(kept.beside)];
      for (const [name, input] of Object.entries({ title, wording, law })) input.value = kept[name] ?? "";
    },
    draw(given) {
      game = given;
      list();
      changed();
    },
  };
}
