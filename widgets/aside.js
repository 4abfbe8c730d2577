// What goes on beside the game of a served table: drafts, statements, reasons for ballots, reminders, a bell, who is there.
// None of it is an act of the game. The script of the page hands over what it shares with the panel.

/** Letters of a reason, and of a wording that is shown whole. */
const LONGEST = 280, SHOWN = 240;
/** Drafts that are listed before the others are folded, and milliseconds between two looks at the clock. */
const LISTED = 3, TICK = 250;
/** Changes that the form can take up again. */
const SINGLE = ["enact", "amend", "repeal", "transmute"];
/** What the title of the page says after a reminder, by what is to be done. */
const TITLES = { vote: "● Vote", move: "● Your move" };
const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Add it to the panels that a script draws from now on. */
export function addAside({
  aria, changeField, entered, fill, flag, fold, h, keeper, more, renew, say, set, tell, unhide,
}) {
  const { title } = document;
  more.aside = (tools) => {
    const { game, presses, vote } = tools, keep = keeper();
    const send = (what, details = {}, how = {}) => game.act(what, details, { ...how, about: "class" });
    const button = (name, label, work, kind = "plain", attributes = {}) =>
      keep(`button ${name}`, () => presses.button(label, work, kind, attributes));

    // ---------------------------------------------------------------- the bell, in the head

    const left = h("b"), bellFor = h("span"), spoken = h("span.nnb-spoken", { role: "status" });
    const bell = h("span.nnb-bell", { role: "timer", hidden: "" }, bellFor, left);
    let rings = 0, timer = 0, heard = null;
    function tick() {
      const seconds = Math.max(0, Math.ceil((rings - performance.now()) / 1000));
      say(left, clock(seconds));
      flag(bell, "data-soon", seconds <= 10);
      if (!el.isConnected) clearInterval(timer);
    }
    function drawBell({ bell: now }) {
      if (heard === now) return;
      const rang = heard?.runs && now.left === 0 && !now.runs;
      heard = now;
      clearInterval(timer);
      unhide(bell, now.set);
      flag(bell, "data-soon", false);
      const over = now.set && !now.runs && !now.left;
      flag(bell, "data-over", over);
      say(bellFor, over ? "Time’s up" : now.runs ? "" : "On hold");
      rings = performance.now() + 1000 * now.left;
      if (now.set) tick();
      if (now.runs) timer = setInterval(tick, TICK);
      say(spoken, rang ? "Time’s up." : "");
    }

    // ---------------------------------------------------------------- a reminder

    const banner = h("p.nnb-reminder", { role: "status", hidden: "" });
    let reminded = "";
    function drawReminder({ reminded: signs = [] }) {
      const away = game.table.seats[game.mine.seat]?.here === false;
      const sign = away ? "away" : signs.find((one) => game.mine.decisions[one]?.must) ?? "", one = game.mine.decisions[sign];
      if (sign === reminded) return;
      reminded = sign;
      tell(banner, away ? "You’re marked away, so you can’t act. Tell the host that you’re back." : one && (one.action === "vote" ? "The table is waiting for your vote." : `The table is waiting for you: ${one.prompt}`));
      document.title = one ? TITLES[one.action] ?? "● Your turn" : title;
      if (one) navigator.vibrate?.(200);
    }

    // ---------------------------------------------------------------- reasons for ballots, and statements

    const reasons = h("ul.nnb-reasons", aria("Reasons and statements"));
    const reason = h("input", { maxlength: LONGEST });
    const giveReason = () => reason.value.trim() && send(voted() ? "reason" : "statement", { proposal: vote.shown(), text: reason.value });
    const giving = presses.button("", giveReason), reasonField = h("div.nnb-reason", reason, giving);
    const shownVote = () => game.table.proposals[vote.shown()]?.vote, voted = () => shownVote()?.ballots[game.mine.seat];
    let about = null;
    entered(reason, giveReason);
    function drawReasons({ reasons: all, statements }) {
      const number = vote.shown(), told = shownVote(), given = all?.[number] ?? {}, stated = statements?.[number] ?? {};
      const rows = (texts, ballots = {}) => Object.keys(texts).map((name) => {
        const row = keep(`reason ${number} ${name} ${texts === stated}`, () => {
          const sign = h("span.nnb-cast"), text = h("span");
          return { sign, text, el: h("li", sign, h("bdi", name), text) };
        });
        const ballot = ballots[name];
        set(row.el, "data-cast", ballot);
        say(row.sign, ballot ? vote.signOf(ballot) : "");
        set(row.sign, "aria-label", ballot);
        say(row.text, texts[name]);
        return row.el;
      });
      const shown = [...rows(stated), ...told ? rows(Object.fromEntries(Object.entries(given).filter(([name]) => name in told.ballots)), told.ballots) : []];
      fill(reasons, shown);
      unhide(reasons, shown.length);
      const { seat } = game.mine, cast = voted();
      unhide(reasonField, seat && told && (cast || game.table.proposals[number].open));
      set(reason, "aria-label", cast ? "Your reason (optional)" : "Your statement (optional)");
      set(reason, "placeholder", cast ? "Why? (optional)" : "Any comment? (optional)");
      say(giving, cast ? "Say why" : "Say it");
      giving.meant = String(Boolean(cast));
      // What was typed stays when a ballot turns it into a reason, unless it was said already.
      if (about !== number || (cast && reason.value === stated[seat])) [about, reason.value] = [number, (cast ? given : stated)[seat] ?? ""];
    }

    // ---------------------------------------------------------------- drafts

    const heading = h("h3.nnb-title"), tabs = h("div.nnb-tabs", aria("Drafts", { role: "group" })), list = h("ul.nnb-drafts");
    const others = fold("fold", "", h("ul.nnb-drafts")), none = h("p.nnb-quiet");
    const body = h("div.nnb-column"), formEl = h("div.nnb-column", { hidden: "" });
    const notes = h("p.nnb-error", { role: "status" });
    let shown = "", field = null, editing = null, open = false;

    /** Open the form of a draft: a new one, or one to be changed. */
    function write(number = null) {
      if (!field) {
        const row = h("div.nnb-buttons", button("save", "Save draft", save, "nnb-send"));
        field = changeField({ ...tools, dock: null, player: () => game.mine.seat, turned: () => unhide(row, field?.sends()) });
        fill(formEl, h("div.nnb-head2", h("h3.nnb-title", "Your draft"), button("cancel", "All drafts", close, "plain.nnb-link")),
          field.el, notes, row, field.below);
      }
      [editing, open] = [number, true];
      if (number) field.begin(game.aside.mine[number].change);
      game.redraw();
      field.first()?.focus({ preventScroll: true });
    }
    function close() {
      [editing, open] = [null, false];
      field.sent();
      game.redraw();
      button("write").focus({ preventScroll: true });
    }
    function save() {
      const missing = field.missing();
      say(notes, missing);
      if (missing) return field.first()?.focus();
      const number = editing && { number: Number(editing) };
      send("draft", { change: field.value(), ...number }, { sign: "draft", done: close });
    }
    /** Propose a draft as it is: by the act itself, so that it is the proposal of whoever does it. */
    function propose(number, change) {
      const [sign, { key }] = game.open("propose")[0];
      taken = null;
      game.act("propose", { change }, { sign, key, done: () => send("use", { number }) });
    }
    const wordingOf = ({ wording, parts }) => wording || (parts ?? []).map(wordingOf).filter(Boolean).join("\n");
    const lawOf = ({ law, parts }) => law || (parts ?? []).map(lawOf).filter(Boolean).join("\n");
    /** What a draft says: its wording, folded if it is long, and its clauses. */
    function textOf({ change, headline }) {
      const wording = wordingOf(change), law = lawOf(change), words = h("p.nnb-quoted", wording);
      return [(change.title || change.kind !== "enact") && h("b.nnb-named", headline), wording && (wording.length > SHOWN ? fold("fold", "Read the wording", words) : words),
        law && fold("fold", "Clauses the game enforces", h("pre", law))];
    }
    /** A draft with what can be done with it; `sign` is the decision to propose, if there is one. */
    function draftRow(number, draft, sign = "", turn = false) {
      const { mine = {}, drafts } = game.aside, { seat } = game.mine, own = number in mine, seconds = drafts[number]?.seconds ?? [];
      const row = keep(`draft ${number}`, () => {
        const state = h("p.nnb-eyebrow"), text = h("div.nnb-draft"), buttons = h("div.nnb-buttons");
        return { state, text, buttons, el: h("li", state, text, buttons) };
      });
      const id = Number(number), { headline, change, used } = draft, meant = JSON.stringify(change), { shared } = mine[number] ?? {};
      const press = (name, label, work, kind) => {
        const one = button(`${name} ${number}`, label, () => one.work(), kind);
        Object.assign(one, { work, meant: `${label} ${meant}` });
        say(one, label);
        set(one, "aria-label", `${label}: ${headline}`);
        set(one, "aria-disabled", game.busy(sign) ? "true" : null);
        return one;
      };
      say(row.state, [!own ? `${draft.by}’s draft` : used || shown !== "yours" ? "Your draft" : shared ? "Shown to the table" : "Only you see it",
        used ? `proposed as ${used}` : seconds.length && `seconded by ${seconds.length}`].filter(Boolean).join(" · "));
      renew(row.text, meant, () => textOf(draft));
      const seconded = seconds.includes(seat), single = SINGLE.includes(change.kind);
      const second = seat && !own && !turn
        && press("second", seconded ? "Seconded" : "Second", () => send("second", { number: id, seconds: !seconded }));
      if (second) set(second, "aria-pressed", seconded);
      fill(row.buttons, !used && [
        sign && press("propose", "Propose it", () => propose(id, change), "nnb-take"),
        sign && single && press("change first", "Change it first", () => take(id, change)),
        own && !turn && shown === "yours" && [
          !sign && single && press("edit", "Change", () => write(number)),
          press("share", shared ? "Hide it" : "Show it to the table", () => send("share", { number: id, shared: !shared })),
          press("drop", "Drop", () => send("drop", { number: id })),
        ], second]);
      unhide(row.buttons, row.buttons.firstChild);
      return row.el;
    }
    /** Take a draft up in the form of the proposal; what is proposed then is marked as made of it. */
    let taken = null;
    function take(number, change) {
      taken = { number, change, count: Object.keys(game.table.proposals).length };
      tools.begin(change);
    }
    function markTaken() {
      const all = Object.values(game.table.proposals), last = all.at(-1), was = taken;
      if (!was || all.length === was.count) return;
      taken = null;
      const same = last.kind === was.change.kind && String(last.rule ?? "") === String(was.change.target ?? "");
      if (last.by === game.mine.seat && same) send("use", { number: was.number });
    }
    function drawDrafts({ mine, drafts }) {
      const due = Object.values(game.mine.decisions).filter(({ must }) => must).map(({ action }) => action);
      const [sign, decision] = game.open("propose")[0] ?? [], turn = Boolean(decision?.must), here = game.mine.role === "player" && !game.table.game.over
        && !due.includes("vote") && !due.includes("move");
      markTaken();
      unhide(el, here && !(turn && !Object.keys({ ...mine, ...drafts }).length));
      if (!here) return;
      const rank = (number) => (drafts[number].used ? 1e9 : 0) - 1e4 * drafts[number].seconds.length + Number(number);
      const usable = (all) => Object.keys(all).filter((number) => !turn || !all[number].used);
      const table = usable(drafts).sort((a, b) => rank(a) - rank(b)), yours = usable(mine).reverse();
      if (!shown || (shown === "yours" && turn && !yours.length)) shown = turn && table.length ? "table" : "yours";
      const tab = (name, label) => {
        const one = button(`tab ${name}`, label, () => {
          shown = name;
          game.redraw();
        }, "nnb-tab");
        say(one, label);
        set(one, "aria-pressed", shown === name);
        return one;
      };
      say(heading, turn ? "Or take up a draft" : due.length ? "Drafts" : "Meanwhile");
      fill(tabs, tab("yours", `Your drafts${yours.length ? ` (${yours.length})` : ""}`), tab("table", `Drafts of the table (${table.filter((one) => !drafts[one].used).length})`));
      const own = shown === "yours", all = own ? mine : drafts, rows = (own ? yours : table).map((number) => draftRow(number, all[number], sign, turn));
      fill(list, rows.slice(0, LISTED));
      fill(others.lastChild, rows.slice(LISTED));
      say(others.firstChild, counted(Math.max(0, rows.length - LISTED), "more draft"));
      unhide(others, rows.length > LISTED);
      tell(none, !rows.length && (own ? "Write what you would propose in your turn. Only you see it until you show it to the table."
        : "Nobody has shown a draft yet."));
      const form = open && !sign, begin = !sign && own && button("write", "Write a draft", () => write());
      // What was being written when the turn came goes on as the proposal.
      const goOn = sign && open && !field.missing() && button("go on", "Go on with the draft you were writing", () => {
        const change = field.value();
        close();
        tools.begin(change);
      });
      unhide(formEl, form);
      unhide(body, !form);
      fill(body, heading, goOn, tabs, none, list, others, begin);
      if (form) field.draw();
    }

    // ---------------------------------------------------------------- the host, and the wall

    const theirs = fold("fold", "", h("ul.nnb-drafts"));
    function drawHost({ drafts }) {
      const numbers = Object.keys(drafts);
      say(theirs.firstChild, `Drafts of the table (${numbers.length})`);
      fill(theirs.lastChild, numbers.map((number) => draftRow(number, drafts[number])));
      unhide(el, numbers.length);
    }

    const el = h("section.nnb-card.nnb-aside", aria("Beside the game", { hidden: "" }));
    return {
      el,
      draw() {
        const { aside: now, mine: { role } } = game, root = el.closest(".nnb-live");
        if (!now || !root) return;
        if (!bell.isConnected) {
          if (tools.clock) tools.clock.append(bell, spoken); // the host's
          else root.querySelector(".nnb-me").after(...(role === "wall" ? [none] : []), bell, spoken);
          root.querySelector(".nnb-head").after(banner);
          tools.vote.dock.append(reasonField);
          tools.vote.el.querySelector(".nnb-tiles").after(reasons);
          fill(el, role === "player" ? [body, formEl] : role === "table" && theirs);
        }
        drawBell(now);
        if (role === "wall") return tell(none, now.shared && `${counted(now.shared, "draft")} at the table`);
        drawReasons(now);
        if (role === "player") {
          drawReminder(now);
          drawDrafts(now);
        } else drawHost(now);
      },
    };
  };
}
