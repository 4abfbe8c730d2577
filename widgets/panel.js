// @ts-check
// The whole table, or one seat: the panels side by side, one picture for all of them.
import { Presses, asked, connect, drafts, grow, h, hold, say, set } from "./core.js";
import { boardsPanel } from "./boards.js";
import { votePanel } from "./vote.js";
import { decisionForm, freelyPanel } from "./forms.js";

const MODIFIERS = ["ctrlKey", "metaKey", "altKey"];
const ORDER = ["choose", "rule_on", "overrule", "consent", "roll", "seal", "reveal", "propose"];

/** Drafts of forms, by what they answer; kept over a reload of the page. */
function keptDrafts(name) {
  const store = drafts(name), all = store.read();
  return {
    of: (sign) => all[sign] ?? {},
    keep(sign, values) {
      all[sign] = values;
      store.write(all);
    },
    forget(sign) {
      delete all[sign];
      store.write(all);
    },
  };
}

/** The score: who has what, whose turn it is, who is not there. */
function scorePanel() {
  const body = h("tbody"), head = h("tr");
  const el = h("section.nnb-card.nnb-score", { "aria-label": "Score" }, h("h3.nnb-title", {}, "Score"), h("div.nnb-scroll", {}, h("table", {}, h("thead", {}, head), body)));
  let seen = null;
  return {
    el,
    draw({ picture: { table } }) {
      if (seen === table.seats) return;
      seen = table.seats;
      const counters = [...new Set(Object.values(table.seats).flatMap((one) => Object.keys(one.counters)))];
      head.replaceChildren(h("th", { scope: "col" }, "Player"), ...counters.map((one) => h("th.nnb-num", { scope: "col" }, one)));
      body.replaceChildren(...Object.entries(table.seats).map(([name, one]) => {
        const marks = [one.turn && "on turn", one.won && "has won", !one.person && "dummy", !one.playing && "out", !one.here && "absent", ...one.armies];
        return h(`tr${one.turn ? ".nnb-on" : ""}`, {}, h("th", { scope: "row" }, h("bdi", {}, name), ...marks.filter(Boolean).map((mark) => h("span.nnb-chip", {}, mark))),
          ...counters.map((counter) => h("td.nnb-num", {}, one.counters[counter] ?? "–")));
      }));
    },
  };
}

/** The law book: rules by tier, with a search. */
function lawPanel() {
  const find = h("input", { type: "search", "aria-label": "Find in the law book", placeholder: "find a word or a number" });
  const list = h("div.nnb-rules"), none = h("p.nnb-quiet", { hidden: "" }, "Nothing found.");
  const el = h("details.nnb-card.nnb-law", {}, h("summary", {}, "Law book"), find, list, none);
  const made = new Map();
  let seen = null;
  const one = (rule) => {
    const known = made.get(String(rule.number));
    if (known?.rule === rule) return known;
    const clauses = rule.law ? rule.law.split("\n").filter((line) => line.trim()).map((line) => h("code", {}, line)) : [];
    const texts = rule.wording.split(/\n\s*\n/).map((text) => h("p", {}, text));
    const inner = h("details", { open: known?.el.open ? "" : null },
      h("summary", {}, h("strong", {}, String(rule.number)), ` ${rule.title}`, rule.void ? h("span.nnb-chip", { "data-tone": "no" }, "void") : null),
      ...(rule.void ? [h("p.nnb-note", {}, rule.void)] : []), ...texts, ...clauses);
    const entry = { rule, el: inner, text: `${rule.number} ${rule.title} ${rule.wording} ${rule.law}`.toLowerCase() };
    made.set(String(rule.number), entry);
    return entry;
  };
  function show() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = Object.keys(seen.order).sort((a, b) => seen.order[a] - seen.order[b]).map((number) => one(seen.rules[number]))
      .filter((entry) => words.every((word) => entry.text.includes(word)));
    hold(list, seen.tiers.flatMap((tier) => {
      const inside = found.filter((entry) => entry.rule.tier === tier);
      if (!inside.length) return [];
      if (!made.has(`tier ${tier}`)) made.set(`tier ${tier}`, { el: h("h4", {}, tier) });
      return [made.get(`tier ${tier}`).el, ...inside.map((entry) => entry.el)];
    }));
    set(none, "hidden", found.length ? "" : null);
  }
  find.addEventListener("input", show);
  return {
    el,
    draw({ picture: { table } }) {
      if (seen === table.law) return;
      seen = table.law;
      for (const number of made.keys()) if (!number.startsWith("tier ") && !(number in seen.rules)) made.delete(number);
      show();
    },
  };
}

