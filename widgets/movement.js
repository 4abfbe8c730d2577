// How a kind of piece would move: squares as before, new ones and lost ones, around the piece.
import { h, svg } from "./core.js";

/** The sign of a square: a dot as before, a plus that is new, a cross that is lost. */
function squareSign(how, x, y) {
  if (how === "kept") return svg("circle", { class: "nnb-kept", cx: x, cy: y, r: 0.17 });
  const arms = how === "new" ? "M-.17 0H.17M0-.17V.17" : "M-.12-.12L.12.12M-.12.12L.12-.12";
  return svg("g", { class: `nnb-${how}`, transform: `translate(${x} ${y})` }, svg("circle", { r: 0.32 }), svg("path", { d: arms }));
}

/** The picture with its key, of what the view model tells of a movement. */
export function movementPicture({ kind, name, before, after, words }) {
  const key = ([right, ahead]) => `${right},${ahead}`, old = new Set(before.map(key)), now = new Set(after.map(key));
  const squares = new Map([...before, ...after].map((one) => [key(one), one]));
  const reach = Math.min(4, Math.max(2, ...[...squares.values()].map(([right, ahead]) => Math.max(Math.abs(right), Math.abs(ahead))))), side = 2 * reach + 1;
  const board = [];
  for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) board.push(svg("rect", { class: (x + y) % 2 ? "nnb-dark" : "nnb-light", x, y, width: 1.01, height: 1.01 }));
  for (const [at, [right, ahead]] of squares) if (Math.max(Math.abs(right), Math.abs(ahead)) <= reach) board.push(squareSign(!old.has(at) ? "new" : now.has(at) ? "kept" : "lost", reach + right + 0.5, reach - ahead + 0.5));
  const letter = svg("text", { x: reach + 0.5, y: reach + 0.72, "text-anchor": "middle", "font-size": 0.62 }, kind.toUpperCase());
  const rows = [["kept", "As before: "], ["new", "New: "], ["lost", "No longer: "]].flatMap(([how, said]) => words[how].map((way) =>
    h("li", svg("svg", { viewBox: "-.5 -.5 1 1", "aria-hidden": "true" }, squareSign(how, 0, 0)), h("span", h("b", said), way))));
  return [h("h4.nnb-label", `How the ${name} would move`), h("div.nnb-moves", svg("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": rows.map((row) => row.textContent).join(" ") }, ...board, letter), h("ul", rows))];
}
