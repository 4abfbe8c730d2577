// The whole table, or one seat: the panels side by side, one view of the game for all of them.
import {
  aria, connect, fill, flag, fold, grow, h, hasFocus, labelled, offer, on, option, phrase, Presses, renew, say, set,
  storeOf, tell, unhide, UNREAD, upper, wider,
} from "./core.js";
import { boardsPanel } from "./boards.js";
import { due, votePanel } from "./vote.js";
import { decisionForm } from "./forms.js";
import { againButton, momentLayer, momentOf, podium } from "./moments.js";

/** Pixels from which on there are two columns, as in `style.css`. */
const WIDE = 840;
const ORDER = ["choose", "rule_on", "overrule", "consent", "roll", "seal", "reveal", "propose"];

/** Panels that not every page needs, by name: each puts itself in here. */
export const more = {};

/** What Python has drawn whole: the score, open judgments. */
export function treePanel(game, name, label, trees = (found) => found) {
  const el = h(`section.nnb-card.nnb-${name}`, aria(label));
  return {
    el,
    draw() {
      if (renew(el, game.table[name], (found) => trees(found).map(grow))) unhide(el, el.firstChild);
    },
  };
}

/** What happened last, and who is to do what. */
function pastPanel({ game, presses }) {
  const list = h("ol.nnb-history", aria("Last events")), waits = h("ul.nnb-waits");
  const others = h("div", h("h3.nnb-title", "Waiting for"), waits), happened = h("h3.nnb-title", "What happened");
  const el = h("section.nnb-card.nnb-past", aria("What happened"), others, happened, list);
  let rows = new Map();
  function newRow() {
    const words = h("span");
    return { words, el: h("li", words) };
  }
  return {
    el,
    draw() {
      const { table, mine } = game, alike = {}; // who is asked the same stands in one line
      for (const [sign, { prompt, player }] of Object.entries(table.waits)) {
        if (!(sign in mine.decisions)) (alike[prompt] ??= []).push(player);
      }
      const open = Object.entries(alike).map(([prompt, names]) => `${names.join(", ")}: ${prompt}`);
      unhide(others, open.length > 1 || (open.length && mine.role !== "player")); // the dock says one alone
      renew(waits, open.join("\n"), () => open.map((text) => h("li", text)));
      const shown = Object.keys(table.news).sort((a, b) => b - a).slice(0, 10);
      rows = new Map(shown.map((seq) => [seq, rows.get(seq) ?? newRow()]));
      for (const [seq, row] of rows) {
        say(row.words, table.news[seq].text);
        if (mine.role === "table") wider.shared.undoing(row, mine.undo[seq], game, presses);
      }
      fill(list, [...rows.values()].map((row) => row.el));
    },
  };
}

/** What stands beside the rest on a wide panel, in sheets that are opened on a narrow one. */
function sideSheets(contents, said, closed) {
  const title = h("h2"), body = h("div.nnb-column"), close = h("button.plain.nnb-link", "Close");
  const el = h("dialog.nnb-sheet", h("header", title, close), body);
  on(close, "click", () => el.close());
  on(el, "click", (event) => { if (event.target === el) el.close(); }); // beside the sheet
  on(el, "close", closed);
  return {
    el,
    open(name) {
      const [label, panels] = contents[name], els = panels.filter(Boolean).map((one) => one.el);
      say(title, label);
      set(el, "aria-label", label);
      fill(body, els);
      el.append(said); // or nobody would see what comes of what is done here
      unfold(els);
      el.showModal();
    },
  };
}
function unfold(els) {
  for (const one of els) if (one.tagName === "DETAILS") one.open = true;
}

/** The choice of a page’s theme, kept on this device; theme.js, which comes before all others, shows it. */
function themePanel() {
  const list = h("select", option("", "as on this device"), option("light"), option("dark"));
  list.value = nomicTheme();
  on(list, "change", () => nomicTheme(list.value));
  const el = labelled("Colours", list);
  el.classList.add("nnb-card");
  return { el, draw() {} };
}

