// One board: squares below, pieces above them, coordinates beside them; and a board small, as a picture.
import { boxOf, fill, h, keeper, set, storeOf, svg, UNREAD } from "./core.js";

const FILES = "abcdefghijklmnop";
/** Pixels of a square of a small board. */
const SIDE = 40;
/** Milliseconds that a piece takes to fade, as in `boards.css`. */
const FADE = 150;
/** Armies above which each piece has a mark of its army, whether or not that was asked for. */
export const FEW = 4;

const squareName = (square, files) => FILES[square % files] + String(Math.floor(square / files) + 1);

/** The squares of boards pushed together, from above to below: {name, x, y}. */
function cellsOf(boards, { boards: names, places, files, ranks, turned }) {
  const found = names.flatMap((name, at) => places[at].map((local, square) => {
    const file = local % files, rank = Math.floor(local / files);
    const [x, y] = turned ? [files - 1 - file, rank] : [file, ranks - 1 - rank];
    return !boards[name].holes.includes(square) && { name: `${name}.${squareName(square, boards[name].files)}`, x, y };
  }));
  return found.filter(Boolean).sort((one, other) => one.y - other.y || one.x - other.x);
}
export function alone(boards, name) {
  const { files, ranks } = boards[name];
  return { boards: [name], files, ranks, places: [[...Array(files * ranks).keys()]], checks: [] };
}

const store = storeOf("boards");
/** Whether marks of armies were asked for on this device. */
export const marks = {
  shown: store.of("marks"),
  keep(wanted) {
    this.shown = wanted;
    store.keep("marks", wanted);
  },
};

// A piece: a key for what it looks like, the colour of its army, and its drawing as a tree: an outline, or a letter;
// a mark of the army, a number where two share a colour, and a star on what a rule makes royal.
export function figure(piece, { armies, drawings: { outlines, paint, shapes } }) {
  const [army, kind, royal] = piece.split(" "), { colour, mark } = armies[army] ?? { colour: "white", mark: 0 };
  const d = (marks.shown || Object.keys(armies).length > FEW) && shapes[colour];
  const filled = { fill: "currentColor", stroke: "#000" };
  const sign = (x, size, text) => ["text", { x, y: 14, "font-size": size, class: "nnb-mark" }, text];
  const letter = () => ["g", {}, ["circle", { cx: 22, cy: 22, r: 16, ...filled }],
    ["text", { x: 22, y: 29, "font-size": 20, "text-anchor": "middle" }, kind.toUpperCase()]];
  return {
    key: `${kind} ${colour} ${mark} ${royal} ${d}`, colour: paint[colour],
    tree: () => ["g", {}, ...[outlines[kind] ?? letter(),
      d && ["path", { d, transform: "matrix(1.2,0,0,1.2,32,32)", ...filled, "stroke-width": 1 }],
      mark && sign(37, 12, String(mark + 1)), royal && sign(7, 15, "★")].filter(Boolean)],
  };
}
function growDrawing(tree) {
  const [tag, attributes, ...children] = tree;
  return typeof tree === "string" ? tree : svg(tag, attributes, ...children.map(growDrawing));
}
const templates = keeper(), stamps = keeper();
/** Draw a piece as an element. */
export function drawPiece({ key, colour, tree }) {
  return templates(key, () => {
    const made = svg("svg", { viewBox: "0 0 45 45", ...UNREAD }, growDrawing(tree()));
    made.style.color = colour;
    return made;
  }).cloneNode(true);
}
/** Paint a tree as it would be grown. */
function ink(pen, [tag, own, ...children], from) {
  const now = { ...from, ...own }, path = new Path2D(tag === "path" ? own.d : "");
  pen.save();
  if (own.transform) pen.transform(...own.transform.match(/-?[\d.]+/g).map(Number));
  for (const key of ["fill", "stroke"]) pen[`${key}Style`] = now[key] === "currentColor" ? now.colour : now[key];
  pen.lineWidth = now["stroke-width"] ?? 1;
  if (tag === "circle") path.arc(own.cx, own.cy, own.r, 0, 7);
  if (tag === "text") {
    Object.assign(pen, { font: `700 ${own["font-size"]}px sans-serif`, textAlign: "center" });
    pen.fillText(children.pop(), own.x, own.y);
  }
  if (now.fill !== "none") pen.fill(path, "evenodd");
  if (now.stroke !== "none") pen.stroke(path);
  for (const one of children) ink(pen, one, now);
  pen.restore();
}
/** One board, small: a picture, painted anew if it has become another. */
export class Sketch {
  constructor() {
    this.el = h("canvas.nnb-sketch", UNREAD);
  }
  draw(name, chess, ends) {
    const { files, ranks, holes } = chess.boards[name], pen = this.el.getContext("2d"), found = [];
    for (let at = 0; at < files * ranks; at++) {
      const square = `${name}.${squareName(at, files)}`, piece = chess.pieces[square];
      if (!holes.includes(at)) found.push({ at, last: ends.includes(square), piece: piece && figure(piece, chess) });
    }
    const key = files + found.map(({ at, last, piece }) => `${at}${last}${piece?.key}`).join();
    if (key === this.key) return;
    this.key = key;
    Object.assign(this.el, { width: files * SIDE, height: ranks * SIDE });
    for (const { at, last, piece } of found) {
      const file = at % files, rank = Math.floor(at / files), place = [file * SIDE, (ranks - 1 - rank) * SIDE];
      const paint = (colour) => {
        pen.fillStyle = colour;
        pen.fillRect(...place, SIDE, SIDE);
      };
      paint((file + rank) % 2 ? "#ebe6da" : "#94a0ad");
      if (last) paint("#e8c33f99");
      if (piece) pen.drawImage(stamps(piece.key, () => stamped(piece)), ...place);
    }
  }
}
function stamped({ colour, tree }) {
  const made = h("canvas", { width: SIDE, height: SIDE }), pen = made.getContext("2d");
  pen.scale(SIDE / 45, SIDE / 45);
  pen.lineCap = pen.lineJoin = "round";
  ink(pen, tree(), { fill: "#000", stroke: "none", colour });
  return made;
}

