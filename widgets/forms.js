// Any decision as a form: buttons where something is chosen, fields where something is told.
import {
  entered, fill, flag, h, hasFocus, labelled, lawError, offer, on, phrase, say, set, storeOf, tickBox, ticked, unhide,
  visible, wider,
} from "./core.js";
import { changeField } from "./change.js";

/** Openings of what was sealed on this device, until they are told: {value, nonce} by commitment. */
const openings = storeOf("seals");
/** What seals on a device: a page loads it once a decision asks for it; behind a notebook, Python seals. */
let sealing = null;
/** Options that are buttons; where there are more, they are a list. */
const MOST_BUTTONS = 8;

/** A field with its label: {el, value(), put(value), watch(work)}, and what only some have: draw(), input. */
export function field(told, tools) {
  if (told.type === "change") return changeField(tools);
  const ofInput = (input, how, el, more) => ({
    el, input, value: () => input.value || null, put: (value) => { input.value = value ?? ""; },
    watch: (work) => on(input, how, work), ...more,
  });
  if (told.type === "tick") {
    const box = tickBox();
    return ofInput(box, "change", ticked(told.label, box), {
      value: () => box.checked || null, put: (value) => { box.checked = Boolean(value); },
    });
  }
  const row = (input) => {
    const el = labelled(told.label, input), id = `${input.id}-about`;
    if (!told.about) return el;
    set(input, "aria-describedby", id);
    el.append(h("span.nnb-about", { id }, told.about));
    return el;
  };
  if (["choice", "player", "rule"].includes(told.type)) {
    const list = h("select");
    if (told.type === "choice") offer(list, told.options);
    return ofInput(list, "change", row(list), { draw() {
      const { seats, law: { order, rules } } = tools.game.table;
      if (told.type === "player") offer(list, Object.keys(seats).map((name) => [name, name]));
      if (told.type !== "rule") return;
      // Those that people apply, and what the game keeps to without a clause behind them.
      const left = (number) => (rules[number].kept.some((one) => one.includes("people")) ? 0 : 1);
      const bare = Object.keys(order).filter((number) => rules[number].bare);
      bare.sort((a, b) => left(a) - left(b) || order[a] - order[b]);
      offer(list, bare.map((number) => [number, `${number} ${rules[number].title}`]));
    } });
  }
  const number = told.type === "number", type = { number: "number", secret: "password" }[told.type] ?? "text";
  const input = told.type === "text" ? h("textarea", { rows: told.rows ?? 3 })
    : h("input", { type, min: told.min, max: told.max, maxlength: told.most });
  return ofInput(input, "input", row(input), {
    value: () => (input.value.trim() === "" ? null : number ? Math.trunc(Number(input.value)) : input.value),
  });
}

