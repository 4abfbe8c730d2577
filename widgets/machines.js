// The machines at a table: what they wait for, and who has a seat; a person can take each seat over, and give it away.
import { aria, called, fill, h, keeper, labelled, offer, say, set, tell, unhide } from "./core.js";
import { more } from "./panel.js";

more.machines = ({ game, presses }) => {
  const pace = (label, what) => presses.button(label, () => game.act("machines", { do: what() }, { sign: "machines" }));
  const hold = pace("", () => hold.meant), step = pace("Let one play", () => "step"), again = pace("Ask again", () => "go on");
  const wrong = h("p", { role: "status" }), kinds = h("select"), kind = labelled("Player of the kit", kinds);
  const seats = h("ul.nnb-people", aria("Who plays")), keep = keeper();
  const paces = h("div.nnb-buttons", hold, step, again);
  const el = h("details.nnb-card.nnb-machines", h("summary", "Machines"), wrong, paces, kind, seats);
  let known = false;

  function row(name) {
    const button = presses.button("", () => game.act("machine",
      { who: name, kind: game.table.seats[name].machine ? "" : kinds.value }, { sign: `machine ${name}` }));
    return { el: h("li", h("bdi"), button), button };
  }
  return {
    el,
    draw() {
      const { table: { seats: all, game: { over }, machines }, mine } = game;
      unhide(el, mine.role === "table" && !over);
      if (mine.role !== "table") return;
      const any = Object.values(all).some((one) => one.machine), bad = machines?.trouble.join(" ");
      if ((any || bad) && !known) el.open = true;
      known = any || bad;
      tell(wrong, bad);
      unhide(paces, any);
      hold.meant = machines?.held ? "go on" : "hold";
      say(hold, machines?.held ? "Let them play" : "Pause machines");
      unhide(step, machines?.held);
      unhide(again, bad && !machines.held);
      offer(kinds, mine.kinds.map((one) => [one]));
      const people = Object.entries(all).filter(([, one]) => one.person);
      unhide(kind, people.some(([, one]) => !one.machine));
      fill(seats, people.map(([name, { machine }]) => {
        const one = keep(name, () => row(name));
        say(one.el.firstChild, machine ? `${called(name, all)}: ${machine}` : name);
        say(one.button, machine ? "Take over" : "Let the kit play");
        set(one.button, "aria-label", machine ? `Take over from ${name}` : `Let the kit play for ${name}`);
        one.button.meant = machine ?? "";
        return one.el;
      }));
    },
  };
};
