// Half-boards pushed together, by mouse and by keys; all boards small; typed moves, promotions, drops from the hand.
import { asked, h, hold, keeper, say, set, unhide } from "./core.js";

const FILES = "abcdefghijklmnop";
const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "g", "path", "circle", "text"]);
/** Pixels of a square of a small board. */
const SIDE = 40;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TOLD = { last: "last move", check: "in check", selected: "selected", take: "can be taken", target: "legal target" };

export function squareName(square, files) {
  return FILES[square % files] + String(Math.floor(square / files) + 1);
}

/** The squares of boards pushed together, from above to below, seen from the army that moves: {name, x, y}. */
export function cellsOf(boards, shape) {
  const { files, ranks, turned } = shape, found = [];
  shape.boards.forEach((name, at) => shape.places[at].forEach((local, square) => {
    if (boards[name].holes.includes(square)) return;
    const [file, rank] = [local % files, Math.floor(local / files)];
    found.push({ name: `${name}.${squareName(square, boards[name].files)}`, x: turned ? files - 1 - file : file, y: turned ? rank : ranks - 1 - rank });
  }));
  return found.sort((one, other) => one.y - other.y || one.x - other.x);
}
export function alone(boards, name) {
  const { files, ranks } = boards[name];
  return { boards: [name], files, ranks, turned: false, places: [[...Array(files * ranks).keys()]], checks: [] };
}