/** A board to play on: squares, pieces above them that transforms alone move, coordinates. It knows no game. */
export class Board {
  constructor() {
    this.grid = h("div.nnb-grid", { role: "grid" });
    this.above = h("div.nnb-above", UNREAD);
    this.beside = h("div.nnb-beside", UNREAD);
    this.el = h("div.nnb-board", this.grid, this.above, this.beside);
    Object.assign(this, { key: "", cells: new Map(), order: [], pieces: new Map() });
  }
  /** Lay the squares out; tell whether they are others than before. */
  shape(boards, shape) {
    const { files, ranks } = shape, cells = cellsOf(boards, shape), key = cells.map((one) => one.name).join();
    if (key === this.key) return false;
    Object.assign(this, { key, order: cells, files, ranks });
    this.cells.clear();
    this.pieces.clear();
    fill(this.above);
    const rows = Array.from({ length: ranks }, () => h("div.nnb-row", { role: "row" }));
    for (const one of cells) {
      const { name, x, y } = one, dark = (x + ranks - 1 - y) % 2 === 0 ? ".dark" : "";
      one.el = h(`div.nnb-cell${dark}`, { role: "gridcell", tabindex: -1, "data-square": name });
      one.el.style.gridArea = `${y + 1} / ${x + 1}`;
      this.cells.set(name, one);
      rows[y].append(one.el);
    }
    const local = (x, y) => this.find(x, y)?.name.split(".").pop() ?? " ", seam = h("div.nnb-seam");
    const names = (kind, length, text) => h(`div.nnb-coords.${kind}`,
      Array.from({ length }, (_, at) => h("span", text(at))));
    const filesAt = (kind, y) => names(kind, files, (x) => local(x, y)[0]), pair = shape.boards.length === 2;
    seam.style.top = `${100 * shape.places[shape.turned ? 0 : 1]?.length / files / ranks}%`;
    fill(this.beside, names("left", ranks, (y) => local(0, y).slice(1)), filesAt("below", ranks - 1),
      pair && [seam, filesAt("top", 0)]);
    set(this.grid, "aria-label", pair ? "Boards pushed together" : "Board");
    this.el.style.setProperty("--files", files);
    this.el.style.setProperty("--ranks", ranks);
    fill(this.grid, rows);
    return true;
  }
  /** Bring the pieces to where they stand: what moved glides there, what was taken fades. */
  settle(chess, standing, from, to) {
    const left = new Map(this.pieces), rest = [];
    this.pieces = new Map();
    for (const square of this.cells.keys()) {
      const text = standing[square], one = left.get(square);
      if (!text) continue;
      if (one?.text !== text) rest.push(square);
      else {
        this.pieces.set(square, one);
        left.delete(square);
      }
    }
    for (const square of rest.sort((one, other) => (other === to) - (one === to))) { // what moved is found first
      const text = standing[square], alike = [...left.keys()].find((at) => left.get(at).text === text);
      const old = square === to && left.has(from) ? from : alike;
      const one = left.get(old) ?? { text: "", el: h("div.nnb-piece") };
      left.delete(old);
      this.pieces.set(square, one);
      one.el.classList.toggle("moves", Boolean(one.text));
      one.text = text;
    }
    for (const { el } of left.values()) {
      el.classList.add("gone");
      set(el, "data-on", null);
      setTimeout(() => el.remove(), FADE);
    }
    for (const [square, one] of this.pieces) {
      const drawn = figure(one.text, chess);
      if (one.key !== drawn.key) fill(one.el, drawPiece(drawn));
      one.key = drawn.key;
      set(one.el, "data-on", square);
      if (!one.el.classList.contains("drag")) this.place(one, square);
      if (!one.el.isConnected) this.above.append(one.el);
    }
  }
  place({ el }, square) {
    const { x, y } = this.cells.get(square), there = `translate(${x * 100}%, ${y * 100}%)`;
    if (el.style.transform !== there) el.style.transform = there;
  }
  find(x, y) { return this.order.find((one) => one.x === x && one.y === y); }
  /** The name of the square under a pointer; empty beside the board. */
  at({ clientX, clientY }) {
    const { x, y, width, height } = boxOf(this.grid);
    const file = Math.floor((clientX - x) / width * this.files), rank = Math.floor((clientY - y) / height * this.ranks);
    return this.find(file, rank)?.name ?? "";
  }
  label(name, state, label) {
    const { el } = this.cells.get(name);
    set(el, "aria-label", label);
    set(el, "aria-selected", state.includes("selected") || null);
    set(el, "data-state", state || null);
  }
}

