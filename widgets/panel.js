// The whole table, or one seat: the panels side by side, one picture for all of them.
import { connect, drafts, grow, h, hold, Presses, say, set, unhide } from "./core.js";
import { boardsPanel } from "./boards.js";
import { due, votePanel } from "./vote.js";
import { decisionForm } from "./forms.js";
import { momentLayer, momentOf } from "./moments.js";

/** Pixels from which on there are two columns, as in `style.css`. */
const WIDE = 840;
const MODIFIERS = ["ctrlKey", "metaKey", "altKey"];
const ORDER = ["choose", "rule_on", "overrule", "consent", "roll", "seal", "reveal", "propose"];

/** Panels that not every page needs, by name: each puts itself in here. */
export const more = {};

/** What is answered in panels that stand alone. */
const FORMS = { proposal: ["propose", "revise"], law: ["propose"], judge: ["rule_on", "overrule", "consent"] };

/** Drafts of forms, by what they answer; kept over a reload of the page. */
function keptDrafts(name) {
  const store = drafts(name), all = store.read();
  return {
    of: (sign) => all[sign] ?? {},
    works: store.write(all),
    keep(sign, values) {
      all[sign] = values;
      return store.write(all);
    },
    forget(sign) {
      delete all[sign];
      store.write(all);
    },
  };
}

/** What Python has drawn whole: the score, open judgments. */
export function treePanel(name, label, trees) {
  const el = h(`section.nnb-card.nnb-${name}`, { "aria-label": label });
  let seen = null;
  return {
    el,
    draw({ picture: { table } }) {
      if (seen === table[name]) return;
      seen = table[name];
      el.replaceChildren(...trees(seen).map(grow));
      unhide(el, el.childNodes.length);
    },
  };
}

/** What happened last, and who is to do what. */
function pastPanel(presses) {
  const list = h("ol.nnb-history", { "aria-label": "Last events" }), waits = h("ul.nnb-waits"), others = h("div", {}, h("h3.nnb-title", {}, "Waiting for"), waits);
  const el = h("section.nnb-card.nnb-past", { "aria-label": "What happened" }, others, h("h3.nnb-title", {}, "What happened"), list);
  let waited = null, game;
  const rows = new Map();
  /** An event, with a button where what it belongs to can be taken back. */
  function row(seq, text, act) {
    if (!rows.has(seq)) {
      const words = h("span"), button = presses.add(h("button.plain", {}, "Take back"), () => game.act("undo", { event: button.act, seen: game.step }, { sign: "undo" }));
      rows.set(seq, { el: h("li", {}, words, button), words, button });
    }
    const { el, words, button } = rows.get(seq);
    say(words, text);
    unhide(button, act);
    set(button, "aria-label", `Take back: ${text}`);
    Object.assign(button, { act, meant: `${act} ${game.step}` });
    return el;
  }
  return {
    el,
    draw(now) {
      game = now;
      const { table, mine } = game.picture;
      const alike = {}; // who is asked the same stands in one line
      for (const [sign, one] of Object.entries(table.waits)) if (!(sign in mine.decisions)) (alike[one.prompt] ??= []).push(one.player);
      const open = Object.entries(alike).map(([prompt, names]) => `${names.join(", ")}: ${prompt}`);
      unhide(others, open.length > 1 || (open.length && mine.role !== "player")); // the dock says one alone
      if (waited !== open.join("\n")) {
        waited = open.join("\n");
        waits.replaceChildren(...open.map((text) => h("li", {}, text)));
      }
      const shown = Object.keys(table.news).sort((a, b) => Number(b) - Number(a)).slice(0, 10);
      for (const seq of rows.keys()) if (!shown.includes(seq)) rows.delete(seq);
      hold(list, shown.map((seq) => row(seq, table.news[seq].text, mine.undo[seq])));
    },
  };
}

