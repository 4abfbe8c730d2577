// The end of a game: the best three, another game with these names, and what one other ballot would have changed.
// A page loads it only then, so it is given what it needs of the others.
export function endingPanel(tools, { againButton, aria, fill, fold, h, offer, on, podium, say, unhide }) {
  const { game, presses } = tools, best = h("div"), again = againButton(tools), told = h("p", { role: "status" });
  const what = h("select", aria("Proposal")), who = h("select", aria("Ballot"));
  const send = presses.button("Play it", () => {
    say(told, "Playing it …");
    game.ask("what_if", { event: Number(who.value) }, (got) => say(told, got.said ?? got.why));
  });
  const line = h("p.nnb-sentence", { hidden: "" }, "In the vote on ", what, ", ", who, " instead. ", send);
  const asked = fold("asked", "What if?", line, told);
  const el = h("section.nnb-card.nnb-end", aria("The end of the game", { hidden: "" }), best, again, asked);
  let votes = {};
  function choose() {
    const ballots = Object.entries(votes[what.value]?.ballots ?? {});
    offer(who, ballots.map(([name, [event, other]]) => [event, `${name} votes ${other}`]));
    say(told, what.value ? "" : "There is no past vote with a ballot to change.");
    unhide(line, what.value);
  }
  on(what, "change", choose);
  on(who, "change", () => say(told, ""));
  on(asked, "toggle", () => asked.open && game.ask("ballots", {}, (got) => {
    votes = got.ballots ?? {};
    offer(what, Object.keys(votes).map((number) => [number, `${number} ${votes[number].title}`]));
    choose();
  }));
  return {
    el,
    draw() {
      const { table: { game: { over } }, mine: { role } } = game;
      unhide(el, over);
      unhide(again, role === "table");
      unhide(asked, role !== "wall");
      if (over) fill(best, podium(game.table, tools.goal));
    },
  };
}
