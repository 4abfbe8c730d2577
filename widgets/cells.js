// What was done in panels and on pages, as the lines of Python that do it again.
import { asked, h, say } from "./core.js";
import { more } from "./panel.js";

function cellsPanel({ presses }) {
  const calls = h("pre.nnb-calls", { tabindex: 0, "aria-label": "Calls" });
  const copy = presses.add(h("button.plain", {}, "Copy"), () => {
    getSelection().selectAllChildren(calls);
    if (document.execCommand("copy")) say(copy, "Copied");
  });
  const { el, draw } = asked("calls", "As cells", calls, copy);
  return { el: h("section.nnb-card", { "aria-label": "As cells" }, el), draw };
}
more.cells = cellsPanel;
