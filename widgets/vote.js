// A proposal and the vote on it.
import { grow, h, hold, keeper, say, set, unhide } from "./core.js";
import { movementPicture } from "./movement.js";

const MARKS = { for: "✓", against: "✗", abstain: "○", sealed: "■" }, SIDES = ["for", "against", "abstain"];
const TONES = { adopted: "yes", defeated: "no", lapsed: "no", "without effect": "no", open: "open", debate: "open" };

/** A fraction or a whole number, as Python writes it. */
export function amount(text) {
  const [above, below = "1"] = String(text ?? "0").split("/");
  return Number(above) / Number(below);
}
/** The voters in seating order, then those that sit no more. */
function inOrder(names, seats) {
  const seated = Object.keys(seats).filter((name) => name in names);
  return [...seated, ...Object.keys(names).filter((name) => !(name in seats))];
}

const upper = (text) => text[0].toUpperCase() + text.slice(1);

/** The proposals that play waits for a vote on here. */
export function due({ picture: { mine } }) {
  return Object.values(mine.decisions).filter((one) => one.action === "vote" && one.must).map((one) => String(one.proposal));
}

const VERBS = { amend: "amends", repeal: "repeals", transmute: "transmutes", rename: "renames" };
/** What a proposal changes, in a line: “Proposal 301 · amends rule 203, “All must agree””. */
function about(one, number) {
  const what = one.kind === "enact" ? "a new rule" : VERBS[one.kind] && one.rule ? `${VERBS[one.kind]} rule ${one.rule}${one.old_title ? `, “${one.old_title}”` : ""}` : one.headline;
  return `Proposal ${number} · ${what}`;
}

