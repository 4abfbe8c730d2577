// What only those need who share one panel, as on the host page: who it is that acts, and taking back.
import { h, set, unhide, wider } from "./core.js";
import { field } from "./forms.js";

wider.shared = {
  /** Whoever does something that anyone may do. */
  who: (tools) => field({ type: "player", label: "Who", about: "Who is doing this?", name: "player" }, tools),
  /** A button at an event, where what it belongs to can be taken back. */
  undoing(row, act, game, presses) {
    const undo = () => game.act("undo", { event: row.button.act, seen: game.step }, { sign: "undo" });
    row.button ??= presses.button("Take back", undo);
    if (!row.button.isConnected) row.el.append(row.button);
    unhide(row.button, act);
    set(row.button, "aria-label", `Take back: ${row.words.textContent}`);
    Object.assign(row.button, { act, meant: `${act} ${game.step}` });
  },
  /** The place for the ballots of a voter, in the tile that says how they voted. */
  ballots(tile) {
    if (!tile.pair) tile.el.append(tile.pair = h("span.nnb-pair"));
    return tile.pair;
  },
};
