// Any decision as a form: buttons where something is chosen, fields where something is told.
import { h, hold, lawError, say, set, unhide } from "./core.js";
import { changeField } from "./change.js";
import { openings, sealed } from "./seal.js";

/** Options that are buttons; where there are more, they are a list. */
const MOST_BUTTONS = 8;
let fieldCount = 0;

/** A field with its label: {el, value(), put(value), draw(game)}. */
export function field(told, tools) {
  const id = `nnb-field-${++fieldCount}`;
  if (told.type === "change") return changeField(told, tools);
  if (told.type === "tick") {
    const box = h("input", { type: "checkbox", id });
    return { el: h("div.nnb-tick", {}, box, h("label", { for: id }, told.label)), value: () => box.checked || null, put: (v) => { box.checked = Boolean(v); }, watch: (work) => box.addEventListener("change", work) };
  }
  const about = told.about ? h("span.nnb-about", { id: `${id}-about` }, told.about) : null;
  const label = h("label", { for: id }, told.label);
  const described = about ? { "aria-describedby": `${id}-about` } : {};
  if (["choice", "player", "rule"].includes(told.type)) {
    const list = h("select", { id, ...described });
    let shown = "";
    const fill = (options) => {
      const key = JSON.stringify(options);
      if (key === shown) return;
      shown = key;
      const before = list.value;
      list.replaceChildren(...options.map(([value, text]) => h("option", { value }, text)));
      if (options.some(([value]) => value === before)) list.value = before;
    };
    if (told.type === "choice") fill(told.options);
    return {
      el: h("div.nnb-field", {}, label, list, about), value: () => list.value || null, put: (v) => { list.value = v; },
      watch: (work) => list.addEventListener("change", work),
      draw({ picture: { table } }) {
        if (told.type === "player") fill(Object.keys(table.seats).map((name) => [name, name]));
        if (told.type !== "rule") return;
        // Those that people apply, and what the game keeps to without a clause behind them.
        const { order, rules } = table.law, left = (number) => (rules[number].kept.some((one) => one.includes("people")) ? 0 : 1);
        const bare = Object.keys(order).filter((number) => rules[number].bare);
        fill(bare.sort((a, b) => left(a) - left(b) || order[a] - order[b]).map((number) => [number, `${number} ${rules[number].title}`]));
      },
    };
  }
  const kind = { number: "number", secret: "password" }[told.type] ?? "text";
  const input = told.type === "text" ? h("textarea", { id, rows: told.rows ?? 3, ...described })
    : h("input", { id, type: kind, autocomplete: "off", min: told.min, max: told.max, ...described });
  const value = () => (input.value.trim() === "" ? null : told.type === "number" ? Math.trunc(Number(input.value)) : input.value);
  return { el: h("div.nnb-field", {}, label, input, about), value, put: (v) => { input.value = v ?? ""; }, watch: (work) => input.addEventListener("input", work), input };
}

/** Whoever does something that anyone may do, where all sit before the same panel. */
export function whoField(tools) {
  return field({ type: "player", label: "Who", about: "anyone may; say who does", name: "player" }, tools);
}

