// The pages of a lesson beside its seats: the host page, from the closed door to the tables, and the wall.
import { fill, flag, h, keeper, labelled, offer, on, Presses, renew, say, set, tickBox, ticked, unhide, upper } from "./core.js";
import { signOf, spaced } from "./door.js";
import { line, socketAddress } from "./line.js";

/** Seconds without a phone after which the host page says what may keep phones out. */
const PATIENCE = 30_000;
const PLACES = ["table", "tables"];
const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : `${names[0] ?? "nobody"}`);
const counted = (count, [one, many]) => `${count} ${count === 1 ? one : many}`;
/** An address as it is typed: without what a browser adds. */
const typed = (address) => address.replace(/^https?:\/\//, "").replace(/\/$/, "");
const heading = (text, name = "nnb-title") => h(`h2.${name}`, text);

/** What a table does now; while it votes, on whose proposal. */
const doing = ({ vote, heading }) => (vote ? `Vote on ${vote.by}’s proposal` : heading);
/** How a vote stands; a secret one says how many have voted. */
const standing = ({ title, for: yes, against, cast, of }) => `“${title}”: ${yes === null ? `${cast} of ${of} secret ballots` : `${yes} for, ${against} against`}`;
const drawScores = (list, scores) => renew(list, JSON.stringify(scores), () => Object.entries(scores).map(([name, score]) => h("li", h("bdi", name), " ", h("b", score))));
/** The time that a bell has left, counted here; draw it anew each second. */
function bellClock() {
  const el = h("span.nnb-ringing", { role: "timer", hidden: "" });
  let bell = {}, rings = 0;
  return {
    el,
    draw(now = bell) {
      if (now.set !== bell.set) rings = performance.now() + 1000 * now.left;
      bell = now;
      const seconds = Math.max(0, Math.ceil(bell.runs ? (rings - performance.now()) / 1000 : bell.left));
      unhide(el, bell.set);
      say(el, seconds ? `${bell.runs ? "" : "on hold "}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` : "Time’s up");
    },
  };
}

/** The picture of the code, its address and its digits. */
function codeCard() {
  const image = h("img.nnb-qr", { alt: "QR code: scan it to join" }), address = h("b.nnb-address"), code = h("b.nnb-pin");
  const el = h("div.nnb-join", image, h("div.nnb-column", h("h1.nnb-heading", "Join the game"),
    h("p", "Scan, or go to"), address, h("p", "Code"), code));
  return {
    el,
    draw(lobby) {
      set(image, "src", lobby.qr);
      say(address, typed(lobby.address));
      say(code, spaced(lobby.code));
    },
  };
}

/** Names dealt to so many tables, one after the other, so that each has nearly as many. */
function deal(names, tables) {
  const dealt = Array.from({ length: tables }, () => []);
  names.forEach((name, at) => dealt[at % tables].push(name));
  return dealt;
}
function mixed(names) {
  const cards = [...names];
  for (let at = cards.length - 1; at > 0; at--) {
    const other = crypto.getRandomValues(new Uint32Array(1))[0] % (at + 1);
    [cards[at], cards[other]] = [cards[other], cards[at]];
  }
  return cards;
}

/** The host page. */
export function host(place, secret) {
  const presses = new Presses(() => tell("The page has just changed. Please press again.", true));
  const keep = keeper(), waiting = new Map();
  let lobby = null, count = 0, tables = 0, chosen = false, seated = new Map(), shown = "", drawn = "", openedAt = 0;
  const said = h("div.nnb-message", { role: "status" }), lost = h("p.nnb-banner", { role: "status", hidden: "" });
  const title = h("h1.nnb-heading", { tabindex: -1 }), about = h("p.nnb-eyebrow"), links = h("span");
  const main = h("div.nnb-column.nnb-main"), dock = h("section.nnb-dock", { "aria-label": "Next" });
  const tabs = h("div.nnb-tabs", { role: "group", "aria-label": "Tables" }), panel = h("div");
  const root = h("div.nnb-live.nnb-lesson", h("header.nnb-head", h("span.nnb-me", "Host page"), links), lost,
    h("div.nnb-lede.nnb-main", about, title), main, dock);
  place.append(root, panel);

  function tell(text, bad = false) {
    say(said, text);
    flag(said, "data-bad", bad);
  }
  /** Have something done; `done` is told of it. */
  function act(command, details = {}, done = () => {}) {
    const id = ++count;
    if (send({ id, do: command, details })) waiting.set(id, done);
    else tell("The connection is lost. Press again once it is back.", true);
  }
  const button = (name, label, work, kind = "plain") => keep(`button ${name}`, () => presses.button(label, work, kind));

  // ---------------------------------------------------------------- what is agreed on before the door opens

  const ruleset = h("select"), points = h("input", { inputmode: "numeric", autocomplete: "off" }), joint = h("select");
  const away = tickBox();
  away.checked = true;
  const fields = { points: labelled("Points to win", points), joint: labelled("If several win at once", joint) };
  const awayTick = ticked("Players marked away don’t vote and get no new turn", away), players = h("p.nnb-quiet");
  const form = h("div.nnb-fields", labelled("Rule set", ruleset), players, fields.points, fields.joint, awayTick);
  on(ruleset, "change", () => drawForm());
  function drawForm() {
    const chosen = lobby.rulesets[ruleset.value];
    say(players, `Players at each table: ${chosen.players}.`);
    set(points, "placeholder", chosen.points && `${chosen.points}, as in the rule set`);
    unhide(fields.points, chosen.points);
    unhide(fields.joint, chosen.joint);
    unhide(awayTick, chosen.away);
  }
  const nameList = h("textarea", { rows: 6, spellcheck: "false" }), listTitle = h("summary");
  let shownNames = "";
  const takeList = () => act("names", { names: nameList.value });
  const names = h("details.nnb-enter", listTitle, labelled("Names, one per line", nameList), h("p.nnb-quiet", "Phones show them as buttons, and names that are taken vanish. Empty: pupils type their names."),
    h("div.nnb-buttons", presses.button("Use this list", takeList), presses.button("Names of the last lesson", () => act("last names", {}, (got) => {
      nameList.value = got.said;
      tell("Check the names, then use the list.");
    }))));
  function drawNames() {
    say(listTitle, lobby.names.length ? `List of names: ${lobby.names.length}` : "List of names");
    const text = lobby.names.join("\n");
    if (text !== shownNames) nameList.value = shownNames = text;
  }
  const openDoor = () => act("open door", { ruleset: ruleset.value, points: points.value.trim(), joint: joint.value, away: away.checked });

  // ---------------------------------------------------------------- who comes

  const code = codeCard(), arrivals = h("ul.nnb-arrivals", { "aria-label": "At the door" });
  const people = h("ul.nnb-crowd", { "aria-label": "Who is here" }), hereTitle = heading(""), comeTitle = heading(""), hint = h("div.nnb-odd");
  const guessing = h("p.nnb-note", { role: "status" }), fault = h("p.nnb-note", { role: "alert" });

  function arrivalRow(one) {
    const row = keep(`arrival ${one.id}`, () => {
      const as = h("input", { "aria-label": `Another name for ${one.name}`, placeholder: "under another name", maxlength: 24 });
      const table = h("select", { "aria-label": "Table" }), agreed = tickBox();
      const consent = h("div.nnb-late", table, ticked("Everybody at this table agrees", agreed));
      const enter = presses.button("Let in", () => act("let in", { id: one.id, name: as.value.trim(), table: table.value, agreed: agreed.checked }), "nnb-send");
      const refuse = presses.button("Not this name", () => act("turn away", { ids: [one.id] }));
      const why = h("p.nnb-quiet"), el = h("li.nnb-arrival", h("div", h("b", h("bdi", one.name)), " ", signOf(one.sign), why), consent, h("div.nnb-buttons", as, enter, refuse));
      return { el, why, table, consent, as, enter };
    });
    const before = lobby.pupils.find(({ name }) => name === one.name);
    say(row.why, [...one.held, one.near && `Nearly the same name as ${one.near}.`].filter(Boolean).join(" "));
    offer(row.table, Object.keys(lobby.desks).map((name) => [name]));
    unhide(row.consent, lobby.begun && !before);
    row.enter.meant = Boolean(before);
    say(row.enter, before ? `That’s ${one.name}: move to this phone` : "Let in");
    return row.el;
  }
  function personRow({ name, sign, here }) {
    const row = keep(`person ${name}`, () => {
      const remove = presses.button("×", () => act("remove", { name }), "plain.nnb-link", { "aria-label": `Remove ${name}`, title: "Remove" });
      const state = h("span.nnb-soft"), mark = h("span");
      return { el: h("li.nnb-person", h("div", h("bdi", name), mark, state), remove), state, mark };
    });
    renew(row.mark, sign, () => sign && signOf(sign));
    flag(row.el, "data-gone", !here);
    say(row.state, here && sign ? "" : "no phone");
    return row.el;
  }

  const phoneless = h("textarea", { rows: 4, spellcheck: "false", placeholder: "e.g. Ada" });
  const withoutPhones = h("details.nnb-enter", h("summary", "Somebody has no phone?"), labelled("One name per line", phoneless),
    h("p.nnb-quiet", "They play by a show of hands, or on this computer, which you can pass on."),
    h("div.nnb-buttons", presses.button("Add without phones", () => act("without phones", { names: phoneless.value }, () => { phoneless.value = ""; }))));

  // ---------------------------------------------------------------- tables

  const fewer = presses.button("−", () => setTables(tables - 1), "plain", { "aria-label": "Fewer tables" });
  const more = presses.button("+", () => setTables(tables + 1), "plain", { "aria-label": "More tables" });
  const number = h("output", { "aria-live": "polite" }), mix = presses.button("Mix", () => seat(mixed(present())));
  const plan = h("div.nnb-plan"), tablesTitle = heading("Tables");
  const present = () => lobby.pupils.filter(({ here }) => here).map(({ name }) => name);
  function setTables(wanted) {
    [tables, chosen] = [wanted, true];
    seat(present());
  }
  /** Seat some people anew. */
  function seat(names) {
    seated = new Map(deal(names, tables).flatMap((some, at) => some.map((name) => [name, at])));
    draw();
  }
  function drawPlan() {
    const names = present(), most = Math.max(1, Math.floor(names.length / 2));
    if (!chosen || tables > most) tables = Math.min(most, Math.max(1, Math.round(names.length / lobby.best)));
    for (const name of [...seated.keys()]) if (!names.includes(name) || seated.get(name) >= tables) seated.delete(name);
    const sizesOf = () => Array.from({ length: tables }, (_, at) => [...seated.values()].filter((one) => one === at).length);
    if (!chosen && Math.max(...sizesOf()) - Math.min(...sizesOf()) > 1) seated.clear(); // dealt again over more tables
    for (const name of names.filter((one) => !seated.has(one))) {
      const sizes = sizesOf();
      seated.set(name, sizes.indexOf(Math.min(...sizes)));
    }
    say(number, counted(tables, PLACES));
    set(fewer, "aria-disabled", tables < 2 || null);
    set(more, "aria-disabled", tables >= most || null);
    fill(plan, Array.from({ length: tables }, (_, at) => {
      const part = keep(`table ${at}`, () => {
        const list = h("ul"), label = h("h3.nnb-label");
        return { list, label, el: h("section.nnb-seats", label, list) };
      });
      const some = names.filter((name) => seated.get(name) === at);
      say(part.label, `Table ${at + 1}: ${some.length}`);
      fill(part.list, some.map((name) => keep(`seat ${name}`, () => {
        const move = presses.button(h("bdi", name), () => {
          seated.set(name, (seated.get(name) + 1) % tables);
          draw();
        }, "plain.nnb-seat", { title: "Move to the next table" });
        set(move, "aria-label", `${name}: move to the next table`);
        return h("li", move);
      })));
      return part.el;
    }));
  }
  function begin() {
    const seating = {};
    for (const [name, at] of seated) (seating[`table ${at + 1}`] ??= []).push(name);
    act("begin", { seating });
  }

  // ---------------------------------------------------------------- the end

  const saved = h("div.nnb-column"), end = h("section.nnb-card.nnb-column.nnb-closing", heading("The end"));
  const saveAll = presses.button("Save everything", () => act("save everything"), "nnb-send");
  const sure = h("div.nnb-column.nnb-odd", { role: "group", "aria-label": "Erase the class" }), warning = h("p", { tabindex: -1 });
  const forGood = presses.button("Erase for good", () => act("erase", { sure: true, keep_rules: keepsRules }, () => askErasing()));
  sure.append(warning, h("div.nnb-buttons", forGood, presses.button("Keep the class", () => askErasing())));
  unhide(sure, false);
  let keepsRules = false;
  function askErasing(text = "", rules = false) {
    keepsRules = rules;
    say(warning, text);
    unhide(sure, text);
    if (!text) return;
    sure.scrollIntoView({ block: "center" });
    warning.focus({ preventScroll: true });
  }
  const GONE = "Games, names and everything saved here are deleted from this computer, with copies of the file in its folder. The lesson ends on all phones. Nothing brings it back.";
  const rulesOnly = presses.button("Erase all but the rules", () => askErasing(`The rules of each table are saved first; names that pupils wrote in rules stay. ${GONE}`, true));
  const erasing = h("div.nnb-column", h("div.nnb-buttons", rulesOnly, presses.button("Erase the class", () => askErasing(GONE))), sure);
  end.append(h("p.nnb-quiet", "A page for each pupil, a table of the class, and each table’s record and rules."), h("div.nnb-buttons", saveAll), saved);
  const fileList = (files) => h("ul.nnb-files", files.map((name) => h("li", h("bdi", name))));
  function drawEnd() {
    const { folder, files, missing } = lobby.end, talk = Object.entries(lobby.end.topics);
    renew(saved, JSON.stringify(lobby.end), () => files.length > 0 && [
      h("p", h("b", `${counted(files.length, ["file", "files"])} in `), h("code.nnb-address", folder)), missing.map((text) => h("p.nnb-note", text)),
      h("details", h("summary", "What was saved"), fileList(files)),
      talk.length > 0 && [h("h3.nnb-label", "To discuss, not to mark"), h("ul", talk.map(([topic, names]) => h("li", `${upper(topic)}: `, h("bdi", listed(names)), ".")))]]);
  }
  /** What is left once the class is erased. */
  function drawOver() {
    const { folder, files } = lobby.end;
    fill(links);
    fill(tabs);
    say(about, "The lesson is over");
    say(title, "The class is erased");
    fill(main, h("p", "Phones show “That’s it for today.” You can close this page now."),
      files.length > 0 && [h("p", "The rules for next week are in ", h("code.nnb-address", folder)), fileList(files)]);
    fill(dock, said);
    document.title = "Host page: the class is erased";
  }

  // ---------------------------------------------------------------- what is shown

  let ended = null;
  on(panel, "nnb-code", () => { // a phone is gone: its player joins with another one
    if (!lobby.open) openDoor();
    showTable("");
  });
  async function showTable(name) {
    shown = name;
    flag(root, "data-shown", name);
    history.replaceState({ shown: name }, ""); // after a reload, this tab is shown again
    tell("");
    ended?.();
    ended = null;
    fill(panel);
    draw();
    if (!name) return;
    const at = h("div"), { showTable: show } = await import("./page.js");
    if (shown !== name) return; // another was chosen meanwhile
    panel.append(at);
    const end = await show(socketAddress(`ws/${encodeURIComponent(name)}`), lobby.desks[name], at, "desk");
    if (at.isConnected) ended = end;
    else end();
  }
  function tableCard([name, one]) {
    const card = keep(`card ${name}`, () => {
      const head = h("b"), waits = h("p"), news = h("p.nnb-soft"), gone = h("p.nnb-note"), scores = h("ul.nnb-scores", { "aria-label": "Scores" });
      const look = presses.button("Open this table", () => showTable(name));
      return { el: h("li", h("span.nnb-eyebrow", name), head, waits, gone, scores, news, look), head, waits, news, gone, scores };
    });
    say(card.head, doing(one));
    say(card.waits, one.waiting);
    drawScores(card.scores, one.scores);
    say(card.news, one.news);
    const gone = one.players.filter((player) => !lobby.connected.includes(player));
    say(card.gone, gone.length ? `No phone: ${listed(gone)}.` : "");
    return card.el;
  }
  const cards = h("ul.nnb-cards", { "aria-label": "All tables" });

  function draw() {
    if (!lobby) return;
    if (lobby.ended) {
      if (shown) showTable("");
      return drawOver();
    }
    const { begun, open, pupils, waiting: come, rulesets } = lobby, here = present(), gone = pupils.filter((one) => !one.here && !one.table);
    const phase = begun ? "play" : open || pupils.length ? "lobby" : "settings";
    say(about, phase === "settings" ? "A lesson" : `${rulesets[lobby.settings.ruleset].title}${lobby.file ? ` · saved to ${lobby.file}` : ""}`);
    say(title, { settings: "What will you play?", lobby: `${here.length} here`, play: counted(Object.keys(lobby.desks).length, PLACES) }[phase]);
    if (ruleset.childElementCount === 0) {
      offer(ruleset, Object.entries(rulesets).map(([name, one]) => [name, one.title]));
      offer(joint, lobby.joint.map(([text, value]) => [value, text]));
      ruleset.value = lobby.settings.ruleset;
      joint.value = lobby.settings.joint;
    }
    drawForm();
    if (open) code.draw(lobby);
    const closeDoor = button("close", "Close the door", () => act("close door"));
    const reopen = button("reopen", "", openDoor), pause = button("pause", "", () => act("pause", { pause: pause.meant }));
    say(reopen, begun ? "Let latecomers in" : "Open the door");
    const ring = (minutes) => button(`ring ${minutes}`, `Ring in ${counted(minutes, ["minute", "minutes"])}`, () => act("ring", { seconds: 60 * minutes }, () => tell("The bell is running at all tables.")));
    const silence = button("silence", "Stop the bells", () => act("ring", { seconds: 0 }, () => tell("No bell is running now.")));
    pause.meant = !Object.values(lobby.tables).every((one) => one.paused || one.over);
    say(pause, pause.meant ? "Pause all tables" : "Go on at all tables");
    const renewCode = button("code", "New code", () => act("new code"));
    const wall = keep("wall", () => h("a.nnb-link", { target: "_blank", rel: "noopener" }, "Open the wall"));
    set(wall, "href", `#wall=${lobby.wall}`);
    fill(links, wall);
    say(guessing, lobby.guesses > 5 ? `Somebody is guessing codes (${lobby.guesses} so far). Change the code, or let phones scan only.` : "");
    fill(arrivals, come.map(arrivalRow));
    say(comeTitle, `${come.length} at the door`);
    const door = keep("door", () => h("div.nnb-buttons"));
    fill(door, open ? [closeDoor, renewCode] : reopen);
    drawNames();
    say(fault, lobby.fault);
    unhide(rulesOnly, begun);
    if (phase === "settings") fill(main, form, names);
    else if (phase === "lobby") {
      fill(people, pupils.map(personRow));
      say(hereTitle, gone.length ? `${here.length} here, ${gone.length} gone` : `${here.length} here`);
      drawPlan();
      drawHint(here.length);
      const seats = keep("tables", () => h("section.nnb-card", h("div.nnb-typed", tablesTitle, fewer, number, more, mix), plan));
      const left = keep("left", () => h("section.nnb-card")), stage = keep("stage", () => h("div.nnb-stage2", left, h("section.nnb-card", hereTitle, people, withoutPhones)));
      fill(left, open ? code.el : null, door, hint, here.length > 1 ? seats : null, names);
      fill(main, come.length ? [comeTitle, arrivals] : null, guessing, fault, stage, lobby.file ? erasing : null);
    } else {
      fill(cards, Object.entries(lobby.tables).map(tableCard));
      const tab = (name, text) => {
        const made = button(`tab ${name}`, text, () => showTable(name), "nnb-tab");
        set(made, "aria-pressed", shown === name);
        return made;
      };
      fill(tabs, tab("", "All tables"), Object.keys(lobby.desks).map((name) => tab(name, name)));
      if (erasing.parentNode !== end) end.append(erasing);
      fill(main, come.length ? [comeTitle, arrivals] : null, guessing, fault,
        tabs, shown ? null : [cards, keep("pausing", () => h("div.nnb-buttons", pause, ring(1), ring(2), silence)), open ? code.el : null, door, end]);
      drawEnd();
    }
    const start = button("begin", "Begin", begin, "nnb-send"), first = button("open", "Open the door", openDoor, "nnb-send");
    const absent = gone.map(({ name }) => name), without = absent.length > 4 ? counted(absent.length, ["pupil", "pupils"]) : listed(absent);
    say(start, gone.length ? `Begin without ${without}` : `Begin with ${here.length}`);
    start.meant = absent.join("\n"); // nobody is left out by a press that began before they were gone
    set(start, "aria-disabled", here.length < 2 || null);
    if (phase !== drawn && drawn) scrollTo(0, 0);
    drawn = phase;
    fill(dock, said, phase === "settings" ? first : phase === "lobby" ? start : null);
    document.title = `Host page: ${title.textContent}`;
    presses.look();
  }
  /** Whether phones reach this computer, and what may keep them out once nobody has joined for a while. */
  function drawHint(here) {
    if (!lobby.open) openedAt = 0;
    else openedAt ||= Date.now();
    const late = openedAt && Date.now() - openedAt >= PATIENCE, alone = /^(127\.|localhost|\[)/.test(typed(lobby.address));
    if (lobby.open && !here && !late) setTimeout(draw, PATIENCE);
    unhide(hint, lobby.open && !here);
    flag(hint, "data-calm", !late && !alone);
    renew(hint, JSON.stringify([lobby.address, lobby.reached, late, alone]), () => [
      h("p", { role: "status" }, alone ? h("b", "No phone can reach this computer: it is on no network, or the lesson was started for this computer alone.")
        : lobby.reached ? "Another device has opened this address, so the network is fine. Now it needs the code."
          : lobby.reached === false ? "No other device has opened this address yet." : "Waiting for the first phone."),
      !alone && !lobby.reached && late && [h("b", "No phone has joined yet?"), h("ol",
        h("li", "Are the phones and this computer on the same Wi-Fi?"),
        h("li", `Does ${typed(lobby.address)} open on your own phone? If your computer asks, allow Python on private networks.`),
        h("li", "If not, this network keeps devices apart."))],
      (alone || late) && !lobby.reached && [h("p", "Try these, in this order:"), h("ul",
        h("li", "A hotspot of your phone or this computer. Many take 8 to 10 devices, so let pupils share."),
        h("li", "One computer for all: add names under “Somebody has no phone?”, and pass it on from player to player."),
        h("li", "No devices at all: add names in the same way, and record shows of hands."))]]);
  }

  const { send } = line("lobby", {
    opened(now) {
      now({ secret });
      unhide(lost, false);
    },
    heard(got) {
      const id = got.done ?? got.refused;
      const first = !lobby, kept = history.state?.shown;
      if (got.lobby) lobby = got.lobby;
      else if (waiting.has(id)) {
        tell("why" in got ? got.why : got.said, "why" in got);
        if ("done" in got) waiting.get(id)(got);
        waiting.delete(id);
      }
      draw();
      if (first && lobby?.begun && Object.hasOwn(lobby.desks, kept ?? "")) showTable(kept);
    },
    lost(closed) {
      const wrong = closed === 4401;
      say(lost, wrong ? "This isn’t the link of the host page. Use the one that the command printed." : "Connection lost. Reconnecting …");
      unhide(lost, true);
      return wrong;
    },
  });
}

/** The wall: the code and who has joined, then the tables. */
export function wall(place, secret) {
  const code = codeCard(), title = h("h1.nnb-heading"), crowd = h("ul.nnb-crowd"), cards = h("ul.nnb-cards"), keep = keeper();
  const lost = h("p.nnb-banner", { role: "status", hidden: "" });
  const body = h("div.nnb-stage2"), side = h("section.nnb-column", title, crowd), el = h("div.nnb-live.nnb-wall.nnb-lobby", h("header.nnb-head", h("span.nnb-me", "Nomic")), lost, body);
  place.append(el);
  function card([name, one]) {
    const made = keep(name, () => {
      const parts = [h("b.nnb-title"), h("p"), h("p.nnb-soft")], bell = bellClock(), scores = h("ul.nnb-scores");
      return { el: h("li", h("span.nnb-eyebrow", name, bell.el), parts, scores), parts, bell, scores };
    });
    const texts = [doing(one), one.vote ? standing(one.vote) : one.waiting, one.vote ? one.waiting : one.news];
    made.parts.forEach((part, at) => say(part, texts[at]));
    made.bell.draw(one.bell);
    bells.add(made.bell);
    drawScores(made.scores, one.scores);
    return made.el;
  }
  let alone = "";
  const bells = new Set(), ticking = setInterval(() => bells.forEach((bell) => bell.draw()), 500);
  /** One table has the whole wall. */
  async function showTable(name, link) {
    alone = name;
    clearInterval(ticking);
    const { showTable: show } = await import("./page.js");
    await show(socketAddress(`ws/${encodeURIComponent(name)}`), link, place);
  }
  function draw(lobby) {
    const walls = Object.entries(lobby.walls);
    if (lobby.ended && alone) place.replaceChildren(el);
    else if (alone) return;
    if (walls.length === 1 && !lobby.code) return showTable(...walls[0]);
    flag(el, "data-open", lobby.code);
    say(title, `${lobby.in.length} here`);
    fill(crowd, lobby.in.map((name) => keep(`name ${name}`, () => h("li", h("bdi", name)))));
    if (lobby.code) code.draw(lobby);
    const tables = Object.entries(lobby.tables);
    cards.style.setProperty("--across", Math.ceil(Math.sqrt(tables.length)));
    flag(cards, "data-few", tables.length <= 4);
    fill(cards, tables.map(card));
    if (lobby.ended) fill(body, h("h1.nnb-heading", "That’s it for today."));
    else if (lobby.begun) fill(body, lobby.code ? code.el : null, cards);
    else fill(body, lobby.code ? code.el : h("h1.nnb-heading", "The door is closed"), side);
    for (const size of ["", "s", "xs"]) { // the largest in which all names fit
      set(crowd, "data-size", size || null);
      if (side.scrollHeight <= side.clientHeight) break;
    }
    for (const one of cards.children) { // scores are shown if there is room
      unhide(one.lastChild, true);
      unhide(one.lastChild, one.scrollHeight <= one.clientHeight);
    }
    document.title = "Nomic: wall";
  }
  line("lobby", {
    opened(send) {
      send({ secret });
      unhide(lost, false);
    },
    heard: ({ lobby }) => lobby && draw(lobby),
    lost(closed) {
      const wrong = closed === 4401;
      say(lost, wrong ? "This isn’t the link of the wall." : "Connection lost. Reconnecting …");
      unhide(lost, true);
      return wrong;
    },
  });
}
