// Moments: a vote closes, a die rolls, a king is in check, somebody wins. They are told large, for a few seconds or until they are touched.
import { h } from "./core.js";

/** Milliseconds that a moment stays, and a check, which covers no board; a win stays until it is touched. */
const STAYS = 2600, SHORT = 1600;
const SIGNS = { yes: "✓", no: "✗", die: "⚄", check: "!", won: "★" };
const TITLES = { yes: "Passes", no: "Fails" };

/** The best three by what wins, or else by what is counted first. */
export function bestOf(scores, goal) {
  const all = Object.entries(scores), counter = goal?.counter ?? Object.keys(all[0]?.[1] ?? {})[0];
  return all.filter(([, one]) => counter in one).map(([name, one]) => [name, one[counter]]).sort((a, b) => Number(b[1]) - Number(a[1])).slice(0, 3);
}
export const podium = (best) => h("ol.nnb-podium", {}, best.map(([name, value]) => h("li", {}, h("bdi", {}, name), h("b", {}, value))));
export const againButton = ({ presses, game }) => presses.add(h("button", {}, "Play again with these names"), () => game().act("again", {}, { sign: "again" }));

/** The moment among fresh news, if there is one: what matters most, and of that the latest; `ended` if the game has just ended. */
export function momentOf(fresh, { game, scores }, goal, ended) {
  if (ended) return { tone: "won", title: game.heading, text: "", best: bestOf(scores, goal) };
  const last = (kind) => fresh.findLast((one) => one.kind === kind), vote = fresh.findLast((one) => one.kind === "vote_closed" && one.tone), roll = last("thrown"), check = last("checked");
  if (vote) return { tone: vote.tone, title: TITLES[vote.tone], text: vote.text, best: [] };
  if (roll) return { tone: "die", title: "", text: roll.text, best: [] };
  return check ? { tone: "check", title: "Check", text: check.text, best: [] } : null;
}

/** What shows moments over a panel: {show, shut}. */
export function momentLayer(root, tools) {
  let el = null, timer = 0, before = null;
  function shut() {
    clearTimeout(timer);
    if (!el) return;
    const inside = el.contains(document.activeElement);
    el.remove();
    el = null;
    if (inside && before?.isConnected) before.focus({ preventScroll: true });
  }
  function show({ tone, title, text, best }, role) {
    shut();
    const wall = role === "wall", short = tone === "check", go = h("button.nnb-shut", {}, tone === "won" ? "Look back at the game" : "OK");
    el = h(`section.nnb-moment.${tone}`, short ? { "aria-hidden": "true" } : { role: "status", "aria-label": [title, text].filter(Boolean).join(": ") }, h("div", {}, // the message tells of a check
      h("span.nnb-big", { "aria-hidden": "true" }, SIGNS[tone]), title ? h("h2", {}, title) : null, text ? h("p", {}, text) : null,
      best.length ? podium(best) : null, wall || short ? null : go, role === "table" ? againButton(tools) : null));
    el.addEventListener("click", shut);
    el.addEventListener("keydown", (event) => { if (event.key === "Escape") shut(); });
    before = document.activeElement;
    root.append(el);
    if (tone !== "won") timer = setTimeout(shut, short ? SHORT : STAYS);
    else go.focus({ preventScroll: true });
  }
  return { show, shut };
}