/** What happened last, and who is to do what. */
function pastPanel(presses) {
  const list = h("ol.nnb-history", { "aria-label": "Last events" }), waits = h("ul.nnb-waits"), others = h("div", {}, h("h3.nnb-title", {}, "Waiting for"), waits);
  const calls = h("pre.nnb-calls", { tabindex: 0, "aria-label": "Calls" });
  const copy = presses.add(h("button.plain", { type: "button" }, "Copy"), () => {
    getSelection().selectAllChildren(calls);
    if (document.execCommand("copy")) say(copy, "Copied");
  });
  const cells = asked("calls", "As cells", calls, copy);
  const el = h("section.nnb-card.nnb-past", { "aria-label": "What happened" }, others, h("h3.nnb-title", {}, "What happened"), list, cells.el);
  let waited = null, game;
  const rows = new Map();
  /** An event, with a button where what it belongs to can be taken back. */
  function row(seq, text, act) {
    if (!rows.has(seq)) {
      const words = h("span"), button = presses.add(h("button.plain", { type: "button" }, "Take back"), () => game.act("undo", { event: button.act, seen: game.step }, { sign: "undo" }));
      button.moved = performance.now(); // it may have come under the mouse just now
      rows.set(seq, { el: h("li", {}, words, button), words, button });
    }
    const { el, words, button } = rows.get(seq);
    say(words, text);
    set(button, "hidden", act ? null : "");
    set(button, "aria-label", `Take back: ${text}`);
    Object.assign(button, { act, meant: `${act} ${game.step}` });
    return el;
  }
  return {
    el,
    draw(now) {
      game = now;
      const { table, mine } = game.picture;
      cells.draw(game);
      set(cells.el, "hidden", mine.role === "wall" ? "" : null);
      const open = Object.entries(table.waits).filter(([sign]) => !(sign in mine.decisions)).map(([, one]) => `${one.player}: ${one.prompt}`);
      set(others, "hidden", open.length ? null : "");
      if (waited !== open.join("\n")) {
        waited = open.join("\n");
        waits.replaceChildren(...open.map((text) => h("li", {}, text)));
      }
      const shown = Object.keys(table.history).sort((a, b) => Number(b) - Number(a)).slice(0, 10);
      for (const seq of rows.keys()) if (!shown.includes(seq)) rows.delete(seq);
      hold(list, shown.map((seq) => row(seq, table.history[seq], mine.undo[seq])));
    },
  };
}

/** Open judgments, as everywhere else. */
function judgmentsPanel() {
  const el = h("section.nnb-card.nnb-judged", { "aria-label": "Judgments" });
  let seen = null;
  return {
    el,
    draw({ picture: { table } }) {
      if (seen === table.judgments) return;
      seen = table.judgments;
      el.replaceChildren(...Object.values(seen).map(grow));
      set(el, "hidden", el.childNodes.length ? null : "");
    },
  };
}

