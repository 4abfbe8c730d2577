// What no cell did, as the lines of Python that do it again; and the line that the game needs next, as a button.
import { aria, asked, h, say, unhide } from "./core.js";
import { more } from "./panel.js";

more.cells = ({ game, presses }) => {
  const calls = h("pre.nnb-calls", { tabindex: 0, "aria-label": "Calls" }), line = h("code");
  const copy = (what, name = null) => {
    const button = presses.button("Copy", () => {
      getSelection().selectAllChildren(what);
      if (document.execCommand("copy")) say(button, "Copied");
    }, "plain", aria(name));
    return button;
  };
  const next = presses.button(line, () => game.act("next", { line: line.textContent }), "");
  const copies = [copy(calls), copy(line, "Copy the next line")], due = h("div.nnb-buttons", { hidden: "" }, next, copies[1]);
  const { el, draw } = asked(game, "calls", "As cells", calls, copies[0], due);
  el.told = (got) => {
    say(line, got.next ?? "");
    next.meant = line.textContent;
    unhide(due, got.next);
    for (const one of copies) say(one, "Copy");
    presses.look();
  };
  return { el: h("section.nnb-card", aria("As cells"), el), draw };
};