/** The panel: {el, dock, draw, first}; the dock holds the ballots of a seat. */
export function votePanel(presses) {
  const tabs = h("div.nnb-tabs", { role: "group", "aria-label": "Proposals" });
  const status = h("span.nnb-chip"), title = h("h3.nnb-title"), by = h("p.nnb-by"), maker = h("p.nnb-eyebrow");
  const what = h("div.nnb-what"), plain = h("ul.nnb-plain"), clauses = h("details.nnb-fold"), moves = h("section.nnb-movement", { "aria-label": "Movement" }), odd = h("section.nnb-odd", { "aria-label": "Check before you vote" });
  const note = h("p.nnb-note");
  const yes = h("span.nnb-yes"), no = h("span.nnb-no"), dark = h("span.nnb-dark");
  const need = h("span.nnb-need"), needs = h("span.nnb-needs");
  const bar = h("div.nnb-bar", { role: "img" }, h("div.nnb-track", {}, yes, dark, no), need, needs);
  const verdict = h("p.nnb-verdict", { tabindex: 0 });
  const own = h("div.nnb-own", { role: "group", "aria-label": "Your ballot" });
  const tiles = h("ul.nnb-tiles", { "aria-label": "Ballots" });
  const later = h("p.nnb-note", { hidden: "" }, "You vote on this in your own turn.");
  const vote = h("div.nnb-vote", {}, bar, later, tiles, verdict);
  const none = h("p.nnb-quiet", {}, "Nobody has proposed anything yet.");
  const el = h("section.nnb-card.nnb-proposal", { "aria-label": "Vote" }, none, tabs,
    h("div.nnb-head2", {}, maker, status), title, by, note, what, plain, moves, clauses, odd, vote);
  const yours = h("b"), cast = h("span"), dock = h("div.nnb-ballots", {}, own, h("p.nnb-count", {}, yours, cast));
  let game, chosen = null, known = "", shownWhat = null, shownOdd = null, shownClauses = null, shownPlain = null, oddOf = null, shownMoves = null;
  const keep = keeper();

  const ballotsOf = (name) => SIDES.map((side) => presses.add(
    h(`button.nnb-ballot.${side}`, {}, h("span.nnb-sign", { "aria-hidden": "true" }, MARKS[side]), ` ${side[0].toUpperCase()}${side.slice(1)}`),
    () => {
      const sign = `vote:${chosen}:${name()}`, one = game.picture.mine.decisions[sign];
      if (one) game.act("vote", { ballot: side }, { sign, key: one.key });
    },
  ));
  const ballots = ballotsOf(() => game.picture.mine.seat);
  own.append(...ballots);

  function tile(name) {
    const cast = h("span.nnb-cast"), weight = h("span.nnb-weight");
    const one = { cast, weight, el: h("li.nnb-tile", {}, h("bdi.nnb-name", {}, name), weight, cast), buttons: null };
    return one;
  }
  /** Whether a ballot can be cast: then its buttons are open; what was cast stays marked. */
  function open(buttons, sign, cast, choices) {
    const one = game.picture.mine.decisions[sign];
    const busy = game.busy(sign);
    const sides = one?.fields[0]?.options.map((option) => option[0]) ?? [];
    buttons.forEach((button, at) => {
      const side = SIDES[at];
      button.meant = one ? `${sign} ${one.key}` : sign;
      unhide(button, choices.includes(side));
      set(button, "aria-disabled", sides.includes(side) && !busy ? null : "true");
      set(button, "aria-pressed", cast === side ? "true" : "false");
    });
  }

  function choose(proposals) {
    const numbers = Object.keys(proposals);
    const opened = numbers.filter((one) => proposals[one].open);
    const mine = due(game);
    const last = opened.at(-1) ?? numbers.at(-1) ?? null;
    // Another proposal comes up by itself only where it is new, or the one that was chosen is gone or done.
    if (!(chosen in proposals) || (known !== last && !mine.includes(chosen))) chosen = mine[0] ?? last;
    known = last;
  }

  function draw(given) {
    game = given;
    const { table, mine } = game.picture;
    choose(table.proposals);
    const one = table.proposals[chosen];
    for (const part of [tabs, maker, status, title, by, what, odd, vote]) unhide(part, one);
    unhide(none, !one);
    unhide(note, one?.note && one.open);
    unhide(dock, one);
    for (const part of [plain, clauses, moves]) if (!one) unhide(part, false);
    if (!one) return;
    const numbers = Object.keys(table.proposals);
    unhide(tabs, numbers.length > 1);
    hold(tabs, numbers.map((at) => {
      const tab = keep(`tab ${at}`, () => presses.add(h("button.nnb-tab"), () => { chosen = at; game.redraw(); }));
      const { title } = table.proposals[at];
      say(tab, `${at} ${title.length > 30 ? `${title.slice(0, 29)}…` : title}`.trim());
      set(tab, "aria-pressed", String(at === chosen));
      const waits = due(game).includes(at);
      set(tab, "data-waits", waits ? "" : null);
      set(tab, "aria-label", `Proposal ${[at, table.proposals[at].title].filter(Boolean).join(" ")}, ${table.proposals[at].status}${waits ? ", to be voted on" : ""}`);
      return tab;
    }));
    say(maker, `${one.by} proposes`);
    say(status, one.status);
    set(status, "data-tone", TONES[one.status] ?? null);
    say(title, one.title ? upper(one.title) : one.headline);
    say(by, about(one, chosen));
    say(note, `Stale: ${one.note}.`);
    if (shownWhat !== one.what) what.replaceChildren(...(shownWhat = one.what).map(grow));
    unhide(clauses, one.clauses?.length);
    if (shownClauses !== one.clauses) clauses.replaceChildren(h("summary", {}, "Clauses the game enforces"), ...(shownClauses = one.clauses ?? []).map(grow));
    unhide(moves, one.moves);
    if (shownMoves !== one.moves) moves.replaceChildren(...((shownMoves = one.moves) ? movementPicture(one.moves) : []));
    unhide(plain, one.said?.length);
    if (shownPlain !== one.said) plain.replaceChildren(...(shownPlain = one.said ?? []).map((line) => h("li", {}, line)));
    if (shownOdd !== one.odd) {
      shownOdd = one.odd;
      const lines = one.odd.map(([line, evidence]) => evidence
        ? h("li", {}, h("details", {}, h("summary", {}, line), h("p", {}, evidence))) : h("li", {}, line));
      if (chosen !== oddOf) [oddOf, odd.style.minHeight] = [chosen, ""];
      else if (odd.offsetHeight) odd.style.minHeight = `${odd.getBoundingClientRect().height}px`; // so that nothing below moves up under a press
      odd.replaceChildren(...(lines.length ? [h("p.nnb-label", {}, "Check before you vote"), h("ul", {}, ...lines)] : []));
    }
    unhide(odd, one.open && (one.odd.length || odd.style.minHeight));
    unhide(vote, one.vote);
    if (one.vote) drawVote(one.vote, table, mine);
  }

  function drawVote(told, table, mine) {
    const of = amount(told.of) || 1, share = (text) => `${(100 * amount(text)) / of}%`;
    const sealed = told.for === null;
    yes.style.width = sealed ? "0" : share(told.for);
    no.style.width = sealed ? "0" : share(told.against);
    dark.style.width = sealed ? share(told.cast) : "0";
    const label = (side) => (sealed || !amount(told[side]) ? "" : `${MARKS[side]} ${told[side]}${amount(told[side]) / of > 0.2 ? ` ${side}` : ""}`);
    say(yes, label("for"));
    say(no, label("against"));
    say(dark, sealed && amount(told.cast) ? `■ ${told.cast} cast, sealed` : "");
    unhide(bar, amount(told.of) || amount(told.quota)); // no bar where nobody votes
    const at = Math.min(1, amount(told.quota) / of);
    unhide(need, told.quota);
    need.style.left = needs.style.left = `${100 * at}%`;
    set(needs, "data-side", at > 0.5 ? "left" : "right");
    say(needs, told.unanimous ? "all must agree" : told.quota ? `${told.quota} needed` : "");
    set(bar, "aria-label", told.verdict);
    say(verdict, told.verdict);
    set(verdict, "data-tone", TONES[table.proposals[chosen].status] ?? null);
    const voter = mine.seat !== null && mine.seat in told.voters;
    unhide(dock, mine.role === "player" && voter && table.proposals[chosen].open);
    const mark = told.ballots[mine.seat], in_ = Object.keys(told.ballots).length, all = Object.keys(told.voters).length;
    say(yours, mark ? `You voted ${mark}. ` : "");
    say(cast, in_ === all ? "Everyone has voted" : `${in_} of ${all} ${all === 1 ? "has" : "have"} voted`);
    set(dock, "data-cast", mark ? "" : null);
    if (voter) open(ballots, `vote:${chosen}:${mine.seat}`, told.ballots[mine.seat], told.choices);
    unhide(later, voter && told.own_turn && mine.role === "player" && !(mine.seat in told.ballots) && !mine.decisions[`vote:${chosen}:${mine.seat}`]);
    const plain = Object.values(told.voters).every((weight) => weight === "1");
    hold(tiles, inOrder(told.voters, table.seats).map((name) => {
      const one = keep(`tile ${name}`, () => tile(name)), cast = told.ballots[name];
      set(one.el, "data-cast", cast ?? null);
      set(one.el, "data-me", name === mine.seat ? "" : null);
      say(one.weight, plain ? "" : `× ${told.voters[name]}`);
      say(one.cast, cast ? `${MARKS[cast] ?? ""}${mine.role === "wall" ? "" : ` ${cast}`}` : table.seats[name]?.here === false ? "absent" : "…");
      if (mine.role === "table") {
        if (!one.buttons) {
          one.buttons = ballotsOf(() => name);
          one.buttons.forEach((button, at) => set(button, "aria-label", `${name} votes ${SIDES[at]}`));
          one.el.append(h("span.nnb-pair", {}, ...one.buttons));
        }
        open(one.buttons, `vote:${chosen}:${name}`, cast, told.choices);
      }
      return one.el;
    }));
  }

  return {
    el, dock, draw,
    /** The first ballot that can be cast here. */
    first: () => [dock, el].flatMap((one) => [...one.querySelectorAll(".nnb-ballot:not([aria-disabled])")]).find((one) => one.checkVisibility()),
    /** The proposal that is shown. */
    shown: () => chosen,
    /** Bring up a proposal. */
    bring(number) {
      if (number in game.picture.table.proposals) chosen = number;
      game.redraw();
    },
  };
}