/** @param {{model: any, el: HTMLElement}} place */
export function render({ model, el }) {
  const presses = new Presses();
  const wanted = model.get("parts") ?? ["all"], all = wanted.includes("all");
  const eyebrow = h("p.nnb-eyebrow"), title = h("h2.nnb-heading"), letters = h("span.nnb-letters", { title: "the fingerprint of the game: the same for all who see the same" });
  const said = h("div.nnb-message", { role: "status", tabindex: -1 }), foot = h("button.nnb-foot", { type: "button" });
  const forms = new Map(), formsEl = h("div.nnb-decisions", { "aria-label": "What is to be decided", role: "region" });
  const mayEl = h("div.nnb-decisions.nnb-may", { "aria-label": "What may be decided", role: "region" });
  const rest = h("p.nnb-card.nnb-rest");
  const boards = boardsPanel(presses), vote = votePanel(presses), score = scorePanel(), law = lawPanel(), past = pastPanel(presses), judged = judgmentsPanel();
  const tools = { presses, device: Boolean(model.get("device")), drafts: { of: () => ({}), keep() {}, forget() {} } };
  const free = freelyPanel(tools);
  const head = h("header.nnb-head", {}, h("div", {}, eyebrow, title), letters);
  const drafted = wanted.includes("proposal"), single = { vote, boards };
  const panels = all ? [boards, vote, judged, score, free, law, past] : wanted.map((name) => single[name]).filter(Boolean);
  const left = h("div.nnb-column", {}, formsEl, boards.el, judged.el, vote.el, mayEl, rest), right = h("div.nnb-column", {}, score.el, free.el, law.el, past.el);
  const root = h("div.nnb-live.tex2jax_ignore.mathjax_ignore", {}, ...(all
    ? [h("div.nnb-top", {}, head, said), h("div.nnb-columns", {}, left, right), foot] : [said, ...(drafted ? [formsEl] : []), ...panels.map((one) => one.el)]));
  if (!all) set(root, "data-part", "");
  el.append(root);
  presses.add(foot, () => next()?.focus());
  let game, homeless = false, named = "";

  const next = () => {
    const one = vote.first();
    if (one) return one;
    const open = waitingVote();
    if (open) vote.bring(open);
    const move = Object.values(game.picture.mine.decisions).some((d) => d.action === "move") ? boards.first() : null;
    return vote.first() ?? move ?? [...forms.values()].map((form) => form.first()).find(Boolean) ?? null;
  };
  const waitingVote = () => {
    const one = Object.values(game.picture.mine.decisions).find((d) => d.action === "vote" && d.must);
    return one ? String(one.proposal) : null;
  };

  function drawForms() {
    const { decisions } = game.picture.mine;
    const wants = (action) => (all ? !["vote", "move"].includes(action) : ["propose", "revise"].includes(action));
    const signs = Object.keys(decisions).filter((sign) => wants(decisions[sign].action));
    const seats = Object.keys(game.picture.table.seats);
    const rank = (sign) => [decisions[sign].must ? 0 : 1, (ORDER.indexOf(decisions[sign].action) + 1) || 99, seats.indexOf(decisions[sign].player)];
    signs.sort((a, b) => { const [x, y] = [rank(a), rank(b)]; return x[0] - y[0] || x[1] - y[1] || x[2] - y[2]; });
    for (const sign of [...forms.keys()]) if (!signs.includes(sign)) forms.delete(sign);
    const drawn = (sign) => {
      if (!forms.has(sign)) forms.set(sign, decisionForm(sign, decisions[sign], tools));
      const form = forms.get(sign);
      form.draw(game, decisions[sign]);
      return form.el;
    };
    // What play waits for stands first; what may be done on a proposal stands with the one that is shown.
    const may = all ? signs.filter((sign) => !decisions[sign].must) : [];
    hold(formsEl, signs.filter((sign) => !may.includes(sign)).map(drawn));
    hold(mayEl, may.filter((sign) => [null, vote.shown()].includes(decisions[sign].proposal === null ? null : String(decisions[sign].proposal))).map(drawn));
  }

  function drawMessage() {
    const key = JSON.stringify([game.lost, game.message, game.bad, game.refusal]);
    if (said.dataset.key === key) return;
    said.dataset.key = key;
    set(said, "data-bad", game.bad || game.lost ? "" : null);
    if (game.lost) return said.replaceChildren(h("strong", {}, game.lost));
    const more = game.refusal ? [game.refusal.rule ? ` ${game.refusal.rule}.` : "", game.refusal.options?.length ? ` Open now: ${game.refusal.options.join("; ")}.` : ""].join("") : "";
    said.replaceChildren(...(game.bad ? [h("strong", {}, "Not done: ")] : []), `${game.message}${more}`);
  }

  function draw(now) {
    game = now;
    game.redraw = () => draw(game);
    drawMessage();
    if (!game.picture) return;
    const { table, mine } = game.picture;
    if (named !== `${table.game.id} ${mine.seat ?? mine.role}`) {
      named = `${table.game.id} ${mine.seat ?? mine.role}`;
      tools.drafts = keptDrafts(named);
    }
    say(eyebrow, [mine.seat, table.game.title, table.game.turn ? `turn ${table.game.turn}, circuit ${table.game.circuit}` : null].filter(Boolean).join(" · "));
    say(title, table.game.heading);
    say(letters, table.game.fingerprint);
    set(root, "data-role", mine.role);
    set(root, "data-over", table.game.over ? "" : null);
    const inside = homeless || (root.contains(document.activeElement) && document.activeElement !== said);
    for (const one of panels) one.draw(game);
    if (all || drafted) drawForms();
    const open = Object.values(mine.decisions).filter((one) => one.must);
    const own = mine.role === "player" && !table.game.over;
    set(rest, "hidden", own && !open.length ? null : "");
    say(rest, "Nothing is to be decided by you just now.");
    const first = open[0];
    set(foot, "hidden", mine.role === "player" && first ? null : "");
    if (first) say(foot, first.action === "vote" ? `Vote on ${first.proposal}` : first.action === "move" ? "Make a move" : first.prompt.replace(/\.$/, ""));
    foot.meant = first ? `${first.action} ${first.proposal}` : "";
    // What had the focus is gone, or is answered: it goes to what is to be decided next, once the answer has come.
    const active = document.activeElement;
    const spent = active instanceof HTMLElement && root.contains(active) && active.getAttribute("aria-disabled") === "true" && !game.sending.size;
    homeless = inside && (!root.contains(active) || (spent && game.answered !== draw.answered));
    draw.answered = game.answered;
    if (homeless && !game.sending.size) {
      homeless = false;
      (next() ?? said).focus({ preventScroll: false });
    }
    presses.look();
    set(root, "data-step", game.step);
  }
  draw.answered = 0;

  // JupyterLab takes arrow keys and letters for its own, before a field hears of them, unless the field has this mark.
  const keep = (event) => {
    if (root.contains(event.target)) event.target.toggleAttribute("data-lm-suppress-shortcuts", !MODIFIERS.some((one) => event[one]));
  };
  window.addEventListener("keydown", keep, true);
  const { stop } = connect(model, draw);
  return () => {
    window.removeEventListener("keydown", keep, true);
    stop();
  };
}
export default { render };