/** What stands beside the rest on a wide panel, in sheets that are opened on a narrow one. */
function sideSheets(contents, closed) {
  const title = h("h2"), body = h("div.nnb-column"), close = h("button.plain.nnb-link", {}, "Close");
  const el = h("dialog.nnb-sheet", {}, h("header", {}, title, close), body);
  close.addEventListener("click", () => el.close());
  el.addEventListener("click", (event) => { if (event.target === el) el.close(); }); // beside the sheet
  el.addEventListener("close", closed);
  return {
    el,
    open(name) {
      const [label, panels] = contents[name];
      say(title, label);
      set(el, "aria-label", label);
      const els = panels.filter(Boolean).map((one) => one.el);
      body.replaceChildren(...els);
      for (const one of els) if (one.tagName === "DETAILS") one.open = true;
      el.showModal();
    },
  };
}

/** Draw the panel for as long as it is there; return what ends it. */
export function render({ model, el }, before = null) {
  const presses = new Presses(() => {
    Object.assign(game, { message: `the page changed under your press; press again. ${game.news}`, news: "", bad: true, refusal: null });
    said.dataset.key = ""; // so that it is said anew
    drawMessage();
  });
  const wanted = model.get("parts") ?? ["all"], all = wanted.includes("all");
  const device = Boolean(model.get("device"));
  const face = h("span.nnb-face", { "aria-hidden": "true" }), me = h("bdi"), gameTitle = h(device ? "h1.nnb-game" : "span.nnb-game");
  const eyebrow = h("p.nnb-eyebrow"), title = h("h2.nnb-heading", { tabindex: -1 }), letters = h("span.nnb-letters", { title: "Fingerprint: the same for everyone who sees the same game" });
  const said = h("div.nnb-message", { role: "status", tabindex: -1 }), foot = h("button.nnb-foot", {}), dueNow = h("p.nnb-now");
  const forms = new Map(), formsEl = h("div.nnb-decisions", { "aria-label": "What is to be decided", role: "region" });
  const mayEl = h("div.nnb-decisions.nnb-may", { "aria-label": "What may be decided", role: "region" });
  const secrets = h("section.nnb-card.nnb-secrets", { "aria-label": "What only you see" });
  const boards = boardsPanel(presses), vote = votePanel(presses), past = pastPanel(presses);
  const aim = treePanel("aim", "The aim of the game", (trees) => trees), score = treePanel("score", "Score", (tree) => [tree]), judged = treePanel("judgments", "Judgments", Object.values), polls = treePanel("polls", "What rules ask", (trees) => trees);
  const tools = { presses, device, drafts: { of: () => ({}), keep() {}, forget() {} } };
  const writes = () => Object.keys(game.picture.mine.decisions).find((sign) => game.picture.mine.decisions[sign].action === "propose");
  /** Have a change of a rule begun in the form of a proposal. */
  const change = (rule) => { called = true; draw(game); forms.get(writes())?.begin({ kind: "amend", target: rule.number }); };
  Object.assign(tools, { writes, change, game: () => game, goal: () => goal });
  const added = Object.fromEntries(Object.entries(more).map(([name, make]) => [name, make(tools)])), { free, law, host, history, cells, theme } = added;
  let { ending } = added;
  const points = h("b"), target = h("span");
  const scoreButton = presses.add(h("button.plain.nnb-goal", {}, points, target), () => sheets.open("score"));
  const rulesButton = presses.add(h("button.plain.nnb-link", {}, "Rules"), () => sheets.open("rules")), moreButton = presses.add(h("button.plain.nnb-link", {}, "More"), () => sheets.open("more"));
  const head = h("div.nnb-head", {}, h("span.nnb-me", {}, face, me, gameTitle), h("span.nnb-links", {}, scoreButton, rulesButton, moreButton), letters);
  const notice = h("p.nnb-note.nnb-notice", { hidden: "" }), lede = h("div.nnb-lede", {}, eyebrow, title, notice);
  const single = { vote, boards, score, polls, judgments: judged, past, ...added }, beside = [score, host, free, law, history, past, cells, theme].filter(Boolean);
  const panels = all ? [aim, boards, vote, judged, polls, ...beside] : wanted.map((name) => single[name]).filter(Boolean), els = panels.map((one) => one.el);
  const answers = all ? null : wanted.flatMap((name) => FORMS[name] ?? []);
  const left = h("div.nnb-column.nnb-main", {}, lede, formsEl, boards.el, judged.el, polls.el, vote.el, mayEl, secrets), right = h("aside.nnb-column.nnb-side", { "aria-label": "Score, rules and news" }, aim.el, ...beside.map((one) => one.el));
  const dueEl = h("div.nnb-due"), sendEl = h("div.nnb-due"), dock = h("section.nnb-dock", { "aria-label": "What the game waits for" }, said, dueNow, dueEl, sendEl, vote.dock, foot);
  if (all) tools.dock = () => hold(sendEl, [...forms.values()].map((form) => form.sendRow()).filter(Boolean));
  const sheets = sideSheets({ score: ["Score and news", [aim, score, past, polls]], rules: ["Rules", [law]], more: ["More", [free, host, history, cells, theme]] }, () => game.redraw());
  // What goes wrong is seen also where the line that says so is not, until the next press or key.
  const near = h("div.nnb-near", { popover: "manual", "aria-hidden": "true" });
  const root = h("div.nnb-live.tex2jax_ignore.mathjax_ignore", {}, said, near);
  const line = new IntersectionObserver((seen) => { away = !seen.at(-1).isIntersecting; });
  line.observe(said);
  for (const how of ["pointerdown", "keydown"]) root.addEventListener(how, () => near.togglePopover(false));
  if (!all) set(root, "data-part", "");
  el.append(root);
  /** Only now can anything be opened or pressed. */
  function begin() {
    if (all) dock.prepend(said);
    root.append(...(all ? [head, h("div.nnb-columns", {}, left, dock, right), sheets.el] : [...els, ...(wanted.includes("vote") ? [vote.dock] : []), ...(answers.length ? [formsEl] : [])]));
    if (!all) for (const one of els) if (one.tagName === "DETAILS") one.open = true;
  }
  presses.add(foot, () => next()?.focus());
  // What leads somewhere covers nothing of it: where that is in the middle of the screen, the button is away.
  const middle = new IntersectionObserver((seen) => set(foot, "data-there", seen.at(-1).isIntersecting ? "" : null), { rootMargin: "-45% 0px" });
  let leading = null;
  let game, stop, goal = null, played = "", away = false, homeless = false, named = "", called = !wanted.includes("law");

  const next = () => {
    const one = vote.first();
    if (one) return one;
    const [open] = due(game);
    if (open) vote.bring(open);
    const move = Object.values(game.picture.mine.decisions).some((d) => d.action === "move") ? boards.first() : null;
    return vote.first() ?? move ?? [...forms.values()].map((form) => form.first()).find(Boolean) ?? null;
  };
  /** What the page is about: the name of its state, a line over the title, and the title. */
  function stateNow(first) {
    const { table, mine } = game.picture, { heading, over, turn, circuit } = table.game;
    if (over) return { name: "won", over: "The game is over", title: heading };
    const one = table.proposals[vote.shown()], proposed = { name: "vote", over: `${one?.by} proposes`, title: one?.title || one?.headline };
    if (mine.role === "wall" && one?.open) return proposed;
    if (mine.role !== "player") return { name: "table", over: turn ? `Turn ${turn}, round ${circuit}` : "", title: heading };
    if (first ? first.action === "vote" : one?.open && !vote.dock.hidden) return proposed;
    if (first?.action === "move") return { name: "move", over: heading, title: "Your move" };
    if (first?.action === "propose") return { name: "write", over: "Your turn", title: "What would you change?" };
    if (first) return { name: "act", over: heading, title: first.prompt };
    return { name: "wait", over: turn ? `Turn ${turn}, round ${circuit}` : "", title: heading };
  }
  function drawForms() {
    const { decisions } = game.picture.mine;
    const wants = (action) => (all ? !["vote", "move"].includes(action) : answers.includes(action));
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
    // What play waits for stands first, and what takes one press lies in the dock; what may be done on a proposal stands with the one that is shown.
    const may = all ? signs.filter((sign) => !decisions[sign].must) : [], must = signs.filter((sign) => !may.includes(sign)).map((sign) => ({ el: drawn(sign), form: forms.get(sign) }));
    const pressed = all && game.picture.mine.role === "player" && must.length === 1 && must[0].form.simple() ? must : [];
    tools.dock?.();
    hold(dueEl, pressed.map((one) => one.el));
    hold(formsEl, must.filter((one) => !pressed.includes(one)).map((one) => one.el));
    hold(mayEl, may.filter((sign) => [null, vote.shown()].includes(decisions[sign].proposal === null ? null : String(decisions[sign].proposal))).map(drawn));
  }

  function drawMessage() {
    const key = JSON.stringify([game.lost, game.message, game.news, game.bad, game.refusal]), bad = game.bad || game.lost;
    if (said.dataset.key === key) return;
    said.dataset.key = key;
    set(said, "data-bad", bad ? "" : null);
    const told = game.refusal?.options?.filter((one) => one.length < 80) ?? []; // and no list of moves
    const more = game.refusal ? [game.refusal.rule ? ` ${game.refusal.rule}.` : "", told.length ? ` You can: ${told.slice(0, 3).join("; ")}.` : ""].join("") : "";
    said.replaceChildren(...(game.lost ? [h("strong", {}, game.lost)] : !game.bad ? [game.news || game.message]
      : [h("strong", {}, "That didn’t count. "), `${game.message}${more}${game.news ? ` Since then: ${game.news}` : ""}`]));
    const far = Boolean(bad && away && !device); // on a page it is in the dock
    near.replaceChildren(...(far ? said.cloneNode(true).childNodes : []));
    if (near.isConnected) near.togglePopover(far);
  }

  function draw(now) {
    game = now;
    game.redraw = () => draw(game);
    drawMessage();
    if (!game.picture) return;
    const { table, mine } = game.picture, { id } = table.game;
    if (played && played !== id) { // everybody plays again with the same names: nothing here is of the new game
      stop();
      root.remove();
      stop = render({ model, el }, device ? "A new game begins." : "A new game begins. In a cell: game = game.play_again()");
      return;
    }
    played = id;
    if (!root.hasAttribute("data-step")) begin();
    if (named !== `${id} ${mine.seat ?? mine.role}`) {
      named = `${id} ${mine.seat ?? mine.role}`;
      tools.drafts = keptDrafts(named);
    }
    const own = mine.role === "player" && !table.game.over, must = Object.keys(mine.decisions).filter((one) => mine.decisions[one].must), open = must.map((one) => mine.decisions[one]);
    say(face, mine.seat ? [...mine.seat][0].toUpperCase() : "");
    unhide(face, mine.seat);
    say(me, mine.seat ?? "");
    say(gameTitle, table.game.title);
    say(letters, table.game.fingerprint);
    const reached = table.goal && mine.seat ? table.scores?.[mine.seat]?.[table.goal.counter] ?? "0" : null;
    unhide(points, reached !== null);
    say(points, reached ?? "");
    say(target, reached === null ? "Score" : ` of ${table.goal.target}`);
    set(scoreButton, "aria-label", reached === null ? "Score and news" : `${reached} of ${table.goal.target} ${table.goal.counter}: show the score and news`);
    set(root, "data-role", mine.role);
    root.classList.toggle("nnb-wall", mine.role === "wall");
    set(root, "data-over", table.game.over ? "" : null);
    const inside = homeless || (root.contains(document.activeElement) && document.activeElement !== said);
    goal = table.goal ?? goal; // once a game is over, no rule says any more what wins
    if (table.game.over && !ending && model.get("ending")) {
      model.get("ending")().then(() => { // which a page loads only then
        ending = more.ending(tools);
        game.redraw();
      });
    }
    for (const one of [...panels, ...(all && ending ? [ending] : [])]) one.draw(game);
    set(root, "data-voting", table.proposals[vote.shown()]?.open ? "" : null);
    if (!all) called = called && (!wanted.includes("law") || Boolean(writes()));
    unhide(formsEl, called);
    // Where a move can be made instead of what is written, both are seen at once, if there is room for that.
    const moving = Object.values(mine.decisions).some((one) => one.action === "move");
    const home = moving && root.clientWidth >= WIDE ? right : left;
    if (all || answers.length) drawForms();
    const first = open[0], state = stateNow(first);
    if (all) {
      set(root, "data-state", state.name);
      say(eyebrow, state.over);
      say(title, state.title[0].toUpperCase() + state.title.slice(1));
      unhide(notice, mine.forgets);
      say(notice, mine.forgets ?? "");
      if (!(left.contains(document.activeElement) && document.activeElement.matches("input, textarea, select")) && !sheets.el.open) {
        const early = state.name === "vote" ? [vote.el] : [], calm = root.clientWidth < WIDE && mine.role === "player" && ["wait", "won"].includes(state.name);
        const main = [lede, ...(ending ? [ending.el] : []), ...early, ...(home === left ? [formsEl] : []), boards.el, judged.el, polls.el, vote.el, mayEl, secrets, ...(calm ? [past.el] : [])];
        hold(left, [...new Set(main)]);
        hold(right, [...(home === right ? [formsEl] : []), aim.el, ...beside.map((one) => one.el)].filter((one) => !main.includes(one)));
      }
    }
    unhide(secrets, mine.secrets.length);
    say(secrets, `Visible only to you: ${mine.secrets.join("; ")}.`);
    const voting = !vote.dock.hidden && own;
    unhide(foot, own && first && first.action !== "vote" && !dueEl.childNodes.length && !sendEl.childNodes.length);
    const leads = first ? { move: boards.el, vote: vote.el }[first.action] ?? forms.get(must[0])?.el : null;
    if (leads !== leading) {
      middle.disconnect();
      if (leads) middle.observe(leads);
      else set(foot, "data-there", null);
      leading = leads;
    }
    say(dueNow, table.game.over || first || mine.role === "wall" ? "" : table.game.paused ? "The game is paused." : table.waiting ?? "");
    unhide(dueNow, dueNow.textContent && !voting);
    unhide(dock, mine.role !== "wall");
    if (first) say(foot, first.action === "move" ? "Make a move" : first.prompt.replace(/\.$/, ""));
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
    if (device) drawMoment(game.picture);
    presses.look();
    set(root, "data-step", game.step);
  }
  draw.answered = 0;
  let layer = null, told = -1, over = true;
  /** Tell large what happened since the last drawing; what was there when the page was opened is no news. */
  function drawMoment({ table, mine }) {
    const fresh = Object.entries(table.news).filter(([seq]) => Number(seq) > told).map(([, one]) => one), moment = told < 0 ? null : momentOf(fresh, table, goal, table.game.over && !over);
    [told, over] = [game.step, table.game.over];
    if (moment && (mine.role !== "table" || moment.tone === "won")) (layer ??= momentLayer(root, tools)).show(moment, mine.role);
  }

  // JupyterLab takes arrow keys and letters for its own, before a field hears of them, unless the field has this mark.
  const keep = (event) => {
    if (root.contains(event.target)) event.target.toggleAttribute("data-lm-suppress-shortcuts", !MODIFIERS.some((one) => event[one]));
  };
  window.addEventListener("keydown", keep, true);
  const connected = connect(model, draw, before);
  stop = () => {
    window.removeEventListener("keydown", keep, true);
    for (const one of [middle, line]) one.disconnect();
    connected.stop();
  };
  return () => stop();
}
export default { render };