/** A decision as a form: {el, draw(entry), first()}. */
export function decisionForm(sign, entry, tools) {
  const { game, presses } = tools;
  const prompt = h("p.nnb-prompt"), rule = h("span.nnb-rule"), notes = h("div.nnb-error", { role: "status" });
  const row = h("div.nnb-buttons"), body = h("div.nnb-fields"), below = h("div.nnb-below"), ways = h("ul.nnb-quiet");
  const el = h("section.nnb-card.nnb-form", { "data-sign": sign, "aria-label": entry.prompt },
    h("div.nnb-ask", prompt, rule), ways, body, row, notes, below);
  const saved = h("p.nnb-quiet", "Saved on this device as you type.");
  let change = null; // the field of a change, which has steps of its own
  let now = entry, fields = [], buttons = [], who = null, made = "";

  function send(extra = {}) {
    const missing = change?.missing(), told = fields.map((one) => [one.name, one.field.value()]);
    fill(notes, missing);
    if (missing) return change.first()?.focus();
    const given = { ...Object.fromEntries(told.filter(([name, value]) => name && value !== null)), ...extra };
    for (const [name, value] of Object.entries(given)) if (value === undefined) delete given[name];
    game.act(now.action, opening(given) ?? given, {
      sign, key: now.key, player: who?.value(),
      done: () => {
        change?.sent();
        tools.drafts.forget(sign);
        if (now.commitment) openings.forget(now.commitment);
      },
      refused: ({ law, shown }) => { // a draft says by itself, below, what is wrong with its clauses
        if (law && !below.firstChild) fill(notes, lawError(law));
        if (!shown) return;
        fill(notes, shown.map(({ src, alt, width, said }) => h("figure.nnb-evidence", h("figcaption", said),
          h("img", { src, alt, width }))));
        notes.firstChild.scrollIntoView();
      },
    });
  }
  async function loadSealing() {
    sealing = await tools.device.sealing();
    game.redraw();
  }
  /** What is sealed on this device stays on it: only the commitment leaves it, until value and nonce are revealed. */
  function opening(given) {
    if (!tools.device) return null;
    if (now.seal && !given.commitment) {
      const value = given.value ?? String(crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000);
      const { commitment, ...hidden } = sealing.sealed(now.seal, value);
      openings.keep(commitment, hidden);
      return { commitment };
    }
    return now.commitment ? openings.of(now.commitment) : null;
  }
  const button = (label, tone, extra) => {
    const one = presses.button(label, () => send(extra?.()), tone);
    buttons.push(one);
    return one;
  };

  const docked = () => tools.dock && now.action === "propose" && now.must && game.mine.role === "player";
  /** The change is at another step: the button stands where there is something to send, in the dock if there is one. */
  function turned() {
    if (!change) return;
    const sends = change.sends(), others = fields.map((one) => one.field.el).filter((one) => one.parentNode === body);
    for (const one of [row, notes, ...others]) unhide(one, sends || one === change.el);
    if (!docked() && row.parentNode !== el) notes.before(row);
    tools.dock?.();
    if (now.action === "propose") say(buttons.at(-1), change.caption());
    set(el, "data-way", change.el.dataset.way);
  }
  /** Keep what is written on this device, except what is secret. */
  function keepDraft() {
    const drafts = fields.map(({ name, field: { draft, input, value } }) =>
      [name, draft ? draft() : input.type === "password" ? null : value()]);
    unhide(saved, tools.drafts.keep(sign, Object.fromEntries(drafts.filter(([, value]) => value !== null))));
  }

  function build() {
    [fields, buttons] = [[], []];
    const whole = game.mine.role === "table", kept = tools.drafts.of(sign) ?? {};
    who = now.player === null && whole ? wider.shared.who(tools) : null;
    const known = tools.device && now.commitment && openings.of(now.commitment);
    const shown = known ? [] : now.fields.filter((one) => one.name !== "agreed" || whole);
    if (now.seal && tools.device && !openings.works()) {
      fill(notes, "This browser can’t store your secret. Don’t close this page before you reveal it.");
    }
    const choice = shown.find((one) => one.type === "choice");
    const options = choice?.options.length <= MOST_BUTTONS ? choice : null;
    const player = () => now.player ?? game.mine.seat ?? who?.value() ?? null;
    const inner = { ...tools, dock: docked(), turned, player };
    fields = shown.filter((one) => one !== options).map((told) =>
      ({ name: told.name, told, field: field(told, inner) }));
    const choices = options?.options.map(([value, label, tone]) =>
      button(label, tone || "plain", () => ({ [options.name]: value }))) ?? [];
    const optional = shown.find((one) => one.type === "number" && one.optional), submit = [];
    let first = [];
    if (options?.other) {
      const about = "in your own words, or as an expression";
      const other = field({ type: "line", label: "Another answer", about, name: options.name }, tools);
      fields.push({ name: "", field: other });
      first = choices;
      submit.push(button("Answer", "", () => ({ [options.name]: other.value() ?? "" })));
    } else if (optional) {
      first = [...choices, button(now.send, "", () => ({ [optional.name]: undefined }))];
      submit.push(button("Enter this roll", "plain"));
    } else if (!options) submit.push(button(now.send, ""));
    fill(row, first.length ? submit : [choices, submit]);
    change = fields.find((one) => one.field.docks)?.field ?? null;
    if (change) { // what is rarely wanted is folded
      row.append(saved);
      unhide(saved, tools.drafts.works());
      change.more.lastChild.append(...fields.map((one) => one.field.el).filter((one) => one.matches(".nnb-tick")));
      change.more.firstChild.after(ways);
      buttons.at(-1)?.classList.add("nnb-send");
    }
    flag(el, "data-proposes", change);
    const lists = fields.map((one) => one.field.el).filter((one) => !change?.more.contains(one));
    fill(body, who?.el, first.length && h("div.nnb-buttons", first), lists);
    fill(below, fields.map((one) => one.field.below));
    for (const { name, told, field: one } of fields) {
      if (kept[name] !== undefined) one.put(kept[name]);
      else if (told?.begun) one.begin(told.begun);
      one.watch(() => { // what was refused is not what is written now
        fill(notes);
        keepDraft();
      });
      // A line is sent with Enter, where it is all that is asked.
      if (one.input?.matches("input:not([type=checkbox])")) entered(one.input, () => buttons.at(-1)?.click());
    }
    unhide(body, body.firstChild);
  }

  return {
    el,
    /** Whether it is answered with one press, so that there is nothing to fill in. */
    simple: () => !fields.length && !who,
    /** The buttons that send a change, if they stand in the dock now. */
    sendRow: () => docked() && change?.sends() && row,
    draw(told) {
      if (tools.device && told.seal && !sealing) return loadSealing(); // nothing is asked before it can be sealed
      now = told;
      const { table, mine } = game, { must, rule: number } = now, by = number !== null;
      const key = JSON.stringify([now.fields, now.seal, now.commitment, now.send, mine.role]);
      if (key !== made) {
        made = key;
        build();
      }
      say(prompt, now.prompt);
      const named = by && table.law?.rules[number]?.title;
      say(rule, phrase([by && `rule ${number}${named ? ` “${named}”` : ""}`, !must && "if you like"], " · "));
      // What is not open has no form of its own: the forms of what is due say why.
      const others = Object.values(mine.decisions).filter((one) => one.player === now.player).map((one) => one.action);
      const ofForm = ({ action }) => action === now.action || (must && !others.includes(action));
      const listed = (table.choices[now.player] ?? []).filter(ofForm);
      fill(ways, listed.map((one) => h("li", one.said)));
      unhide(ways, listed.length);
      const busy = game.busy(sign);
      for (const one of buttons) {
        one.meant = now.key;
        set(one, "aria-disabled", busy ? "true" : null);
      }
      for (const one of [...fields.map((f) => f.field), who]) one?.draw?.();
      turned();
    },
    /** Begin with a change, and go to its form. */
    begin(given) {
      for (const { field: one } of fields) {
        one.begin?.(given);
        one.draw?.();
      }
      el.scrollIntoView({ block: "nearest" });
      if (!hasFocus(el)) this.first()?.focus();
    },
    first: () => change?.first()
      ?? visible(el.querySelectorAll("input, select, textarea, button:not([aria-disabled])")),
  };
}
