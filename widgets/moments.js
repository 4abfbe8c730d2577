// Moments: a vote closes, a die rolls, a king is in check, somebody wins. They are told large, for a few seconds or until they are touched.
import { aria, called, focusOn, h, hasFocus, on, phrase, UNREAD } from "./core.js";

/** Milliseconds that a moment stays, and a check, which covers no board; a win stays until it is touched. */
const STAYS = 2600, SHORT = 1600;
const SIGNS = { yes: "✓", no: "✗", die: "⚄", check: "!", won: "★" };
const TITLES = { yes: "Passes", no: "Fails" };

/** The best three by what wins, or else by what is counted first. */
export function podium({ scores, seats }, goal) {
  const all = Object.entries(scores), counter = goal?.counter ?? Object.keys(all[0]?.[1] ?? {})[0];
  const points = all.filter(([, one]) => counter in one).map(([name, one]) => [name, one[counter]]);
  const best = points.sort((a, b) => Number(b[1]) - Number(a[1])).slice(0, 3);
  return best.length && h("ol.nnb-podium", best.map(([name, value]) =>
    h("li", { "data-place": 1 + best.findIndex(([, other]) => other === value) }, h("bdi", called(name, seats)), h("b", value))));
}
export const againButton = ({ game, presses }) => presses.button("Play again with these names",
  () => game.act("again", {}, { sign: "again" }), "");

/** The moment among fresh news, if there is one: what matters most, and of that the latest; `ended` if the game has just ended. */
export function momentOf(fresh, table, goal, ended) {
  if (ended) return { tone: "won", title: table.game.heading, best: podium(table, goal) };
  const last = (kind) => fresh.findLast((one) => one.kind === kind && (one.tone || kind !== "vote_closed"));
  const vote = last("vote_closed"), roll = last("thrown"), check = last("checked");
  if (vote) return { tone: vote.tone, title: TITLES[vote.tone], text: vote.text };
  if (roll) return { tone: "die", text: roll.text };
  return check && { tone: "check", title: "Check", text: check.text };
}

/** What shows moments over a panel: {show, shut}. */
export function momentLayer(root, tools) {
  let el = null, timer = 0, before = null;
  function shut() {
    clearTimeout(timer);
    if (!el) return;
    const inside = hasFocus(el);
    el.remove();
    el = null;
    if (inside && before?.isConnected) focusOn(before);
  }
  function show({ tone, title, text, best }, role) {
    shut();
    const wall = role === "wall", short = tone === "check";
    const go = h("button.nnb-shut", tone === "won" ? "Look back at the game" : "OK");
    el = h(`section.nnb-moment.${tone}`, short ? UNREAD // the message tells of a check
      : aria(phrase([title, text], ": "), { role: "status" }), h("div",
      h("span.nnb-big", UNREAD, SIGNS[tone]), title && h("h2", title), text && h("p", text),
      best, !wall && !short && go, role === "table" && againButton(tools)));
    on(el, "click", shut);
    on(el, "keydown", (event) => { if (event.key === "Escape") shut(); });
    before = document.activeElement;
    root.append(el);
    if (tone !== "won") timer = setTimeout(shut, short ? SHORT : STAYS);
    else focusOn(go);
  }
  return { show, shut };
}
