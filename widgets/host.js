// Whoever keeps the record: who is away, a pause, a show of hands, what is put right by consent, the record as a file.
import { aria, called, fill, fold, h, keeper, labelled, renew, say, set, tickBox, ticked, unhide } from "./core.js";
import { more } from "./panel.js";

more.host = ({ game, presses }) => {
  const act = (action, details, sign, done) => game.act(action, details, { sign, done });
  const pause = presses.button("", () => act(pause.meant, {}, "pause"));
  const back = presses.button("Take back the last act", () => act("undo", { event: back.act, seen: game.step }, "undo"));
  const save = presses.button("Save the record", () => game.ask("record", {}, download), "");
  const time = presses.button("Record the time", () => act("time", {}, "time"));
  const saved = h("p.nnb-quiet", { role: "status" }), summary = h("summary", "Host");
  const people = h("ul.nnb-people", aria("Who is here")), hands = h("div.nnb-buttons");
  /** Something that everybody here agrees on: fields by name, with a label and an example; what is written is kept until it is done. */
  function consent(action, title, label, fields, ...more) {
    const told = { ...fields, reason: ["Why", "why everybody agrees"] };
    const inputs = Object.fromEntries(Object.entries(told).map(([name, [, about]]) => {
      const input = name === "position" ? h("textarea", { rows: 4, placeholder: about, spellcheck: "false" })
        : h("input", { placeholder: about });
      return [name, input];
    }));
    const agree = tickBox();
    const send = presses.button(label, () => {
      const { seats } = game.table;
      const agreed = agree.checked ? Object.keys(seats).filter((name) => seats[name].person && seats[name].here) : [];
      act(action, { ...Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value])), agreed }, action, () => {
        for (const input of Object.values(inputs)) input.value = "";
        agree.checked = false;
      });
    });
    return { inputs, el: fold("asked", title, h("div.nnb-fields",
      Object.entries(inputs).map(([name, input]) => labelled(told[name][0], input)),
      ticked("everybody who is here agrees", agree), h("div.nnb-buttons", send, more))) };
  }
  const right = consent("correct", "Correct the record by consent", "Correct it", { effect: ["Correction", 'put points of "Ann" at 12'] });
  const late = consent("let_in", "Add a latecomer by consent", "Let them in", { who: ["Name", "of the latecomer"] });
  const now = presses.button("Use the current position", () => game.ask("arrangement", {}, (got) => { boards.inputs.position.value = got.position ?? got.why; }));
  const boards = consent("set_up", "Set up the boards by consent", "Set them up", { position: ["Position", "a FEN, or a line for each army, such as white: Ke1 a2"] }, now);
  const el = h("details.nnb-card.nnb-host", summary, h("div.nnb-buttons", save, pause, time, back), saved, hands, people, late.el, right.el, boards.el);
  const bounds = h("ul.nnb-quiet", aria("Search for loopholes"));
  el.insertBefore(bounds, late.el);
  const keep = keeper();

  /** Let the browser keep the record as a file. */
  function download(got) {
    if (got.why) return say(saved, got.why);
    const link = h("a", { href: URL.createObjectURL(new Blob([got.text], { type: "application/jsonl" })), download: got.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    say(saved, `Saved as ${got.name}. Its fingerprint is ${got.letters}: write it down. ${got.said}`.trim());
  }
  return {
    el,
    draw() {
      const { table, mine } = game;
      unhide(el, mine.role === "table");
      if (mine.role !== "table") return;
      say(summary, mine.forgets ? `Host. ${mine.forgets}` : "Host"); // read while it is folded, too
      unhide(boards.el, table.chess);
      pause.meant = table.game.paused ? "resume" : "pause";
      say(pause, table.game.paused ? "Go on" : "Pause");
      unhide(pause, !more.ways); // which has one itself
      const last = Math.max(0, ...Object.keys(mine.undo).map(Number));
      back.act = mine.undo[last];
      back.meant = `${back.act} ${game.step}`;
      set(back, "aria-disabled", last ? null : "true");
      set(back, "aria-label", last ? `Take back the last act: ${table.news[last].text}` : null);
      const votes = Object.keys(table.proposals).filter((one) => Object.values(mine.decisions).filter((d) => d.action === "vote" && String(d.proposal) === one).length > 1);
      fill(hands, !more.ways && votes.flatMap((number) => ["for", "against"].map((ballot) => keep(`${number} ${ballot}`, () => presses.button(
        `All others ${ballot} ${number}`, () => act("votes", { proposal: number, ballot }, `votes ${number}`),
      )))));
      const searched = Object.entries(mine.bounds).flatMap(([number, lines]) => lines.map((line) => `Proposal ${number}: ${line}`));
      renew(bounds, searched.join("\n"), () => searched.map((line) => h("li", line)));
      unhide(bounds, bounds.firstChild);
      fill(people, Object.entries(table.seats).filter(([, one]) => one.person).map(([name, one]) => {
        const row = keep(`seat ${name}`, () => {
          const button = presses.button("", () => act(button.meant, { who: name }, `here ${name}`));
          return { el: h("li", h("bdi"), button), button };
        });
        say(row.el.firstChild, called(name, table.seats));
        row.button.meant = one.here ? "absent" : "present";
        say(row.button, one.here ? "is away" : "is back");
        set(row.el, "data-away", one.here ? null : "");
        set(row.button, "aria-label", `${name} ${one.here ? "is away" : "is back"}`);
        return row.el;
      }));
    },
  };
};
