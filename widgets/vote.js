// A proposal and the vote on it.
import {
  aria, boxOf, called, fill, flag, group, grow, h, keeper, renew, say, set, unhide, UNREAD, upper, visible, wider,
} from "./core.js";
import { movementPicture } from "./movement.js";

const MARKS = { __proto__: null, for: "✓", against: "✗", abstain: "○", sealed: "■" };
/** The sign of a ballot. */
export const signOf = (ballot) => MARKS[ballot] ?? "•";
const TONES = { adopted: "yes", defeated: "no", lapsed: "no", "without effect": "no", open: "open", debate: "open" };

/** A fraction or a whole number, as Python writes it. */
export function amount(text) {
  const [above, below = 1] = String(text ?? 0).split("/");
  return above / below;
}
/** The voters in seating order, then those that sit no more. */
const inOrder = (names, seats) => Object.keys({ ...seats, ...names }).filter((one) => one in names);

/** The proposals that play waits for a vote on here. */
export function due(game) {
  return game.open("vote").filter(([, one]) => one.must).map(([, one]) => String(one.proposal));
}

const VERBS = { amend: "amends", repeal: "repeals", transmute: "transmutes", rename: "renames" };
/** What a proposal changes, in a line: “Proposal 301 · amends rule 203, “All must agree””. */
function about({ kind, rule, old_title: old, headline }, number) {
  const what = VERBS[kind] && rule ? `${VERBS[kind]} rule ${rule}${old ? `, “${old}”` : ""}` : headline;
  return `Proposal ${number} · ${kind === "enact" ? "a new rule" : what}`;
}

