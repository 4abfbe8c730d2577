// A position to play on: the board, the moves so far, and what takes one back. No rule of law, and nobody votes.
import {
  aria, connect, flag, fold, group, h, labelled, on, phrase, Presses, renew, say, set, unhide, wider,
} from "./core.js";
import { boardsPanel } from "./boards.js";

/** Draw the panel for as long as it is there; return what ends it. */
export function render({ model, el }) {
  const presses = new Presses(() => {
    Object.assign(game, { message: "The board changed under your press; press again.", bad: true });
    draw();
  });
  const { game, lose, stop } = connect(model, draw);
  game.redraw = draw;
  const boards = boardsPanel({ game, presses });
  const send = (what) => () => game.act(what, {}, { sign: what, key: game.table.key });
  const back = presses.button("Take back", send("back")), anew = presses.button("Start again", send("anew"));
  const reply = presses.button("Let it move", send("reply"));
  const line = h("ol.nnb-line", aria("Moves so far")), result = h("p.nnb-title", { role: "status" });
  const texts = ["FEN", "Link"].map((name) => [name.toLowerCase(), h("input", { readonly: "" }), name]);
  const copied = fold("asked", "Copy the position", texts.map(([, input, name]) => labelled(name, input)));
  const said = h("div.nnb-message", { role: "status", tabindex: -1 });
  const buttons = group("nnb-buttons", "Moves", back, anew, reply);
  const card = h("section.nnb-card", aria("The game so far"), result, buttons, line, copied);
  const laid = h("div.nnb-laid", said, boards.el, card);
  const root = h("div.nnb-live.nnb-position.tex2jax_ignore.mathjax_ignore", laid);
  for (const [, input] of texts) on(input, "focus", () => input.select());
  el.append(root);
  const notebook = wider.notebook({ model, root, said, lose });

  function draw() {
    const { lost, message, bad, table } = game;
    renew(said, JSON.stringify([lost, message, bad]), () => [lost ? h("strong", lost)
      : bad && [h("strong", "That didn’t count. "), message]]);
    flag(said, "data-bad", bad || lost);
    notebook.warn(bad || lost);
    if (!table) return;
    boards.draw();
    say(result, table.said);
    unhide(result, table.said);
    set(back, "aria-disabled", table.back ? null : "true");
    set(anew, "aria-disabled", table.back ? null : "true");
    unhide(reply, table.reply);
    set(reply, "aria-disabled", table.reply === "open" ? null : "true");
    for (const one of [back, anew, reply]) one.meant = table.key;
    // A number before each pair of moves; Black’s first move has three dots.
    renew(line, table.line.join(), () => table.line.map((pair) => h("li", phrase(pair))));
    line.scrollTop = line.scrollHeight;
    for (const [name, input] of texts) input.value = table[name];
    presses.look();
  }
  return () => {
    notebook.stop();
    stop();
  };
}
export default { render };
