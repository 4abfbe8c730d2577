// How a kind of piece would move: squares as before, new ones and lost ones, around the piece.
import { aria, h, svg, UNREAD } from "./core.js";

/** The sign of a square: a dot as before, a plus that is new, a cross that is lost. */
function squareSign(how, x, y) {
  if (how === "kept") return svg("circle", { class: "nnb-kept", cx: x, cy: y, r: 0.17 });
  const d = how === "new" ? "M-.17 0H.17M0-.17V.17" : "M-.12-.12L.12.12M-.12.12L.12-.12";
  const place = { class: `nnb-${how}`, transform: `translate(${x} ${y})` };
  return svg("g", place, svg("circle", { r: 0.32 }), svg("path", { d }));
}

/** The picture with its key, of what the view model tells of a movement: squares are [right, ahead] of the piece. */
export function movementPicture({ kind, name, before, after, words }) {
  const key = ([right, ahead]) => `${right},${ahead}`, old = before.map(key), now = after.map(key);
  const squares = Object.values(Object.fromEntries([...before, ...after].map((one) => [key(one), one])));
  const far = ([right, ahead]) => Math.max(Math.abs(right), Math.abs(ahead));
  const reach = Math.min(4, Math.max(2, ...squares.map(far))), side = 2 * reach + 1, signs = [];
  for (let x = 0; x < side; x++) {
    for (let y = 0; y < side; y++) {
      signs.push(svg("rect", { class: (x + y) % 2 ? "nnb-dark" : "nnb-light", x, y, width: 1.01, height: 1.01 }));
    }
  }
  for (const one of squares.filter((each) => far(each) <= reach)) {
    const [right, ahead] = one, how = !old.includes(key(one)) ? "new" : now.includes(key(one)) ? "kept" : "lost";
    signs.push(squareSign(how, reach + right + 0.5, reach - ahead + 0.5));
  }
  const place = { x: reach + 0.5, y: reach + 0.72, "text-anchor": "middle", "font-size": 0.62 };
  signs.push(svg("text", place, kind.toUpperCase()));
  const row = (how, said) => words[how].map((way) =>
    h("li", svg("svg", { viewBox: "-.5 -.5 1 1", ...UNREAD }, squareSign(how, 0, 0)), h("span", h("b", said), way)));
  const rows = [...row("kept", "As before: "), ...row("new", "New: "), ...row("lost", "No longer: ")];
  const label = rows.map((one) => one.textContent).join(" ");
  const picture = svg("svg", aria(label, { viewBox: `0 0 ${side} ${side}`, role: "img" }), ...signs);
  return [h("h4.nnb-label", `How the ${name} would move`), h("div.nnb-moves", picture, h("ul", rows))];
}