/** The panel: {el, dock, draw, first}; the dock holds the ballots of a seat. */
export function votePanel({ game, presses }) {
  const tabs = group("nnb-tabs", "Proposals"), own = group("nnb-own", "Your ballot");
  const status = h("span.nnb-chip"), title = h("h3.nnb-title"), by = h("p.nnb-by"), maker = h("p.nnb-eyebrow");
  const what = h("div.nnb-what"), plain = h("ul.nnb-plain"), clauses = h("details.nnb-fold");
  const moves = h("section.nnb-movement", aria("Movement")), note = h("p.nnb-note");
  const odd = h("section.nnb-odd", aria("Check before you vote"));
  const yes = h("span.nnb-yes"), no = h("span.nnb-no"), dark = h("span.nnb-dark");
  const need = h("span.nnb-need"), needs = h("span.nnb-needs");
  const bar = h("div.nnb-bar", { role: "img" }, h("div.nnb-track", yes, dark, no), need, needs);
  const verdict = h("p.nnb-verdict", { tabindex: 0 }), tiles = h("ul.nnb-tiles", aria("Ballots"));
  const later = h("p.nnb-note", { hidden: "" }, "You vote on this in your own turn.");
  const vote = h("div.nnb-vote", bar, later, tiles, verdict),
    none = h("p.nnb-quiet", "Nobody has proposed anything yet.");
  const el = h("section.nnb-card.nnb-proposal", aria("Vote"), none, tabs,
    h("div.nnb-head2", maker, status), title, by, note, what, plain, moves, clauses, odd, vote);
  const yours = h("b"), cast = h("span"), dock = h("div.nnb-ballots", own, h("p.nnb-count", yours, cast));
  const keep = keeper();
  let chosen = null, known = "", oddOf = null;

  /** The buttons with which somebody votes on the proposal that is shown: open if they can; what was cast stays marked. */
  function ballotsOf(name, { ballots: { [name]: mark }, choices }, label) {
    const sign = `vote:${chosen}:${name}`, one = game.mine.decisions[sign], busy = game.busy(sign);
    const sides = one?.fields[0]?.options.map(([side]) => side) ?? [];
    return choices.map((side) => {
      const button = keep(`${name} ${side}${label ? " tile" : ""}`, () => presses.button(
        [h("span.nnb-sign", UNREAD, signOf(side)), ` ${upper(side)}`], () => button.work(),
        `nnb-ballot${side in MARKS ? `.${side}` : ""}`,
      ));
      button.work = () => one && game.act("vote", { ballot: side }, { sign, key: one.key });
      button.meant = one ? `${sign} ${one.key}` : sign;
      set(button, "aria-disabled", sides.includes(side) && !busy ? null : "true");
      set(button, "aria-pressed", mark === side);
      set(button, "aria-label", label ? `${name} votes ${side}` : null);
      return button;
    });
  }

  function tile(name) {
    const mark = h("span.nnb-cast"), weight = h("span.nnb-weight");
    return { mark, weight, el: h("li.nnb-tile", h("bdi.nnb-name", name), weight, mark) };
  }

  function choose(proposals) {
    const numbers = Object.keys(proposals), mine = due(game);
    const last = numbers.findLast((one) => proposals[one].open) ?? numbers.at(-1) ?? null;
    // Another proposal comes up by itself only where it is new, or the one that was chosen is gone or done.
    if (!(chosen in proposals) || (known !== last && !mine.includes(chosen))) chosen = mine[0] ?? last;
    known = last;
  }

  function draw() {
    const { proposals } = game.table;
    choose(proposals);
    const one = proposals[chosen];
    for (const part of [tabs, maker, status, title, by, what, dock]) unhide(part, one);
    unhide(none, !one);
    unhide(note, one?.note && one.open);
    unhide(plain, one?.said?.length);
    unhide(clauses, one?.clauses?.length);
    unhide(moves, one?.moves);
    unhide(vote, one?.vote);
    if (!one) return unhide(odd, false);
    drawTabs(proposals);
    say(maker, `${one.by} proposes`);
    say(status, one.status);
    set(status, "data-tone", TONES[one.status]);
    say(title, one.title ? upper(one.title) : one.headline);
    say(by, about(one, chosen));
    say(note, `Stale: ${one.note}.`);
    renew(what, one.what, (trees) => trees.map(grow));
    renew(clauses, one.clauses, (trees = []) => [h("summary", "Clauses the game enforces"), trees.map(grow)]);
    renew(moves, one.moves, (found) => found && movementPicture(found));
    renew(plain, one.said, (lines = []) => lines.map((line) => h("li", line)));
    drawOdd(one);
    if (one.vote) drawVote(one, game);
  }
  function drawTabs(proposals) {
    const numbers = Object.keys(proposals), waiting = due(game);
    unhide(tabs, numbers.length > 1);
    fill(tabs, numbers.map((at) => {
      const show = () => {
        chosen = at;
        game.redraw();
      };
      const tab = keep(`tab ${at}`, () => presses.button("", show, "nnb-tab")),
        { title: full, status: now } = proposals[at];
      const waits = waiting.includes(at);
      say(tab, `${at} ${full.length > 30 ? `${full.slice(0, 29)}…` : full}`.trim());
      set(tab, "aria-pressed", at === chosen);
      flag(tab, "data-waits", waits);
      set(tab, "aria-label", `Proposal ${`${at} ${full}`.trim()}, ${now}${waits ? ", to be voted on" : ""}`);
      return tab;
    }));
  }
  function drawOdd({ open: votable, odd: lines }) {
    if (odd.known !== lines) {
      if (chosen !== oddOf) [oddOf, odd.style.minHeight] = [chosen, ""];
      // So that nothing below moves up under a press.
      else if (odd.offsetHeight) odd.style.minHeight = `${boxOf(odd).height}px`;
      renew(odd, lines, () => lines.length && [h("p.nnb-label", "Check before you vote"),
        h("ul", lines.map(([line, evidence]) =>
        h("li", evidence ? h("details", h("summary", line), h("p", evidence)) : line)))]);
    }
    unhide(odd, votable && !game.table.game.over && (lines.length || odd.style.minHeight));
  }

  function drawVote({ vote: told, open: votable, status: now }, { table, mine: { seat, role, decisions } }) {
    const { seats, game: { over, paused } } = table;
    const of = amount(told.of) || 1, share = (text) => 100 * amount(text) / of, sealed = told.for === null;
    const draws = (part, wanted, text, label) => {
      part.style.width = wanted ? `${share(text)}%` : "0";
      say(part, wanted && amount(text) ? label : "");
    };
    for (const [part, side] of [[yes, "for"], [no, "against"]]) {
      draws(part, !sealed, told[side], `${MARKS[side]}\u00a0${told[side]} ${side}`);
    }
    draws(dark, sealed, told.cast, `■\u00a0${told.cast} cast,\u00a0sealed`);
    unhide(bar, amount(told.of) || amount(told.quota)); // no bar where nobody votes
    const at = Math.min(100, share(told.quota));
    unhide(need, told.quota);
    need.style.left = needs.style.left = `${at}%`;
    set(needs, "data-side", at > 50 ? "left" : "right");
    say(needs, told.unanimous ? "all must agree" : told.quota ? `${told.quota} needed` : "");
    set(bar, "aria-label", told.verdict);
    say(verdict, told.verdict);
    set(verdict, "data-tone", TONES[now]);
    const voter = seat !== null && seat in told.voters, mine = told.ballots[seat];
    unhide(dock, role === "player" && voter && votable && !over);
    const done = Object.keys(told.ballots).length, all = Object.keys(told.voters).length;
    const stands = votable && !paused && !decisions[`vote:${chosen}:${seat}`] && " You can’t change it.";
    const said = told.through[seat] ? `${told.through[seat]} voted for you: ${mine}` : mine === "sealed" ? "Your ballot is sealed" : `You voted ${mine}`;
    say(yours, mine ? `${said}.${stands || ""} ` : "");
    say(cast, done === all ? "Everyone has voted" : `${done} of ${all} ${all === 1 ? "has" : "have"} voted`);
    flag(dock, "data-cast", mine);
    if (voter) fill(own, ballotsOf(seat, told));
    unhide(later, voter && told.own_turn && role === "player" && !mine && !decisions[`vote:${chosen}:${seat}`]);
    const alike = Object.values(told.voters).every((weight) => weight === "1");
    fill(tiles, inOrder(told.voters, seats).map((name) => {
      const one = keep(`tile ${name}`, () => tile(name)), ballot = told.ballots[name];
      set(one.el, "data-cast", ballot);
      flag(one.el, "data-me", name === seat);
      say(one.el.firstChild, called(name, seats));
      say(one.weight, alike ? "" : `× ${told.voters[name]}`);
      const by = told.through[name], marked = role === "wall" ? MARKS[ballot] ?? ballot : `${signOf(ballot)} ${ballot}${by ? `, through ${by}` : ""}`;
      say(one.mark, ballot ? marked : seats[name]?.here === false ? "absent" : "…");
      if (role === "table") fill(wider.shared.ballots(one), ballotsOf(name, told, true));
      return one.el;
    }));
  }

  return {
    el, dock, draw, signOf,
    /** The first ballot that can be cast here. */
    first: () => visible([dock, el].flatMap((one) => [...one.querySelectorAll(".nnb-ballot:not([aria-disabled])")])),
    /** The proposal that is shown. */
    shown: () => chosen,
    /** Bring up a proposal. */
    bring(number) {
      if (number in game.table.proposals) chosen = number;
      game.redraw();
    },
  };
}
