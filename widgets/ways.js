// The host's card on the page of a served table: what play waits for, what the rules allow, who is here, and the time.
import { aria, called, entered, fill, flag, focusOn, fold, h, hasFocus, keeper, on, option, renew, say, set, tell, unhide, upper, visible } from "./core.js";
import { more } from "./panel.js";
import { amount, signOf } from "./vote.js";

/** Names that are listed, drafts of a player and answers that get a button each. */
const MOST_NAMES = 8, MOST_DRAFTS = 2, MOST_ANSWERS = 4;
const joined = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0] ?? "");
const someOf = (names) => joined(names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES - 1), `${names.length - MOST_NAMES + 1} others`] : names);
const minutes = (count) => `Ring in ${count} minute${count === 1 ? "" : "s"}`;

more.ways = (tools) => {
  const { game, presses } = tools, keep = keeper();
  const eyebrow = h("p.nnb-eyebrow"), title = h("h2.nnb-heading", { tabindex: -1 }), names = h("p.nnb-quiet");
  const clock = h("div.nnb-clock"), yes = h("span.nnb-yes"), no = h("span.nnb-no"), dark = h("span.nnb-dark");
  const bar = h("div.nnb-bar", { "aria-hidden": "true" }, h("div.nnb-track", yes, dark, no));
  const steps = h("div.nnb-steps"), why = h("p.nnb-quiet"), notes = h("div.nnb-column");
  const allowed = h("div.nnb-allowed", aria("What the rules allow", { role: "group" }));
  const chips = h("ul.nnb-chips", aria("Who is here")), count = h("h3.nnb-title");
  const card = h("section.nnb-now-card", aria("Next steps"), h("div.nnb-nowhead", h("div", eyebrow, title, names), clock), bar, steps, why, allowed);
  const el = h("div.nnb-ways", { hidden: "" }, card, notes, h("section.nnb-here-card", count, chips));
  document.head.append(h("link", { rel: "stylesheet", href: "widgets/ways.css" }));
  tools.clock = clock;
  const each = fold("fold", "Record answers one by one", h("div.nnb-column"));
  let waits = [], known = false, asked = "", passing = null;

  const send = (what, details = {}, how = {}) => game.act(what, details, { ...how, about: "class" });
  const button = (name, label, work, kind = "plain") => {
    const one = keep(`button ${name}`, () => presses.button("", () => one.work(), kind));
    one.work = work;
    one.meant = `${name} ${game.step}`;
    say(one, label);
    return one;
  };
  const isMachine = (name) => game.table.seats[name]?.machine;
  const connected = () => Object.keys(game.aside.here).filter((name) => game.aside.here[name] && !isMachine(name));
  function look() {
    const { bell } = game.aside, now = { bell: !bell.set ? "" : bell.runs || bell.left ? "runs" : "rung", connected: connected() };
    const key = JSON.stringify([game.step, now, game.lost]);
    if (key === asked || game.lost) return;
    asked = key;
    game.ask("ways", now, (got) => {
      [waits, known] = [got.waits ?? [], true];
      game.redraw();
    });
  }

  // ---------------------------------------------------------------- one way out

  const decisionOf = (sign) => game.mine.decisions[sign];
  function answer(sign, action, details = {}) {
    const one = decisionOf(sign);
    if (one) game.act(action, details, { sign, key: one.key });
  }
  function take({ acts }) {
    for (const { action, class: beside, details, sign } of acts) {
      if (beside) send(beside, details);
      else if (sign) answer(sign, action, details);
      else game.act(action, details, { sign: `way ${JSON.stringify(details)}` });
    }
  }
  /** Go to the form of a decision, or to the boards. */
  function goTo(sign) {
    const root = el.closest(".nnb-live"), { action, proposal } = decisionOf(sign) ?? {};
    if (action === "vote") tools.vote.bring(String(proposal));
    const form = root.querySelector(`[data-sign="${CSS.escape(sign)}"]`) ?? (action === "vote" ? tools.vote.el : tools.boards.el);
    const folded = form.closest("details");
    if (folded) folded.open = true;
    form.scrollIntoView({ block: "center" });
    visible(form.querySelectorAll("button:not([aria-disabled]), input, select, textarea"))?.focus({ preventScroll: true });
  }
  function propose(sign, number, { change }) {
    const { player, fields, key } = decisionOf(sign) ?? {};
    if (!key) return;
    if (fields.some(({ name }) => name === "number")) return tools.begin(change); // which has to be written first
    game.act("propose", { change }, { sign, key, done: () => send("use for", { number: Number(number), player }) });
  }
  /** What players answer with one show of hands. */
  function answering(wait, { options, free, count }) {
    const name = `answer ${wait.about}`, all = count > 1 ? `Hands up: all ${count}` : `${wait.who[0]} says`;
    const show = (said) => said && game.act("hands", { about: wait.about, option: said }, { sign: name });
    const found = options.length <= MOST_ANSWERS ? options.map((one) => button(`${name} ${one}`, `${all} “${one}”`, () => show(one))) : [];
    if (options.length > MOST_ANSWERS) {
      const list = keep(`list ${name}`, () => h("select", aria(all)));
      renew(list, JSON.stringify(options), () => options.map((one) => option(one)));
      found.push(h("span.nnb-typed", list, button(`${name} list`, all, () => show(list.value))));
    }
    if (free) {
      const input = keep(`input ${name}`, () => {
        const made = h("input", { "aria-label": "What they say", placeholder: "in their own words" });
        entered(made, () => show(made.value.trim()));
        return made;
      });
      found.push(keep(`typed ${name}`, () => h("span.nnb-typed", input, button(`${name} typed`, "", () => {}))));
      button(`${name} typed`, count > 1 ? `Record for all ${count}` : "Record it", () => show(input.value.trim()));
    }
    return found;
  }
  /** A button for one player, or for one of several. */
  function forOne(name, signs, label, work) {
    const players = Object.keys(signs);
    if (players.length === 1) return button(`${name} ${players[0]}`, label(players[0]), () => work(signs[players[0]], players[0]));
    const list = keep(`list ${name}`, () => h("select", aria("Who")));
    renew(list, JSON.stringify(players), () => players.map((one) => option(one)));
    const row = keep(`row ${name}`, () => h("span.nnb-typed", list, button(name, "", () => {})));
    button(name, label(""), () => list.value in signs && work(signs[list.value], list.value));
    return row;
  }
  const sendLabel = (signs) => decisionOf(Object.values(signs)[0])?.send ?? "Do it";
  const whose = (player) => (player ? ` for ${player}` : "");
  /** What a way out is called, and does: one button, or several. */
  const KINDS = {
    resume: () => "Go on",
    hands: ({ option: side, count }, { who, of }) => (count === 1 ? `${who[0]} votes ${side}` : `Hands up: all ${count}${count < of ? " others" : ""} ${side}`),
    agree: ({ count }, { who }) => (count === 1 ? `${who[0]} agrees to close the vote` : `Hands up: all ${count} agree to close the vote`),
    late: ({ count, acts }) => `Record ${count === 1 ? acts[0].details.who : count} as late`,
    close: ({ player }) => `${player} closes the vote`,
    minute: () => "One minute more",
    remind: (_, { who }) => {
      const here = who.filter((name) => connected().includes(name));
      return `Remind ${here.length === 1 ? here[0] : here.length}`;
    },
    back: ({ player }) => `Mark ${player} back`,
    end_turn: ({ player }) => `Everybody agrees: end ${player}’s turn`,
    take_back: () => "Take the proposal back",
    away: ({ player }) => `Mark ${player} away`,
    skip: ({ player }) => `${player} skips the rest of the turn`,
    record: ({ player }, { action }) => ({ time: "Record the time", present: `Mark ${player} back` }[action] ?? `Record ${player} as late`),
  };
  function wayOut(way, wait) {
    const { kind, signs } = way, name = `${wait.about} ${kind} ${way.option ?? way.player ?? ""}`;
    if (kind === "answer") return answering(wait, way);
    if (kind === "drafts") {
      return Object.entries(signs).flatMap(([player, sign]) => Object.entries(game.aside.drafts)
        .filter(([, one]) => one.by === player && !one.used).slice(0, MOST_DRAFTS)
        .map(([number, one]) => button(`${name} ${number}`, `Propose ${player}’s draft “${one.headline}”`, () => propose(sign, number, one))));
    }
    if (kind === "form") {
      return forOne(name, signs, (player) => `${{ propose: "Write a proposal", vote: "Record a secret ballot" }[wait.action] ?? "Answer"}${whose(player)}`, goTo);
    }
    if (signs) return forOne(name, signs, (player) => `${kind === "roll" ? "Roll the dice" : sendLabel(signs)}${whose(player)}`, (sign) => answer(sign, wait.action));
    return button(name, KINDS[kind](way, wait), () => take(way));
  }

  // ---------------------------------------------------------------- what is drawn

  function headOf(wait) {
    const { game: { heading, over, paused, turn, circuit }, proposals } = game.table;
    if (over) return ["The game is over", heading, ""];
    if (paused) return ["", "The game is paused", "Nobody can do anything until you press Go on."];
    const round = turn ? `Turn ${turn}, round ${circuit}` : "";
    if (!wait) return [round, heading, ""];
    const people = [...wait.who, ...wait.away].map((name) => called(name, game.table.seats)), proposal = proposals[wait.proposal];
    const about = proposal ? `Vote on ${proposal.by}’s proposal, “${proposal.title || proposal.headline}”` : wait.prompt;
    const text = people.length > 1 ? `Waiting for ${people.length}${wait.of > people.length ? ` of ${wait.of}` : ""}` : `Waiting for ${people[0] ?? "anyone"}`;
    return [`${round} · ${about}`, text, people.length > 1 ? `${someOf(people)}.` : ""];
  }
  function drawBar(wait) {
    const vote = game.table.proposals[wait?.proposal]?.vote;
    unhide(bar, vote);
    if (!vote) return;
    const share = (text) => `${(100 * amount(text)) / (amount(vote.of) || 1)}%`, sealed = vote.for === null;
    for (const [part, text] of [[yes, vote.for], [no, vote.against], [dark, vote.cast]]) part.style.width = (part === dark) === sealed ? share(text) : "0";
  }
  function remarkOf({ away, action, rule, late, ways }) {
    const told = ways.find(({ kind }) => kind === "late"), gone = ways.find(({ kind }) => kind === "away");
    const has = away.length > 1 ? ["are", "have"] : ["is", "has"];
    return [
      ways.some(({ kind }) => ["form", "drafts", "answer"].includes(kind)) && "Enter only what the player tells you.",
      late.length && `Late: ${joined(late)}.`,
      told?.rules.length && `If you record somebody as late, rule ${joined(told.rules)} says what follows.`,
      told?.idle && "No rule says what happens to late ballots: recording one changes nothing yet.",
      gone && (gone.stays ? `If you mark ${gone.player} away, play still waits for them: no rule lets you skip them here. If everybody who is here agrees, you can then end a turn that has begun.` : `If you mark ${gone.player} away, play continues without them.`),
      away.length && (action === "vote" || action === "close_vote"
        ? `${joined(away)} ${has[0]} away but still ${has[1]} a vote${rule === null ? "" : ` (rule ${rule})`}.` : `${joined(away)} ${has[0]} away, and nobody else can do this.`),
    ].filter(Boolean);
  }
  /** Why no step is suggested. */
  function whyNothing({ who = [], away = [] } = {}) {
    if (away.length) return "People have to choose the next step.";
    if (who.length && who.every(isMachine)) return game.table.machines.held ? "The machines are paused. Let them play under Machines." : "A machine is about to play.";
    return who.length === 1 ? `Ask ${who[0]} and record the answer.` : "Ask them and record the answers.";
  }
  function drawWays() {
    const [first] = waits, { over, paused } = game.table.game;
    const fair = waits.flatMap((wait) => wait.ways.filter((one) => one.fair).map((way) => [way, wait]))[0];
    const next = button("next", "Next", () => fair && take(fair[0]), "nnb-next");
    const labelOf = ([way, wait]) => (way.signs ? wayOut(way, wait).textContent : KINDS[way.kind](way, wait));
    if (fair?.[0].signs) next.work = () => answer(Object.values(fair[0].signs)[0], fair[1].action);
    say(next, fair ? `Next: ${labelOf(fair)}` : "Next");
    set(next, "aria-disabled", fair ? null : "true");
    next.meant = `${game.step} ${next.textContent}`;
    const pause = button("pause", "Pause", () => game.act("pause", {}, { sign: "pause" }));
    const waiting = [...new Set(Object.values(game.mine.decisions).filter((one) => one.must && one.player && !game.aside.here[one.player] && !game.table.seats[one.player]?.machine).map((one) => one.player))];
    const pass = waiting.length > 0 && button("pass", `Pass it on to ${waiting[0]}`, passOn);
    const ring = (at) => button(`ring ${at}`, minutes(at), () => send("bell", { do: "start", seconds: 60 * at }));
    fill(steps, !over && [next, !paused && pause, !game.aside.bell.set && [ring(1), ring(2)], pass]);
    tell(why, known && !over && !fair && whyNothing(first));
    const groups = waits.map((wait) => {
      const group = keep(`wait ${wait.about}`, () => {
        const head = h("p.nnb-label"), buttons = h("div.nnb-buttons"), remarks = h("div.nnb-quiet");
        return { head, buttons, remarks, el: h("div.nnb-wait", head, buttons, remarks) };
      });
      tell(group.head, wait === first ? "What the rules allow" : headOf(wait).slice(0, 2).map((text) => text.split(" · ").at(-1)).join(" "));
      fill(group.buttons, wait.ways.filter((way) => way !== fair?.[0] && way.kind !== "minute").flatMap((way) => wayOut(way, wait)));
      const remarks = remarkOf(wait);
      renew(group.remarks, remarks.join("\n"), () => remarks.map((text) => h("p", text)));
      flag(group.el, "data-away", wait.away.length);
      unhide(group.el, group.buttons.firstChild || remarks.length);
      return group.el;
    });
    fill(allowed, groups);
    unhide(allowed, groups.length && !over);
  }
  function drawGone() {
    const due = new Set(Object.values(game.mine.decisions).filter((one) => one.must).map((one) => one.player));
    const { seats } = game.table, lesson = "lesson" in document.body.dataset;
    fill(notes, (game.aside.gone ?? []).filter((name) => due.has(name) && seats[name]?.here && !seats[name].machine).map((name) => {
      const note = keep(`gone ${name}`, () => {
        const buttons = h("div.nnb-buttons");
        return { buttons, el: h("section.nnb-gone", h("p", h("b", h("bdi", name), "’s phone has been gone for a minute.")), buttons) };
      });
      const open = lesson && button(`code ${name}`, "Show the code", () => el.dispatchEvent(new CustomEvent("nnb-code", { bubbles: true })));
      fill(note.buttons, button(`gone away ${name}`, `Mark ${name} away`, () => game.act("absent", { who: name }, { sign: `here ${name}` })), open);
      return note.el;
    }));
  }
  function drawPeople() {
    const { here } = game.aside, { seats, proposals } = game.table, { decisions } = game.mine;
    const due = new Set(Object.values(decisions).filter(({ must, player }) => must && player).map(({ player }) => player));
    const vote = proposals[waits[0]?.proposal]?.vote;
    say(count, `${connected().length} of ${Object.keys(here).filter((name) => !isMachine(name)).length} connected`);
    fill(chips, Object.entries(here).map(([name, phone]) => {
      const row = keep(`chip ${name}`, () => {
        const mark = h("span.nnb-soft");
        return { mark, el: h("li", h("bdi", name), mark) };
      });
      const machine = seats[name]?.machine, away = seats[name]?.here === false, ballot = vote?.ballots[name];
      set(row.el, "data-state", away ? "away" : machine ? "machine" : phone ? "connected" : "not connected");
      flag(row.el, "data-due", due.has(name) && !away);
      say(row.mark, away ? "away" : machine ? "machine" : !phone ? "no phone" : due.has(name) ? "…" : ballot ? signOf(ballot) : "");
      set(row.mark, "aria-label", away || machine || !phone ? null : due.has(name) ? "is awaited" : ballot ? "has voted" : null);
      set(row.mark, "role", row.mark.hasAttribute("aria-label") ? "img" : null);
      return row.el;
    }));
  }
  /** What time there is left, and how a bell is set. */
  function drawClock() {
    const { bell } = game.aside, kept = [...clock.children].filter((one) => !one.matches("button"));
    const hold = button("hold", bell.runs ? "Hold" : "Go on", () => send("bell", { do: bell.runs ? "hold" : "go on" }));
    const later = button("more", "+1 min", () => send("bell", { do: "add", seconds: 60 }));
    const stop = button("stop", "Stop", () => send("bell", { do: "stop" }));
    set(later, "aria-label", "One minute more");
    set(stop, "aria-label", "Stop the bell");
    fill(clock, kept, bell.set && [later, (bell.runs || bell.left > 0) && hold, stop]);
  }
  async function passOn() {
    const { passRound } = await import("./pass.js");
    const awaited = () => [...new Set(Object.values(game.mine.decisions).filter(({ must, player }) => must && player).map(({ player }) => player))]
      .filter((name) => !game.aside.here[name] && game.table.seats[name]?.here && !game.table.seats[name].machine);
    const linkOf = (player) => new Promise((done, refused) => send("seat", { player }, { done: (got) => done(got.link), refused: (got) => refused(new Error(got.why)) }));
    passing ??= passRound({ fill, h, on, say, set, unhide }, { awaited, linkOf, url: tools.model.url, place: el });
    passing.open();
  }

  return {
    el,
    /** The forms of what is due: where many are asked the same, and can show hands, they are folded. */
    gather(forms) {
      const many = waits.filter(({ who, ways }) => who.length > MOST_ANSWERS && ways.some(({ kind }) => kind === "answer"));
      const signs = many.flatMap(({ ways }) => ways.flatMap((way) => Object.values(way.signs ?? {})));
      const [alike, others] = [true, false].map((wanted) => forms.filter((one) => signs.includes(one.dataset.sign) === wanted));
      fill(each.lastChild, alike);
      return [others, alike.length && each];
    },
    draw() {
      const { aside, mine: { role } } = game, had = hasFocus(el);
      unhide(el, aside && role === "table");
      if (!aside || role !== "table") return;
      look();
      const [line, text, people] = headOf(waits[0]);
      say(eyebrow, line);
      say(title, upper(text));
      tell(names, people);
      drawBar(waits[0]);
      drawWays();
      drawClock();
      drawGone();
      drawPeople();
      passing?.draw();
      // What had the focus is gone or can’t be pressed any more: the page stays where it is.
      if (had && (!hasFocus(el) || document.activeElement.ariaDisabled === "true")) focusOn(title);
    },
  };
};
