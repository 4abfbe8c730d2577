// What no cell did, as the lines of Python that do it again; and the line that the game needs next, as a button.
import { asked, h, say, unhide } from "./core.js";
import { more } from "./panel.js";

function cellsPanel({ presses }) {
  let game;
  const calls = h("pre.nnb-calls", { tabindex: 0, "aria-label": "Calls" }), line = h("code");
  const copy = (what, name = null) => presses.add(h("button.plain", { "aria-label": name }, "Copy"), (event) => {
    getSelection().selectAllChildren(what);
    if (document.execCommand("copy")) say(event.currentTarget, "Copied");
  });
  const next = presses.add(h("button", {}, line), () => game.act("next", { line: line.textContent }));
  const due = h("div.nnb-buttons", { hidden: "" }, next, copy(line, "Copy the next line"));
  const { el, draw } = asked("calls", "As cells", calls, copy(calls), due);
  el.told = (got) => {
    say(line, got.next ?? "");
    next.meant = line.textContent;
    unhide(due, got.next);
    for (const one of el.querySelectorAll("button.plain")) say(one, "Copy");
    presses.look();
  };
  return { el: h("section.nnb-card", { "aria-label": "As cells" }, el), draw(now) { draw(game = now); } };
}
more.cells = cellsPanel;
