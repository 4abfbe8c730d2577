// Judgments: what is asked, what was ruled, and the forms with which it is ruled, overruled and agreed to.
import { aria, asked, h } from "./core.js";
import { more, treePanel } from "./panel.js";

more.judge = ({ game }) => {
  const open = treePanel(game, "judgments", "Judgments", (found) => (Object.keys(found).length ? Object.values(found) : [["p", { class: "nnb-quiet" }, "No judgment is open."]]));
  const rulings = asked(game, "judgments", "All judgments", h("div.nnb-answer"));
  return {
    el: h("div.nnb-column", open.el, h("section.nnb-card", aria("All judgments"), rulings.el)),
    draw() {
      open.draw();
      rulings.draw();
    },
  };
};