/** Draw the panel for as long as it is there; return what ends it. */
export function render({ model, el }, begun = "") {
  const presses = new Presses(() => {
    const message = `the page has just changed; please press again. ${game.news}`;
    Object.assign(game, { message, news: "", bad: true, refusal: null });
    said.known = null; // so that it is said anew
    drawMessage();
  });
  const { game, lose, stop } = connect(model, draw);
  Object.assign(game, { redraw: draw, message: begun });
  const wanted = model.get("parts") ?? ["all"], all = wanted.includes("all"), device = model.get("device");
  const tools = { game, presses, device, model };
  const region = (name, label) => h(`div.nnb-decisions${name}`, { "aria-label": label, role: "region" });
  const forms = new Map(), formsEl = region("", "Your decisions");
  const mayEl = region(".nnb-may", "Optional actions");
  const boards = boardsPanel(tools), vote = votePanel(tools), past = pastPanel(tools);
  const aim = treePanel(game, "aim", "How to win"), polls = treePanel(game, "polls", "Polls");
  const score = treePanel(game, "score", "Score", (tree) => [tree]);
  const judged = treePanel(game, "judgments", "Judgments", Object.values);
  /** Where a change of a rule is proposed; and have one begun there. */
  tools.writes = () => game.open("propose")[0]?.[0];
  tools.begin = (change) => {
    called = true;
    draw();
    forms.get(tools.writes())?.begin(change);
  };
  tools.change = (rule) => tools.begin({ kind: "amend", target: rule.number });
  Object.assign(tools, { boards, vote });
  const added = Object.fromEntries(Object.entries(more).map(([name, make]) => [name, make(tools)]));
  const { aside, free, law, host, history, cells, machines, ways } = added, theme = device && themePanel();
  let ending = null, later = null;

  const link = (label, name) => presses.button(label, () => sheets.open(name), "plain.nnb-link");
  const face = h("span.nnb-face", UNREAD), me = h("bdi"), points = h("b"), target = h("span");
  const gameTitle = h(device ? "h1.nnb-game" : "span.nnb-game");
  const letters = h("span.nnb-letters", { title: "Fingerprint: the same for everyone who sees the same game" });
  const scoreButton = presses.button([points, target], () => sheets.open("score"), "plain.nnb-goal");
  const head = h("div.nnb-head", h("span.nnb-me", face, me, gameTitle),
    h("span.nnb-links", scoreButton, link("Rules", "rules"), link("More", "more")), letters);
  const eyebrow = h("p.nnb-eyebrow"), title = h("h2.nnb-heading", { tabindex: -1 });
  const own = presses.button("Play for yourself", () => game.act("machine", { who: game.mine.seat, kind: "" }, { sign: "machine" }));
  const notice = h("p.nnb-note.nnb-notice", { hidden: "" }), lede = h("div.nnb-lede", eyebrow, title, notice, own);
  const secrets = h("section.nnb-card.nnb-secrets", aria("Visible only to you"));
  const beside = [score, ways, machines, aside, host, free, law, history, past, cells, theme].filter(Boolean);
  const alone = !all && wider.alone(wanted, { vote, boards, score, polls, judgments: judged, past, ...added });
  const panels = alone ? alone.panels : [aim, boards, vote, judged, polls, ...beside];
  const elsOf = (some) => some.map((one) => one.el);
  const left = h("div.nnb-column.nnb-main", lede, formsEl, elsOf([boards, judged, polls, vote]), mayEl, secrets);
  const right = h("aside.nnb-column.nnb-side", aria("Score, rules and news"), elsOf([aim, ...beside]));
  const said = h("div.nnb-message", { role: "status", tabindex: -1 }), dueNow = h("p.nnb-now");
  const foot = presses.button("", () => next()?.focus(), "nnb-foot");
  const dueEl = h("div.nnb-due"), sendEl = h("div.nnb-due");
  const dock = h("section.nnb-dock", aria("Waiting for"), dueNow, dueEl, sendEl, vote.dock, foot);
  if (all) tools.dock = () => fill(sendEl, [...forms.values()].map((form) => form.sendRow()));
  const sheets = sideSheets({
    score: ["Score and news", [aim, score, past, polls]], rules: ["Rules", [law]],
    more: ["More", [machines, free, host, history, cells, theme]],
  }, said, () => {
    dock.prepend(said);
    draw();
  });
  const root = h("div.nnb-live.tex2jax_ignore.mathjax_ignore", said);
  flag(root, "data-part", !all);
  el.append(root);
  const notebook = wider.notebook?.({ model, root, said, lose });
  /** Only now can anything be opened or pressed. */
  function begin() {
    if (all) dock.prepend(said);
    root.append(...(alone ? alone.layout(formsEl) : [head, h("div.nnb-columns", left, dock, right), sheets.el]));
    if (alone) unfold(elsOf(panels));
  }
  // What leads somewhere covers nothing of it: where that is in the middle of the screen, the button is away.
  const middle = new IntersectionObserver((seen) => flag(foot, "data-there", seen.at(-1).isIntersecting),
    { rootMargin: "-45% 0px" });
  let leading = null, homeless = false, named = "", called = !wanted.includes("law"), answered = 0, id = "";

  const next = () => {
    const [open] = due(game);
    if (open && !vote.first()) vote.bring(open);
    return vote.first() || (game.open("move").length && boards.first())
      || [...forms.values()].map((form) => form.first()).find(Boolean);
  };
  /** What the page is about: the name of its state, a line over the title, and the title. */
  function stateNow(first) {
    const { table: { game: { heading, over, turn, circuit }, proposals }, mine: { role } } = game;
    const one = proposals[vote.shown()], round = turn ? `Turn ${turn}, round ${circuit}` : "";
    const voting = ["vote", `${one?.by} proposes`, one?.title || one?.headline];
    if (over) return ["won", "The game is over", heading];
    if (role === "wall" && one?.open) return voting;
    if (role !== "player") return ["table", round, heading];
    if (first ? first.action === "vote" : one?.open && !vote.dock.hidden) return voting;
    if (first?.action === "move") return ["move", heading, "Your move"];
    if (first?.action === "propose") return ["write", "Your turn", "What would you change?"];
    return first ? ["act", heading, first.prompt] : ["wait", round, heading];
  }
  function drawForms() {
    const { table, mine: { decisions, role } } = game, seats = Object.keys(table.seats);
    const wants = ({ action }) => (alone ? alone.answers.includes(action) : !["vote", "move"].includes(action));
    const rank = ({ must, action, player }) => (must ? 0 : 1e8) + ((ORDER.indexOf(action) + 1) || 99) * 1e5
      + seats.indexOf(player);
    const signs = Object.keys(decisions).filter((sign) => wants(decisions[sign]));
    signs.sort((a, b) => rank(decisions[a]) - rank(decisions[b]));
    for (const sign of [...forms.keys()]) if (!signs.includes(sign)) forms.delete(sign);
    const drawn = (sign) => {
      if (!forms.has(sign)) forms.set(sign, decisionForm(sign, decisions[sign], tools));
      forms.get(sign).draw(decisions[sign]);
      return forms.get(sign);
    };
    // What play waits for stands first, and what takes one press lies in the dock.
    const may = all ? signs.filter((sign) => !decisions[sign].must) : [];
    const must = signs.filter((sign) => !may.includes(sign)).map(drawn);
    const pressed = all && role === "player" && must.length === 1 && must[0].simple();
    tools.dock?.();
    fill(dueEl, pressed && elsOf(must));
    fill(formsEl, !pressed && (ways?.gather(elsOf(must)) ?? elsOf(must)));
    // What may be done on a proposal stands with the one that is shown.
    const here = ({ proposal }) => proposal === null || String(proposal) === vote.shown();
    fill(mayEl, elsOf(may.filter((sign) => here(decisions[sign])).map(drawn)));
  }

  function drawMessage() {
    const { lost, message, news, bad, refusal } = game;
    const anew = renew(said, JSON.stringify([lost, message, news, bad, refusal]), () => {
      if (lost) return [h("strong", lost)];
      if (!bad) return [news || message];
      const told = refusal?.options?.filter((one) => one.length < 80).slice(0, 3).join("; "); // and no list of moves
      return [h("strong", "That didn’t count. "), phrase([message, refusal?.rule && `${refusal.rule}.`,
        told && `You can: ${told}.`, news && `Since then: ${news}`])];
    });
    if (!anew) return;
    flag(said, "data-bad", bad || lost);
    notebook?.warn(bad || lost);
  }
  function drawHead({ table, mine }) {
    const { goal } = table, reached = goal && mine.seat ? table.scores?.[mine.seat]?.[goal.counter] ?? "0" : null;
    tell(face, mine.seat && [...mine.seat][0].toUpperCase());
    say(me, mine.seat ?? "");
    say(gameTitle, table.game.title);
    say(letters, table.game.fingerprint);
    tell(points, reached);
    say(target, reached === null ? "Score" : ` of ${goal.target}`);
    set(scoreButton, "aria-label", reached === null ? "Score and news"
      : `${reached} of ${goal.target} ${goal.counter}: show the score and news`);
  }

  function draw() {
    drawMessage();
    if (!game.table) return;
    if (id && id !== game.table.game.id) { // everybody plays again with these names: nothing here is of the new game
      end();
      root.remove();
      later = render({ model, el }, `A new game begins.${notebook ? " In a cell: game = game.play_again()" : ""}`);
      return;
    }
    ({ id } = game.table.game);
    if (!root.hasAttribute("data-step")) begin();
    const { table, mine } = game, { over, paused } = table.game, name = `${table.game.id} ${mine.seat ?? mine.role}`;
    if (named !== name) {
      named = name;
      tools.drafts = storeOf(named);
    }
    const plays = mine.role === "player" && !over, wall = mine.role === "wall";
    const must = Object.keys(mine.decisions).filter((sign) => mine.decisions[sign].must);
    const first = mine.decisions[must[0]];
    drawHead(game);
    set(root, "data-role", mine.role);
    root.classList.toggle("nnb-wall", wall);
    flag(root, "data-over", over);
    const inside = homeless || (hasFocus(root) && document.activeElement !== said);
    tools.goal = table.goal ?? tools.goal; // once a game is over, no rule says any more what wins
    if (all && over && !ending) showEnding();
    for (const one of panels) one.draw();
    ending?.draw();
    flag(root, "data-voting", table.proposals[vote.shown()]?.open);
    if (!all) called &&= !wanted.includes("law") || Boolean(tools.writes());
    unhide(formsEl, called);
    // Where a move can be made instead of what is written, both are seen at once, if there is room for that.
    const wide = root.clientWidth >= WIDE, formsRight = wide && game.open("move").length;
    drawForms();
    if (all) {
      const [state, line, heading] = stateNow(first), writing = hasFocus(left)
        && document.activeElement.matches("input, textarea, select");
      set(root, "data-state", state);
      say(eyebrow, ways ? "" : line); // which has its own
      say(title, ways ? "" : upper(heading));
      const machine = table.seats[mine.seat]?.machine;
      tell(notice, machine ? "A machine plays for you." : mine.forgets);
      unhide(own, machine);
      if (!writing && !sheets.el.open) {
        const calm = !wide && mine.role === "player" && ["wait", "won"].includes(state);
        const main = [...new Set([lede, ways?.el, ending?.el, state === "vote" && vote.el, state === "table" && aside?.el, !formsRight && formsEl,
          (!table.chess || state === "write") && aside?.el, ...elsOf([boards, judged, polls, vote]),
          aside?.el, mayEl, secrets, calm && past.el])];
        fill(left, main);
        fill(right, [formsRight && formsEl, ...elsOf([aim, ...beside])].filter((one) => !main.includes(one)));
      }
    }
    tell(secrets, mine.secrets.length && `Visible only to you: ${mine.secrets.join("; ")}.`);
    const voting = !vote.dock.hidden && plays;
    unhide(foot, plays && first && first.action !== "vote" && !dueEl.firstChild && !sendEl.firstChild);
    const leads = first && ({ move: boards.el, vote: vote.el }[first.action] ?? forms.get(must[0])?.el);
    if (leads !== leading) {
      middle.disconnect();
      flag(foot, "data-there", false);
      if (leads) middle.observe(leads);
      leading = leads;
    }
    tell(dueNow, !(over || first || wall || voting) && (paused ? "The game is paused." : table.waiting));
    unhide(dock, !wall);
    if (first) say(foot, first.action === "move" ? "Make a move" : first.prompt.replace(/\.$/, ""));
    foot.meant = first ? `${first.action} ${first.proposal}` : "";
    // What had the focus is gone, or is answered: it goes to what is to be decided next, once the answer has come.
    const active = document.activeElement, waits = game.sending.size;
    const spent = root.contains(active) && active.getAttribute("aria-disabled") === "true" && !waits;
    homeless = inside && (!root.contains(active) || (spent && game.answered !== answered));
    answered = game.answered;
    if (homeless && !waits) {
      homeless = false;
      (next() || said).focus({ preventScroll: false });
    }
    if (device) drawMoment(game);
    presses.look();
    set(root, "data-step", game.step);
  }
  /** The end of a game has a panel of its own, which a page loads only then. */
  async function showEnding() {
    ending = { draw() {} };
    const { endingPanel } = device ? await device.ending() : { endingPanel: wider.ending };
    ending = endingPanel(tools, { againButton, aria, fill, fold, h, offer, on, podium, say, unhide });
    draw();
  }
  let layer = null, told = -1, ended = true;
  /** Tell large what happened since the last drawing; what was there when the page was opened is no news. */
  function drawMoment({ table, mine, step }) {
    const { over } = table.game, first = told < 0, fresh = game.fresh(told), ends = over && !ended;
    [told, ended] = [step, over];
    const moment = first ? null : momentOf(fresh, table, tools.goal, ends);
    if (!moment || (mine.role === "table" && !ends)) return;
    (layer ??= momentLayer(root, tools)).show(moment, mine.role);
  }
  function end() {
    notebook?.stop();
    middle.disconnect();
    stop();
  }
  return () => (later ?? end)();
}
export default { render };