/** A piece as a tree: an outline in the colour of its army, or its letter; a mark of the army in the corner, a number where two share a colour, and a star on what a rule makes royal. */
function figure(piece, { armies, drawings }) {
  const [army, kind, royal] = piece.split(" "), { colour, mark } = armies[army] ?? { colour: "white", mark: 0 }, d = drawings.shapes[colour];
  return { key: `${kind} ${colour} ${mark} ${royal}`, colour: drawings.paint[colour], tree: ["g", {},
    ...(drawings.outlines[kind] ? [drawings.outlines[kind]] : [["circle", { cx: 22, cy: 22, r: 16, fill: "currentColor", stroke: "#000" }], ["text", { x: 22, y: 29, "font-size": 20, "text-anchor": "middle" }, kind.toUpperCase()]]),
    ...(d ? [["path", { d, transform: "matrix(1.2,0,0,1.2,32,32)", fill: "currentColor", stroke: "#000", "stroke-width": 1 }]] : []),
    ...(mark ? [["text", { x: 37, y: 14, "font-size": 12, class: "nnb-mark" }, String(mark + 1)]] : []),
    ...(royal ? [["text", { x: 7, y: 14, "font-size": 15, class: "nnb-mark" }, "★"]] : [])] };
}
function growDrawing([tag, attributes, ...children]) {
  const made = document.createElementNS(SVG, DRAWN.has(tag) ? tag : "g");
  for (const [key, value] of Object.entries(attributes)) if (/^[a-zA-Z-]+$/.test(key) && !/^on|^style|href/i.test(key)) made.setAttribute(key, value);
  made.append(...children.map((one) => (typeof one === "string" ? one : growDrawing(one))));
  return made;
}
const templates = keeper(), stamps = keeper();
/** Draw a piece as an element. */
function drawPiece({ key, colour, tree }) {
  return templates(key, () => {
    const made = growDrawing(["svg", { viewBox: "0 0 45 45", class: "nnb-piece", "aria-hidden": "true" }, tree]);
    made.style.color = colour;
    return made;
  }).cloneNode(true);
}
/** Paint a tree as it would be grown. */
function ink(pen, [tag, own, ...children], from) {
  const now = { ...from, ...own }, path = new Path2D(tag === "path" ? own.d : "");
  pen.save();
  if (own.transform) pen.transform(...own.transform.match(/-?[\d.]+/g).map(Number));
  for (const [key, as] of [["fill", "fillStyle"], ["stroke", "strokeStyle"]]) pen[as] = now[key] === "currentColor" ? now.colour : now[key];
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
/** One board, small: a picture, painted where it has become another. */
export class Sketch {
  constructor() {
    this.el = h("canvas.nnb-sketch", { "aria-hidden": "true" });
  }
  draw(name, chess, ends) {
    const { files, ranks, holes } = chess.boards[name], pen = this.el.getContext("2d"), found = [];
    for (let at = 0; at < files * ranks; at++) {
      const square = `${name}.${squareName(at, files)}`, piece = chess.pieces[square];
      if (!holes.includes(at)) found.push([at, ends.includes(square), piece && figure(piece, chess)]);
    }
    const key = files + found.map(([at, last, piece]) => `${at}${last}${piece?.key}`).join();
    if (key === this.key) return;
    this.key = key;
    Object.assign(this.el, { width: files * SIDE, height: ranks * SIDE });
    for (const [at, last, piece] of found) {
      const file = at % files, rank = Math.floor(at / files), place = [file * SIDE, (ranks - 1 - rank) * SIDE];
      for (const colour of [(file + rank) % 2 ? "#f0d9b5" : "#b58863", ...(last ? ["#9bc70069"] : [])]) {
        pen.fillStyle = colour;
        pen.fillRect(...place, SIDE, SIDE);
      }
      if (piece) pen.drawImage(stamps(piece.key, () => stamped(piece)), ...place);
    }
  }
}
function stamped({ colour, tree }) {
  const made = h("canvas", { width: SIDE, height: SIDE }), pen = made.getContext("2d");
  pen.scale(SIDE / 45, SIDE / 45);
  pen.lineCap = pen.lineJoin = "round";
  ink(pen, tree, { fill: "#000", stroke: "none", colour });
  return made;
}

/** Boards as a grid of squares, changed in place. */
class Grid {
  constructor(label) {
    this.el = h("div.nnb-board", { role: "grid", "aria-label": label });
    [this.key, this.cells, this.order] = ["", new Map(), []];
  }
  /** Lay the squares out; tell whether they are others than before. */
  shape(cells, files, ranks) {
    const key = cells.map((one) => one.name).join();
    if (key === this.key) return false;
    [this.key, this.order] = [key, cells];
    this.cells.clear();
    const rows = Array.from({ length: ranks }, () => h("div.nnb-row", { role: "row" }));
    for (const one of cells) {
      const cell = h(`div.nnb-cell${(one.x + ranks - 1 - one.y) % 2 === 0 ? ".dark" : ""}`, { role: "gridcell", tabindex: -1, "data-square": one.name });
      cell.style.gridArea = `${one.y + 1} / ${one.x + 1}`;
      const local = one.name.split(".").pop();
      if (one.x === 0) cell.dataset.rank = local.slice(1);
      if (one.y === ranks - 1) cell.dataset.file = local[0];
      this.cells.set(one.name, { el: cell, piece: "" });
      rows[one.y].append(cell);
    }
    this.el.style.setProperty("--files", String(files));
    this.el.style.setProperty("--ranks", String(ranks));
    this.el.replaceChildren(...rows);
    return true;
  }
  fill(told, chess) {
    for (const [name, cell] of this.cells) {
      const { piece, state, label } = told(name), drawn = piece ? figure(piece, chess) : null;
      set(cell.el, "aria-label", label);
      set(cell.el, "aria-selected", state.includes("selected") ? "true" : null);
      set(cell.el, "data-state", state || null);
      if (cell.piece === (drawn?.key ?? "")) continue;
      cell.piece = drawn?.key ?? "";
      cell.el.replaceChildren(...(drawn ? [drawPiece(drawn)] : []));
    }
  }
}

/** The panel: {el, draw, first}. */
export function boardsPanel(presses) {
  const big = new Grid("Boards pushed together");
  const title = h("h3.nnb-title"), said = h("p.nnb-status", { role: "status" });
  const chooser = h("div.nnb-buttons", { role: "group", "aria-label": "Promotion" }), hand = h("div.nnb-buttons", { role: "group", "aria-label": "In hand" });
  const pairs = h("div.nnb-tabs", { role: "group", "aria-label": "Boards to push together" });
  const typed = h("input", { type: "text", autocomplete: "off", "aria-label": "Move in writing" });
  const write = presses.add(h("button", {}, "Move"), () => go([typed.value.trim()]));
  const typing = h("div.nnb-typed", {}, typed, write), lost = h("p.nnb-quiet"), closed = h("ul.nnb-quiet", { hidden: "" }), told = asked("boards", "The boards in words", h("p")), smalls = h("div.nnb-smalls");
  const el = h("section.nnb-card.nnb-boards", { "aria-label": "Boards", hidden: "" }, title, pairs, h("div.nnb-stage", {}, h("div.nnb-played", {}, big.el, chooser, hand, typing, said, closed, lost, told.el), smalls));
  let game, chess, pair = null, looked = null, picked = null, focused = null, turn = "", note = "", noted = null;
  const keep = keeper();

  const moving = () => Object.entries(game.picture.mine.decisions).find(([, one]) => one.action === "move");
  const ways = () => Object.assign({}, ...Object.values(game.picture.mine.ways));
  const way = () => ways()[pair];
  const short = (name) => name.split(".").pop();
  const kindOf = (letter) => chess.drawings.names[letter] ?? letter.toUpperCase();
  const named = (name) => {
    const [army, kind, royal] = chess.pieces[name]?.split(" ") ?? [];
    return army ? `${army} ${royal ? "royal " : ""}${kindOf(kind)}` : "empty";
  };

  function go(texts) {
    const found = moving();
    if (!found || !texts[0]) return;
    if (texts.length > 1) { // it is to be chosen what a piece becomes
      hold(chooser, texts.map((text) => presses.add(h("button.plain", {}, kindOf(text.slice(text.indexOf("=") + 1).toLowerCase())), () => go([text]))));
      return void (chooser.firstElementChild).focus();
    }
    // A universe is named by the move itself; half-boards are named with those that they are pushed together with.
    const [sign, one] = found, whole = texts[0].includes(chess.boards[Object.keys(chess.boards)[0]].half ? ": " : ".");
    [picked, note] = [null, ""];
    chooser.replaceChildren();
    game.act("move", whole ? { text: texts[0] } : { text: texts[0], push: way()?.boards ?? null }, { sign, key: one.key, done: () => { typed.value = ""; } });
  }
  function press(name) {
    const moves = way()?.moves ?? {};
    chooser.replaceChildren();
    if (picked && moves[picked]?.[name]) return go(moves[picked][name]);
    note = "";
    if (moves[name] && picked !== name) picked = name;
    else {
      if (!moves[name] && chess.pieces[name]) note = moving() ? `${named(name)} on ${short(name)} has no move here.` : "It is not for you to move now.";
      picked = null;
    }
    show();
  }
  function focus(name, really = true) {
    const old = big.cells.get(focused)?.el, next = big.cells.get(name)?.el;
    if (old) old.tabIndex = -1;
    if (!next) return;
    next.tabIndex = 0;
    focused = name;
    if (really) next.focus();
  }
  presses.add(big.el, ({ detail, clientX, clientY }, from) => {
    const [start, end] = [from, detail ? document.elementFromPoint(clientX, clientY) : from] // a press without a pointer is nowhere
      .map((one) => one?.closest(".nnb-board [data-square]")?.dataset.square);
    if (!start) return;
    focus(start, false);
    if (start === end || picked !== start) press(start);
    if (start !== end && way()?.moves[picked]?.[end]) press(end); // it was dragged there
  });
  big.el.addEventListener("focusin", (event) => focus(event.target.dataset.square, false));
  big.el.addEventListener("keydown", (event) => {
    const here = big.order.find((one) => one.name === focused);
    if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in STEPS) {
      const [dx, dy] = STEPS[event.key];
      const there = big.order.find((one) => one.x === here.x + dx && one.y === here.y + dy);
      if (there) focus(there.name);
    } else if (event.key === "Home" || event.key === "End") {
      const row = big.order.filter((one) => one.y === here.y);
      focus((event.key === "Home" ? row[0] : row[row.length - 1]).name);
    } else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) press(focused);
    } else if (event.key === "Escape") {
      picked = null;
      show();
    } else return;
    event.preventDefault();
    event.stopPropagation(); // JupyterLab listens for these keys, too
  });
  typed.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat) write.click();
  });

  function choose(key) {
    [pair, picked, note, looked] = [key, null, "", null];
    chooser.replaceChildren();
    show();
  }
  /** Bring up boards that go with one that was pressed: with the other that was there before, where they do. */
  function bring(name) {
    const keys = Object.keys(ways()).filter((key) => key.split("+").includes(name));
    const others = pair?.split("+") ?? [];
    const key = keys.find((one) => one !== pair && one.split("+").some((other) => other !== name && others.includes(other))) ?? keys[0];
    choose(key ?? pair);
    if (!key) [looked, picked] = [name, null];
    show();
  }

  /** One board, seen by whoever sits here from where their army stands. */
  function seated(shape) {
    const own = shape.boards.length === 1 && Object.values(chess.armies).find((one) => one.whose === game.picture.mine.seat && one.home === shape.boards[0]);
    return own ? { ...shape, turned: own.far } : shape;
  }
  function show() {
    const open = ways(), keys = Object.keys(open), { last } = chess;
    if (noted !== picked) game.note((noted = picked) ?? "");
    const now = `${keys.join()}|${game.picture.table.game.turn}`;
    if (turn !== now) {
      turn = now;
      if (!keys.includes(pair)) pair = keys[0] ?? null;
      picked = looked = null;
      chooser.replaceChildren();
    }
    const home = Object.values(chess.armies).find((one) => one.whose === game.picture.mine.seat)?.home;
    const shape = looked ? seated(alone(chess.boards, looked)) : way() ?? (last?.places ? seated(last) : seated(alone(chess.boards, home ?? Object.keys(chess.boards)[0])));
    const inside = big.el.contains(document.activeElement);
    const anew = big.shape(cellsOf(chess.boards, shape), shape.files, shape.ranks);
    big.el.meant = big.key;
    big.el.classList.toggle("seam", shape.boards.length === 2);
    if (!big.cells.has(focused)) focus(big.order.find((one) => way()?.moves[one.name])?.name ?? big.order[0].name, inside);
    else if (anew) focus(focused, inside); // the squares are others; the focus stays where it was
    const targets = (picked && way()?.moves[picked]) || {}, ends = last ? [last.from, last.to] : [];
    big.fill((name) => {
      const states = [ends.includes(name) && "last", shape.checks.includes(name) && "check", name === picked && "selected",
        name in targets && (chess.pieces[name] ? "take" : "target"), way()?.moves[name] && "own"].filter(Boolean);
      return { piece: chess.pieces[name], state: states.join(" "), label: [name.replace(".", " "), named(name), ...states.map((one) => TOLD[one]).filter(Boolean)].join(", ") };
    }, chess);
    const mover = looked ? null : way()?.army;
    say(title, looked ?? (mover ? `${shape.boards.join(" + ")} – ${mover} to move` : last?.places ? `${shape.boards.length > 1 ? "Pushed together last" : "Last moved on"}: ${shape.boards.join(" + ")}` : "Boards"));
    const check = shape.checks.length ? ` ${shape.checks.map(named).join(", ")} in check.` : "";
    say(said, note || (picked ? `${picked.startsWith("hand") ? kindOf(picked.slice(5)) : `${named(picked)} on ${short(picked)}`}: ${Object.keys(targets).length} squares.` : `${last ? `Last: ${last.army}, ${last.text}.` : ""}${check}`));
    say(lost, [chess.lost, ...shape.boards.map((name) => chess.boards[name].here)].filter(Boolean).join(" "));
    told.draw(game);
    buttons(keys);
    thumbnails(ends, shape.boards, keys);
    presses.look();
  }
  function buttons(keys) {
    unhide(pairs, keys.length);
    hold(pairs, keys.map((key) => {
      const one = keep(`pair ${key}`, () => presses.add(h("button.nnb-tab", {}, key.replace("+", " + ")), () => choose(key)));
      set(one, "aria-pressed", String(key === pair));
      return one;
    }));
    const only = way()?.only;
    const inHand = Object.keys(way()?.moves ?? {}).filter((name) => name.startsWith("hand "));
    hold(hand, [...inHand.map((name) => {
      const one = keep(name, () => presses.add(h("button.plain", {}, `Drop ${kindOf(name.slice(5))}`), () => press(name)));
      one.meant = `${name} ${pair}`;
      set(one, "aria-pressed", String(picked === name));
      return one;
    }), ...(only ? [keep(`only ${only}`, () => presses.add(h("button", {}, `Push ${only.split(":")[0].replace("+", " and ")}`), () => go([only])))] : [])]);
    unhide(typing, keys.length);
    const [board] = way()?.boards ?? [];
    set(typed, "placeholder", `e2e4, or ${board}.e2-${board}.e4`);
    const decision = moving();
    write.meant = decision ? decision[1].key : "";
    // Where a move is all that is due, no form says why the rest is not open.
    const whose = decision?.[1].player, due = Object.values(game.picture.mine.decisions).filter((one) => one.player === whose && one.must);
    const shut = (game.picture.table.choices[whose] ?? []).filter((one) => one.action !== "move" && !one.beside && due.every(({ action }) => action === "move"));
    closed.replaceChildren(...shut.map((one) => h("li", {}, one.said)));
    unhide(closed, shut.length);
  }
  function thumbnails(ends, shown, keys) {
    hold(smalls, Object.keys(chess.boards).map((name) => {
      const { sketch, text, button } = keep(`board ${name}`, () => {
        const own = new Sketch(), said = h("span.nnb-by");
        const made = presses.add(h("button.nnb-small", {}, said, own.el), () => bring(name));
        return { sketch: own, text: said, button: made };
      }), board = chess.boards[name];
      sketch.draw(name, chess, ends);
      const open = keys.some((key) => key.split("+").includes(name)), told = [...board.told, ...(open && !board.half ? ["to be moved in"] : [])];
      say(text, told.join(" · "));
      const count = Object.keys(chess.pieces).filter((square) => square.startsWith(`${name}.`)).length;
      set(button, "aria-label", `${told.join(", ")}, ${count} pieces, ${open ? "push together" : "look at"}`);
      set(button, "data-open", open ? "" : null);
      set(button, "data-shown", shown.includes(name) ? "" : null);
      return button;
    }));
  }

  return {
    el,
    draw(given) {
      [game, chess] = [given, given.picture.table.chess];
      unhide(el, chess);
      if (chess) show();
    },
    /** Where a move is begun. */
    first: () => (chess && way() ? big.cells.get(focused)?.el : null),
  };
}
