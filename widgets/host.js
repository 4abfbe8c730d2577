// Whoever keeps the record: who is away, a pause, a show of hands, what is put right by consent, the record as a file.
import { h, hold, keeper, say, set, unhide } from "./core.js";
import { more } from "./panel.js";

let hostCount = 0;

function hostPanel(tools) {
  const { presses } = tools, act = (action, details, sign, done) => tools.game().act(action, details, { sign, done });
  const pause = presses.add(h("button.plain", {}), () => act(pause.meant, {}, "pause"));
  const back = presses.add(h("button.plain", {}, "Take back the last act"), () => act("undo", { event: back.act, seen: game.step }, "undo"));
  const save = presses.add(h("button", {}, "Save the record"), () => game.ask("record", {}, null, download));
  const time = presses.add(h("button.plain", {}, "Record the time"), () => act("time", {}, "time"));
  time.meant = "time";
  const saved = h("p.nnb-quiet", { role: "status" }), summary = h("summary", {}, "Host");
  const people = h("ul.nnb-people", { "aria-label": "Who is here" }), hands = h("div.nnb-buttons");
  const field = (name, label, about) => {
    const input = h(name === "reason" || name === "effect" ? "input" : "textarea", { id: `nnb-host-${++hostCount}`, type: "text", autocomplete: "off", placeholder: about });
    return { input, el: h("div.nnb-field", {}, h("label", { for: input.id }, label), input) };
  };
  const effect = field("effect", "What is so", 'put points of "Ann" at 12'), reason = field("reason", "Why", "what the record has wrong");
  const agree = h("input", { type: "checkbox", id: `nnb-host-${++hostCount}` });
  const correct = presses.add(h("button.plain", {}, "Put it right"), () => {
    const { seats } = game.picture.table;
    const agreed = agree.checked ? Object.keys(seats).filter((name) => seats[name].person && seats[name].here) : [];
    act("correct", { effect: effect.input.value, reason: reason.input.value, agreed }, "correct", () => {
      effect.input.value = reason.input.value = "";
      agree.checked = false;
    });
  });
  correct.meant = "correct";
  const consent = h("details.nnb-asked", {}, h("summary", {}, "Put something right by consent"), h("div.nnb-fields", {}, effect.el, reason.el,
    h("div.nnb-tick", {}, agree, h("label", { for: agree.id }, "everybody who is here agrees")), h("div.nnb-buttons", {}, correct)));
  const el = h("details.nnb-card.nnb-host", {}, summary, h("div.nnb-buttons", {}, save, pause, time, back), saved, hands, people, consent);
  let game;
  const keep = keeper();

  /** Let the browser keep the record as a file. */
  function download(got) {
    if (got.why) return say(saved, got.why);
    const link = h("a", { href: URL.createObjectURL(new Blob([got.text], { type: "application/jsonl" })), download: got.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    say(saved, `Saved as ${got.name}. Its fingerprint is ${got.letters}: write it down.`);
  }
  return {
    el,
    draw(now) {
      game = now;
      const { table, mine } = game.picture;
      unhide(el, mine.role === "table");
      if (mine.role !== "table") return;
      say(summary, mine.forgets ? `Host. ${mine.forgets}` : "Host"); // read while it is folded, too
      pause.meant = table.game.paused ? "resume" : "pause";
      say(pause, table.game.paused ? "Go on" : "Pause");
      const last = Math.max(0, ...Object.keys(mine.undo).map(Number));
      back.act = mine.undo[last];
      back.meant = `${back.act} ${game.step}`;
      set(back, "aria-disabled", last ? null : "true");
      set(back, "aria-label", last ? `Take back the last act: ${table.history[last]}` : null);
      const votes = Object.keys(table.proposals).filter((one) => Object.values(mine.decisions).filter((d) => d.action === "vote" && String(d.proposal) === one).length > 1);
      hold(hands, votes.flatMap((number) => ["for", "against"].map((ballot) => keep(`${number} ${ballot}`, () => {
        const one = presses.add(h("button.plain", {}, `All others ${ballot} ${number}`), () => act("votes", { proposal: number, ballot }, `votes ${number}`));
        one.meant = `${number} ${ballot}`;
        return one;
      }))));
      hold(people, Object.entries(table.seats).filter(([, one]) => one.person).map(([name, one]) => {
        const row = keep(`seat ${name}`, () => {
          const button = presses.add(h("button.plain", {}), () => act(button.meant, { who: name }, `here ${name}`));
          return { el: h("li", {}, h("bdi", {}, name), button), button };
        });
        row.button.meant = one.here ? "absent" : "present";
        say(row.button, one.here ? "is away" : "is back");
        set(row.button, "aria-label", `${name} ${one.here ? "is away" : "is back"}`);
        return row.el;
      }));
    },
  };
}
more.host = hostPanel;
