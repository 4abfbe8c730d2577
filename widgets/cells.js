// What was done in panels and on pages, as the lines of Python that do it again.
import { aria, asked, h, say } from "./core.js";
import { more } from "./panel.js";

more.cells = ({ game, presses }) => {
  const calls = h("pre.nnb-calls", { tabindex: 0, "aria-label": "Calls" });
  const copy = presses.button("Copy", () => {
    getSelection().selectAllChildren(calls);
    if (document.execCommand("copy")) say(copy, "Copied");
  });
  const { el, draw } = asked(game, "calls", "As cells", calls, copy);
  return { el: h("section.nnb-card", aria("As cells"), el), draw };
};
