// What is selected in a panel for one thing: plots and other widgets follow it, and select something else.
import { aria, fill, group, h, keeper, renew, set, unhide } from "./core.js";
import { more } from "./panel.js";

more.selection = ({ game, presses, model, boards }) => {
  const parts = model.get("parts"), keep = keeper(), chips = group("nnb-tabs", "Select"), about = h("ul.nnb-plain");
  const el = h("section.nnb-card", aria("Selection"), chips, about), send = game.note;
  let wish = null;
  game.note = (name) => {
    game.selected = name;
    send(name);
  };
  model.on("msg:custom", ({ text }) => {
    const { selected } = JSON.parse(text);
    if (selected === undefined) return;
    game.selected = wish = selected;
    if (!game.table) return;
    game.redraw();
    draw(); // which no panel of the whole game does
  });
  function chip(name, label = name) {
    const one = keep(name, () => presses.button(label, () => {
      game.note(game.selected === name ? "" : name);
      draw();
    }, "nnb-tab"));
    one.meant = name;
    set(one, "aria-pressed", game.selected === name);
    return one;
  }
  function draw() {
    const { proposals, seats } = game.table, cast = Object.values(proposals).flatMap(({ vote }) => vote?.choices ?? []);
    const shown = parts.includes("proposal") ? Object.keys(proposals).map((number) => chip(number, `${number} ${proposals[number].title}`.trim()))
      : parts.includes("vote") ? [...new Set([...Object.keys(seats), ...cast])].map((name) => chip(name)) : [];
    unhide(el, shown.length);
    fill(chips, shown);
    const said = parts.includes("proposal") ? proposals[game.selected]?.said : null;
    renew(about, said, (lines) => lines?.map((line) => h("li", line)) ?? []);
    unhide(about, said?.length);
    if (wish !== null) boards.select(wish);
    wish = null;
  }
  return { el, draw };
};