/** A decision as a form: {el, draw(game, entry), first()}. */
export function decisionForm(sign, entry, tools) {
  const { presses } = tools;
  const prompt = h("p.nnb-prompt"), rule = h("span.nnb-rule"), notes = h("div.nnb-error", { role: "status" });
  const row = h("div.nnb-buttons"), body = h("div.nnb-fields"), below = h("div.nnb-below"), ways = h("ul.nnb-quiet");
  const el = h("section.nnb-card.nnb-form", { "data-sign": sign, "aria-label": entry.prompt }, h("div.nnb-ask", {}, prompt, rule), ways, body, row, notes, below);
  const saved = h("p.nnb-quiet", {}, "Saved on this device as you type.");
  let change = null; // the field of a change, which has steps of its own
  let now = entry, game, fields = [], buttons = [], who = null, made = "", wholeTable = null;

  const details = () => Object.fromEntries(fields.map((one) => [one.name, one.field.value()]).filter(([name, value]) => name && value !== null));
  const send = (extra = {}) => {
    const missing = change?.missing();
    notes.replaceChildren(missing || "");
    if (missing) return change.first()?.focus();
    const given = { ...details(), ...extra };
    for (const [name, value] of Object.entries(given)) if (value === undefined) delete given[name];
    const player = who ? who.value() : null;
    const opening = own(given);
    game.act(now.action, opening ?? given, {
      sign, key: now.key, player,
      done: () => {
        change?.sent();
        tools.drafts.forget(sign);
        if (now.commitment) openings.drop(now.commitment);
      },
      refused: (got) => { // a draft says by itself, below, what is wrong with its clauses
        if (got.law && !below.childNodes.length) notes.replaceChildren(...lawError(got.law));
        notes.append(...(got.shown ?? []).map(({ src, alt, width, said }) => h("figure.nnb-evidence", {}, h("figcaption", {}, said), h("img", { src, alt, width }))));
        notes.querySelector("figure")?.scrollIntoView();
      },
    });
  };
  /** What is sealed on this device stays on it: only the commitment goes out, and value and nonce once they are revealed. */
  function own(given) {
    if (!tools.device) return null;
    if (now.seal && !given.commitment) {
      const made = sealed(now.seal, given.value ?? String(crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000));
      openings.keep(made);
      return { commitment: made.commitment };
    }
    return now.commitment ? openings.find(now.commitment) : null;
  }
  const button = (label, tone, extra) => {
    const one = presses.add(h(`button${tone ? `.${tone}` : ""}`, {}, label), () => send(extra()));
    buttons.push(one);
    return one;
  };

  const docked = () => tools.dock && now.action === "propose" && now.must && game.picture.mine.role === "player";
  /** The change is at another step: the button stands where there is something to send, in the dock if there is one. */
  function turned() {
    if (!change) return;
    const sends = change.sends();
    for (const one of [row, notes, ...fields.map((f) => f.field.el).filter((f) => f.parentNode === body && f !== change.el)]) unhide(one, sends);
    if (!docked() && row.parentNode !== el) notes.before(row);
    tools.dock?.();
    if (now.action === "propose") say(buttons.at(-1), change.caption());
    set(el, "data-way", change.el.dataset.way);
  }

  function build() {
    [fields, buttons] = [[], []];
    const whole = game.picture.mine.role === "table";
    who = now.player === null && whole ? whoField(tools) : null;
    const kept = tools.drafts.of(sign);
    const known = tools.device && now.commitment && openings.find(now.commitment);
    const shown = known ? [] : now.fields.filter((one) => one.name !== "agreed" || whole);
    if (now.seal && tools.device && !openings.keep({ commitment: "", value: "", nonce: "" })) {
      notes.replaceChildren("This browser keeps nothing: what you seal is lost when this page is closed.");
    }
    openings.drop("");
    const options = shown.find((one) => one.type === "choice");
    const asButtons = options && options.options.length <= MOST_BUTTONS ? options : null;
    for (const one of shown) {
      if (one === asButtons) continue;
      fields.push({ name: one.name, field: field(one, { ...tools, sign, dock: docked(), turned, player: () => now.player ?? game.picture.mine.seat ?? who?.value() ?? null }) });
    }
    const choices = asButtons ? asButtons.options.map(([value, label, tone]) => button(label, tone || "plain", () => ({ [asButtons.name]: value }))) : [];
    let other = null;
    if (asButtons?.other) {
      other = field({ type: "line", label: "Another answer", about: "in your own words, or as an expression of the law", name: asButtons.name }, tools);
      fields.push({ name: "", field: other });
    }
    const optional = shown.find((one) => one.type === "number" && one.optional);
    const submit = [], first = [...(other || optional ? choices : [])];
    if (other) submit.push(button("Answer", "", () => ({ [asButtons.name]: other.value() ?? "" })));
    else if (optional) {
      first.push(button(now.send, "", () => ({ [optional.name]: undefined })));
      submit.push(button("Enter this roll", "plain", () => ({})));
    }
    else if (!asButtons) submit.push(button(now.send, "", () => ({})));
    hold(row, first.length ? submit : [...choices, ...submit]);
    change = fields.find((one) => one.field.docks)?.field ?? null;
    if (change) { // what is rarely wanted is folded
      row.append(saved);
      unhide(saved, tools.drafts.works);
      const folded = fields.filter((one) => one.field !== change && one.field.el.matches(".nnb-tick"));
      change.more.lastChild.append(...folded.map((one) => one.field.el));
      change.more.firstChild.after(ways);
      buttons.at(-1)?.classList.add("nnb-send");
    }
    set(el, "data-proposes", change ? "" : null);
    const lists = fields.map((one) => one.field.el).filter((one) => !change?.more.contains(one));
    hold(body, [who?.el, first.length ? h("div.nnb-buttons", {}, ...first) : null, ...lists].filter(Boolean));
    hold(below, fields.map((one) => one.field.below).filter(Boolean));
    for (const one of fields) {
      const begun = shown.find((told) => told.name === one.name)?.begun;
      if (kept[one.name] !== undefined) one.field.put(kept[one.name]);
      else if (begun) one.field.begin(begun);
      one.field.watch?.(() => notes.replaceChildren()); // what was refused is not what is written now
      one.field.watch?.(() => unhide(saved, tools.drafts.keep(sign, Object.fromEntries(fields.map((f) => [f.name, f.field.draft?.() ?? (f.field.input?.type === "password" ? null : f.field.value())]).filter(([, v]) => v !== null)))));
      // A line is sent with Enter, where it is all that is asked.
      one.field.input?.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && one.field.input.tagName === "INPUT" && !event.repeat && !event.isComposing) {
          event.preventDefault();
          buttons.at(-1)?.click();
        }
      });
    }
    unhide(body, body.childNodes.length);
  }

  return {
    el,
    /** Whether it is answered with one press, so that there is nothing to fill in. */
    simple: () => !fields.length && !who,
    /** The buttons that send a change, if they stand in the dock now. */
    sendRow: () => (docked() && change?.sends() ? row : null),
    draw(given, told) {
      [game, now] = [given, told];
      const key = JSON.stringify([now.fields, now.seal, now.commitment]) + now.send + game.picture.mine.role;
      if (key !== made) {
        made = key;
        build();
      }
      say(prompt, now.prompt);
      const named = now.rule === null ? "" : game.picture.table.law?.rules[now.rule]?.title;
      say(rule, `${now.rule === null ? "" : `rule ${now.rule}${named ? ` “${named}”` : ""}`}${now.must ? "" : `${now.rule === null ? "" : " · "}if you like`}`);
      // What is not open has no form of its own: the forms of what is due say why.
      const others = Object.values(game.picture.mine.decisions).filter((one) => one.player === now.player).map((one) => one.action);
      const listed = (game.picture.table.choices[now.player] ?? []).filter((one) => one.action === now.action || (now.must && !others.includes(one.action)));
      ways.replaceChildren(...listed.map((one) => h("li", {}, one.said)));
      unhide(ways, listed.length);
      const busy = game.busy(sign);
      for (const one of buttons) {
        one.meant = now.key;
        set(one, "aria-disabled", busy ? "true" : null);
      }
      for (const one of [...fields.map((f) => f.field), who]) one?.draw?.(game, now);
      turned();
    },
    /** Begin with a change, and go to its form. */
    begin(change) {
      for (const one of fields) {
        one.field.begin?.(change);
        one.field.draw?.(game, now);
      }
      el.scrollIntoView({ block: "nearest" });
      if (!el.contains(document.activeElement)) this.first()?.focus();
    },
    first: () => change?.first() ?? [...el.querySelectorAll("input, select, textarea, button:not([aria-disabled])")].find((one) => one.checkVisibility()),
  };
}
