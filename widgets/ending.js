// The end of a game: the best three, another game with these names, and what one other ballot would have changed.
import { h, hold, say, unhide } from "./core.js";
import { againButton, bestOf, podium } from "./moments.js";
import { more } from "./panel.js";

function endingPanel(tools) {
  const best = h("div"), again = againButton(tools), told = h("p", { role: "status" }), send = tools.presses.add(h("button.plain", {}, "Play it"), () => {
    say(told, "Playing it …");
    game.ask("what_if", { event: Number(who.value) }, null, (got) => say(told, got.said ?? got.why));
  });
  const what = h("select", { "aria-label": "Proposal" }), who = h("select", { "aria-label": "Ballot" }), line = h("p.nnb-sentence", { hidden: "" }, "In the vote on ", what, ", ", who, " instead. ", send);
  const fold = h("details.nnb-asked", {}, h("summary", {}, "What if?"), line, told), el = h("section.nnb-card.nnb-end", { "aria-label": "The end of the game", hidden: "" }, best, again, fold);
  const options = (list, all) => list.replaceChildren(...all.map(([value, text]) => h("option", { value }, text)));
  let game, votes = {};
  function choose() {
    options(who, Object.entries(votes[what.value]?.ballots ?? {}).map(([name, [event, other]]) => [event, `${name} votes ${other}`]));
    say(told, what.value ? "" : "There is no past vote with a ballot to change.");
    unhide(line, what.value);
  }
  what.addEventListener("change", choose);
  who.addEventListener("change", () => say(told, ""));
  fold.addEventListener("toggle", () => fold.open && game.ask("ballots", {}, null, (got) => {
    votes = got.ballots ?? {};
    options(what, Object.keys(votes).map((number) => [number, `${number} ${votes[number].title}`]));
    choose();
  }));
  return {
    el,
    draw(now) {
      game = now;
      const { table: { game: { over }, scores }, mine: { role } } = game.picture;
      unhide(el, over);
      unhide(again, role === "table");
      unhide(fold, role !== "wall");
      if (over) hold(best, [podium(bestOf(scores, tools.goal()))]);
    },
  };
}
more.ending = endingPanel;
