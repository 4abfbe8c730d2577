// Moments: a vote closes, a die rolls, somebody wins. They are told large, for a few seconds or until they are touched.
import { focusOn, h, hasFocus, on, UNREAD } from "./core.js";

/** Milliseconds that a moment stays; a win stays until it is touched. */
const STAYS = 2600;
const SIGNS = { yes: "✓", no: "✗", die: "⚄", won: "★" };
const TITLES = { yes: "Passes", no: "Fails" };

/** The moment among fresh news, if there is one: what matters most, and of that the latest; `ended` if the game has just ended. */
export function momentOf(fresh, { game, scores }, goal, ended) {
  if (ended) {
    const points = Object.entries(scores).map(([name, all]) => [name, all[goal?.counter]]).filter(([, value]) => value !== undefined);
    return { tone: "won", title: game.heading, text: "", best: points.sort((a, b) => Number(b[1]) - Number(a[1])).slice(0, 3) };
  }
  const vote = fresh.findLast((one) => one.kind === "vote_closed" && one.tone), roll = fresh.findLast((one) => one.kind === "thrown");
  if (vote) return { tone: vote.tone, title: TITLES[vote.tone], text: vote.text, best: [] };
  return roll ? { tone: "die", title: "", text: roll.text, best: [] } : null;
}

/** What shows moments over a panel: {show, shut}. */
export function momentLayer(root, wall) {
  let el = null, timer = 0, before = null;
  function shut() {
    clearTimeout(timer);
    if (!el) return;
    const inside = hasFocus(el);
    el.remove();
    el = null;
    if (inside && before?.isConnected) focusOn(before);
  }
  function show({ tone, title, text, best }) {
    shut();
    const go = h("button.nnb-shut", tone === "won" ? "Look back at the game" : "OK");
    el = h(`section.nnb-moment.${tone}`, { role: "status", "aria-label": [title, text].filter(Boolean).join(": ") }, h("div",
      h("span.nnb-big", UNREAD, SIGNS[tone]), title && h("h2", title), text && h("p", text),
      best.length && h("ol.nnb-podium", best.map(([name, value]) => h("li", h("bdi", name), h("b", value)))), !wall && go));
    on(el, "click", shut);
    on(el, "keydown", (event) => { if (event.key === "Escape") shut(); });
    before = document.activeElement;
    root.append(el);
    if (tone !== "won" || wall) timer = setTimeout(shut, STAYS);
    else focusOn(go);
  }
  return { show, shut };
}
