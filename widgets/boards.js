// Boards to play on, by mouse, finger and keys; beside them all boards small, drops from the hand, typed moves.
import { alone, Board, drawPiece, FEW, figure, marks, Sketch } from "./board.js";
import {
  aria, asked, boxOf, claim, entered, fill, flag, focusOn, fold, group, h, hasFocus, keeper, on, phrase, renew, say,
  set, tickBox, unhide, upper,
} from "./core.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TOLD = {
  last: "last move", check: "in check", selected: "selected", take: "can be taken", target: "legal target",
  own: "can move",
};
/** Pixels after which a press becomes a drag: a finger trembles more than a mouse. */
const STIR = { mouse: 4, touch: 8 };
/** Milliseconds for which squares that are new take no press, as in `core.js`. */
const NEW = 400;
/** Pieces that pawns become, the likeliest first. */
const RANKED = "qrbn";

const partsOf = (key) => key.split("+"), short = (name) => name.split(".").pop();
const inHand = (name) => name.startsWith("hand ");

/** The panel: {el, draw, first}. */
export function boardsPanel({ game, presses }) {
  const board = new Board(), { grid, cells } = board, keep = keeper();
  const title = h("p.nnb-title"), said = h("p.nnb-status", { role: "status" });
  const hand = group("nnb-buttons.nnb-hand", "Captured, ready to drop"), smalls = group("nnb-smalls", "All boards");
  const typed = h("input", { autocapitalize: "off", spellcheck: "false", "aria-label": "Type a move" });
  const write = presses.button("Move", () => send(typed.value.trim()), "");
  const typing = fold("asked", "Type a move", h("div.nnb-typed", typed, write));
  const tick = tickBox(), ticks = h("label.nnb-ticks", tick, "Show army marks");
  const lost = h("p.nnb-quiet"), closed = h("ul.nnb-quiet", { hidden: "" });
  const told = asked(game, "boards", "The boards in words", h("p")), far = h("p.nnb-whose"), near = h("p.nnb-whose");
  const played = h("div.nnb-played",
    far, board.el, near, hand, h("div.nnb-more", typing, ticks), closed, lost, told.el);
  const stage = h("div.nnb-stage", h("div.nnb-say", title, said), smalls, played);
  const el = h("section.nnb-card.nnb-boards", { "aria-label": "Boards", hidden: "" }, stage);
  /** The pair that is played on; boards that are only looked at; the board pressed last; what stood here last. */
  let chess, pair = null, looked = null, kept = null, was = null;
  /** The square that is picked up from; the one with the focus; a move that is not answered yet. */
  let picked = null, focused = null, afloat = null;
  /** The menu of a promotion; the press under way. */
  let menu = null, hit = null;
  let turn = "", note = "", noted = null;

  const moving = () => game.open("move")[0];
  const ways = () => Object.assign({}, ...Object.values(game.mine.ways));
  const way = () => ways()[pair];
  /** Moves on the boards that are shown: none on those that are only looked at. */
  const moves = () => (looked ? {} : way()?.moves ?? {});
  const squareOf = (one) => one?.closest?.("[data-square]")?.dataset.square;
  const kindOf = (letter) => chess.drawings.names[letter] ?? letter.toUpperCase();
  const kindOn = (name) => kindOf(inHand(name) ? name.slice(5) : chess.pieces[name]?.split(" ")[1] ?? "");
  const named = (name) => {
    const [army, kind, royal] = chess.pieces[name]?.split(" ") ?? [];
    return army ? `${army} ${royal ? "royal " : ""}${kindOf(kind)}` : "empty";
  };

  /** Send a move; the piece goes at once, and comes back if that is refused. */
  function send(text, from = null, to = null) {
    const found = moving();
    if (!found || !text || game.busy(found[0])) return show();
    // A universe is named by the move itself; half-boards are named with those that they are pushed together with.
    const [sign, { key }] = found, whole = text.includes(Object.values(chess.boards)[0].half ? ": " : ".");
    [picked, note, afloat] = [null, "", cells.has(from) ? { from, to, chess } : null];
    game.act("move", whole ? { text } : { text, push: way()?.boards ?? null }, {
      sign, key,
      done() {
        if (typed.value.trim() === text) typed.value = "";
        afloat = null;
      },
      refused() { [picked, afloat] = [moves()[from] ? from : null, null]; },
    });
  }
  function go(from, to) {
    const texts = moves()[from][to];
    if (texts.length > 1) promote(from, to, texts);
    else send(texts[0], from, to);
  }
  /** Ask on the square itself what a piece becomes: the first on it, the others towards the middle of the board. */
  function promote(from, to, texts) {
    const { x, y } = cells.get(to), { files, ranks } = board, up = y >= ranks / 2;
    const [army, old = from.slice(5)] = (chess.pieces[from] ?? way().army).split(" ");
    const becomes = (text) => (text.includes("=") ? text.slice(text.lastIndexOf("=") + 1).toLowerCase() : old);
    const rank = ({ kind }) => (RANKED.indexOf(kind) + 1) || 9;
    const kinds = texts.map((text) => ({ text, kind: becomes(text) })).sort((one, other) => rank(one) - rank(other));
    const take = (text) => (_, began) => {
      if (!began) return; // the press began elsewhere: it is the one that opened the menu
      menu.shut();
      send(text, from, to);
      focus(to);
    };
    const buttons = kinds.map(({ text, kind }) =>
      presses.button(drawPiece(figure(`${army} ${kind} `, chess)), take(text), "nnb-kind", aria(kindOf(kind))));
    const choose = group(`nnb-promo${up ? ".up" : ""}`, "Promote to", buttons);
    const veil = h("div.nnb-veil"), { style } = choose;
    style.left = `${100 * x / files}%`;
    style[up ? "bottom" : "top"] = `${100 * (up ? ranks - 1 - y : y) / ranks}%`;
    menu = { shut() {
      menu = afloat = null;
      veil.remove();
      choose.remove();
    } };
    function leave() {
      menu.shut();
      focus(cells.has(from) ? from : to);
      show();
    }
    let begun = false;
    on(veil, "pointerdown", () => { begun = true; });
    on(veil, "click", () => begun && leave());
    on(choose, "keydown", (event) => {
      const [dx, dy] = STEPS[event.key] ?? [0, 0], step = dx + (up ? -dy : dy), { length } = buttons;
      if (event.key === "Tab") return leave();
      if (event.key === "Escape") leave();
      else if (step) buttons[(buttons.indexOf(document.activeElement) + step + length) % length].focus();
      else return;
      claim(event);
    });
    if (cells.has(from)) afloat = { from, to, chess };
    board.el.append(veil, choose);
    show();
    focusOn(buttons[0]);
  }
  function pick(name) {
    [picked, note] = [name, ""];
    paint();
  }
  /** Say why nothing comes of a press; what is picked up stays so. */
  function miss(name) {
    const piece = chess.pieces[name], army = piece?.split(" ")[0], decision = moving();
    if (picked) note = `That ${kindOn(picked)} can’t go to ${short(name)}.`;
    else if (!piece) note = "";
    else if (!decision) note = "It’s not your move.";
    else if (!way() || looked) note = "You can’t move on this board now.";
    else if (army !== way().army && chess.armies[army]?.whose !== decision[1].player) note = "That isn’t your piece.";
    else note = `That ${kindOn(name)} can’t move now.`;
    paint();
  }
  function press(name) {
    if (picked && moves()[picked]?.[name]) go(picked, name);
    else if (picked === name) pick(null);
    else if (moves()[name]) pick(name);
    else miss(name);
  }
  function focus(name, really = true) {
    const old = cells.get(focused)?.el, next = cells.get(name)?.el;
    if (old) old.tabIndex = -1;
    if (!next) return;
    next.tabIndex = 0;
    focused = name;
    if (really) focusOn(next);
  }

  // A press takes effect by its click, so that it belongs to what it began on.
  // A drag has none under a finger, and ends by itself.
  presses.add(grid, (event, began) => {
    const mine = hit, start = squareOf(began), pointed = event.detail > 0; // a press without a pointer is nowhere
    hit = null;
    if (!start || menu || (pointed && mine?.ended)) return;
    focus(start);
    if (!pointed || (start === board.at(event) && !mine?.fresh)) press(start);
  });
  on(grid, "pointerdown", (event) => {
    end();
    if (!event.isPrimary) return; // a second finger ends the press of the first, and begins none
    hit = null;
    const name = squareOf(event.target), { pointerId: id, clientX: x, clientY: y } = event;
    if (!name || event.button > 0 || menu || performance.now() - Math.max(grid.moved, grid.other) < NEW) return;
    const fresh = Boolean(moves()[name]) && picked !== name && !moves()[picked]?.[name];
    hit = { id, name, fresh, x, y, meant: grid.meant, piece: null, over: null };
    if (fresh) pick(name);
  });
  on(grid, "pointermove", (event) => {
    if (hit?.id !== event.pointerId || hit.ended) return;
    if (!event.buttons) return end(); // it was let go where nobody heard of it
    const { name } = hit, { clientX, clientY, pointerType } = event;
    if (!hit.piece) {
      const trembles = Math.hypot(clientX - hit.x, clientY - hit.y) < (STIR[pointerType] ?? 6),
        piece = board.pieces.get(name);
      if (trembles || !moves()[name] || !piece) return;
      hit.piece = piece;
      piece.el.classList.add("drag");
      piece.el.classList.toggle("touch", pointerType === "touch");
      board.el.classList.add("dragging");
      on(window, "blur", end);
      pick(name);
    }
    const { x, y, width } = boxOf(grid), half = width / board.files / 2, over = board.at(event);
    hit.piece.el.style.transform = `translate(${clientX - x - half}px, ${clientY - y - half}px)`;
    light(moves()[name]?.[over] ? over : null);
  });
  function light(name) {
    if (hit.over === name) return;
    cells.get(hit.over)?.el.classList.remove("over");
    cells.get(name)?.el.classList.add("over");
    hit.over = name;
  }
  /** End the press under way: what is dragged goes back, and letting go does nothing more. */
  function end() { drop(null); }
  /** Let go of what is dragged: it goes back to its square, unless it is on one that it can go to. */
  function drop(event) {
    if (!hit || hit.ended || (event && (event.pointerId !== hit.id || !hit.piece))) return;
    hit.ended = true;
    if (!hit.piece) return;
    removeEventListener("blur", end);
    const { name, piece, meant } = hit, { el: lifted } = piece, to = event ? board.at(event) : "";
    light(null);
    board.el.classList.remove("dragging");
    lifted.classList.remove("drag", "touch");
    if (board.pieces.get(name) !== piece) return show(); // it was moved meanwhile
    if (meant !== grid.meant) presses.lost();
    else if (moves()[name]?.[to]) {
      lifted.classList.add("drag"); // it is there already, and does not glide
      board.place(piece, to);
      go(name, to);
      boxOf(lifted);
      lifted.classList.remove("drag");
      if (afloat) return;
    } else if (to && to !== name) miss(to);
    board.place(piece, name);
  }
  on(grid, "pointerup", drop);
  on(grid, "pointercancel lostpointercapture", ({ pointerId }) => hit?.piece && hit.id === pointerId && end());
  on(grid, "contextmenu", (event) => hit?.piece && !hit.ended && event.preventDefault());
  on(grid, "focusin", (event) => focus(event.target.dataset.square, false));
  on(grid, "keydown", (event) => {
    const here = cells.get(focused), { key } = event;
    if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
    const [dx, dy] = STEPS[key] ?? [], row = board.order.filter((one) => one.y === here.y);
    if (key in STEPS) {
      const there = board.find(here.x + dx, here.y + dy);
      if (there) {
        focus(there.name);
        there.el.scrollIntoView({ block: "nearest" });
      }
    } else if (key === "Home" || key === "End") focus(row.at(key === "Home" ? 0 : -1).name);
    else if (key === "Enter" || key === " ") {
      if (!event.repeat) press(focused);
    } else if (key === "Escape") {
      end();
      pick(null);
    } else return;
    claim(event);
  });
  entered(typed, () => write.click());
  on(tick, "change", () => {
    marks.keep(tick.checked);
    game.redraw();
  });

  function choose(key, look = null) {
    menu?.shut();
    [pair, looked, picked, note] = [key, look, null, ""];
    show();
  }
  /** Bring up a board that was pressed, with the one pressed before it, or another that is there, if they fit. */
  function bring(name) {
    const keys = Object.keys(ways()).filter((key) => partsOf(key).includes(name)), shown = shape().boards;
    const others = [kept, ...shown].filter((one) => one && one !== name);
    kept = name;
    if (!keys.length) return choose(pair, [[home(), ...others].find((one) => joined(name, one)) ?? name, name]);
    if (keys.includes(name) && shown.length > 1 && shown.includes(name)) return choose(name);
    const pairWith = (other) => keys.find((key) => partsOf(key).includes(other));
    choose(others.map(pairWith).find(Boolean) ?? keys[0]);
  }

  const armies = () => Object.entries(chess.armies);
  const home = () => Object.values(chess.armies).find((one) => one.whose === game.mine.seat)?.home;
  /** Two boards as they lie together, if they do. */
  const joined = (one, other) => chess.pairs[`${one}+${other}`] ?? chess.pairs[`${other}+${one}`];
  function shape() {
    const names = Object.keys(chess.boards), { last } = chess, { seat } = game.mine;
    const look = ([one, other]) => joined(one, other) ?? alone(chess.boards, other ?? one);
    const whole = (first) => look([first, names.find((one) => joined(first, one)) ?? first]);
    const there = () => (last?.places ? last : last ? look(last.boards) : whole(home() ?? names[0]));
    const found = looked ? look(looked) : way() ?? there();
    const { boards } = found, [first, second] = boards;
    // One’s own home lies below, whoever moves; for those who have none here, boards lie as they come.
    const isOwn = ({ whose, home: at }) => whose === seat && boards.includes(at);
    const own = seat !== null && Object.values(chess.armies).find(isOwn);
    const below = own?.home ?? names.find((one) => boards.includes(one));
    return { checks: [], ...found, turned: second ? below === second && first !== second : Boolean(own?.far) };
  }
  const lastSquares = () => (chess.last ? [chess.last.from, chess.last.to] : []);
  /** Squares, in colours and in words. */
  function paint() {
    const { checks } = shape(), movable = moves(), targets = movable[picked] ?? {}, ends = lastSquares();
    if (noted !== picked) game.note((noted = picked) ?? "");
    for (const name of cells.keys()) {
      const states = [ends.includes(name) && "last", checks.includes(name) && "check", name === picked && "selected",
        name in targets && (chess.pieces[name] ? "take" : "target"), movable[name] && "own"].filter(Boolean);
      board.label(name, states.join(" "),
        [name.replace(".", " "), named(name), ...states.map((one) => TOLD[one])].join(", "));
    }
    say(said, note || (picked ? pickedText(Object.keys(targets).length) : lastText(checks)));
    for (const one of hand.querySelectorAll("[data-hand]")) set(one, "aria-pressed", one.dataset.hand === picked);
  }
  function pickedText(count) {
    const where = inHand(picked) ? "in hand" : `on ${short(picked)}`;
    return `${upper(kindOn(picked))} ${where}: ${count} ${count === 1 ? "move" : "moves"}.`;
  }
  function lastText(checks) {
    const { last } = chess, route = last?.from ? `${short(last.from)} to` : "drop on";
    return phrase([last && `Last move: ${last.army}, ${route} ${short(last.to)}.`,
      checks.length && `Check: ${checks.map(named).join(", ")}.`]);
  }
  function show() {
    const keys = Object.keys(ways()), { last } = chess, now = `${keys.join()}|${game.table.game.turn}`;
    if (turn !== now) {
      const sorted = (names) => [...names].sort().join(), same = (key) => sorted(partsOf(key)) === sorted(last.boards);
      const there = last && keys.find(same);
      turn = now;
      if (there || !keys.includes(pair)) pair = there ?? keys[0] ?? null;
      picked = looked = null;
      menu?.shut();
    }
    if (picked && !moves()[picked]) picked = null;
    if (afloat && afloat.chess !== chess) afloat = null;
    const lies = shape(), inside = hasFocus(grid), moved = was && was.last !== last && last;
    const anew = board.shape(chess.boards, lies), path = afloat ?? (moved || { from: "", to: "" });
    if (anew && moved) { // other boards were here: these are drawn first as they were, so that the move is seen on them
      board.settle(was, was.pieces);
      boxOf(board.el);
    }
    const standing = { ...chess.pieces };
    if (afloat) {
      standing[afloat.to] = standing[afloat.from];
      delete standing[afloat.from];
    }
    board.settle(chess, standing, path.from, path.to);
    was = chess;
    grid.meant = board.key;
    const { order } = board;
    if (!cells.has(focused)) focus((order.findLast((one) => moves()[one.name]) ?? order[0]).name, inside);
    else if (anew) focus(focused, inside); // the squares are others; the focus stays where it was
    const mover = !looked && way()?.army, both = lies.boards.join(" + ");
    say(title, mover ? `${both} – ${mover} to move` : both);
    sides(lies);
    paint();
    say(lost, phrase([chess.lost, ...lies.boards.map((name) => chess.boards[name].here)]));
    told.draw();
    buttons(keys);
    thumbnails(lies.boards, keys);
    presses.look();
  }
  /** Whose sides of the boards are above and below. */
  function sides({ boards, turned }) {
    const pushed = boards.length > 1, [below, above = below] = turned && pushed ? [...boards].reverse() : boards;
    const colours = chess.drawings.paint;
    for (const [side, name, isFar] of [[far, above, !turned], [near, below, turned]]) {
      const here = armies().filter(([, one]) => one.home === name && (pushed || one.far === isFar));
      renew(side, JSON.stringify(here), () => here.map(([army, { colour, whose }]) => {
        const spot = h("i.nnb-spot");
        spot.style.background = colours[colour];
        return h("span", spot, whose && h("bdi", whose), ` ${army}`);
      }));
    }
  }
  function buttons(keys) {
    const now = way(), only = !looked && now?.only, decision = moving(), [first] = now?.boards ?? [];
    const dropOf = (name) => {
      const kind = name.slice(5), { army } = now, drawn = () => drawPiece(figure(`${army} ${kind} `, chess));
      const one = keep(`${name} ${army}`, () => presses.button([drawn(), `Drop ${kindOf(kind)}`], () => press(name),
        "plain", { "data-hand": name }));
      one.meant = `${name} ${pair}`;
      set(one, "aria-pressed", picked === name);
      return one;
    };
    const push = only && keep(`only ${only}`, () =>
      presses.button(`Push ${only.split(":")[0].replace("+", " and ")}`, () => send(only), ""));
    fill(hand, Object.keys(moves()).filter(inHand).map(dropOf), push);
    unhide(typing, keys.length && !looked);
    unhide(ticks, armies().length <= FEW && game.mine.role !== "wall");
    tick.checked = marks.shown;
    set(typed, "placeholder", first ? `e.g. e2e4 or ${first}.e2-${first}.e4` : null);
    write.meant = decision ? decision[1].key : "";
    // Where a move is all that is due, no form says why the rest is not open.
    const whose = decision?.[1].player, mine = Object.values(game.mine.decisions);
    const onlyMoves = mine.every((one) => one.player !== whose || !one.must || one.action === "move");
    const shut = (game.table.choices[whose] ?? []).filter((one) => one.action !== "move" && !one.beside && onlyMoves);
    fill(closed, shut.map((one) => h("li", one.said)));
    unhide(closed, shut.length);
  }
  /** All boards small: half-boards, and a few others, in a strip before the one that is played on; many behind it. */
  function thumbnails(shown, keys) {
    const names = Object.keys(chess.boards), strip = names.length <= FEW || chess.boards[names[0]].half;
    const [, one, other] = stage.children;
    if ((one === smalls) !== strip) one.before(other);
    stage.classList.toggle("strip", strip && names.length > 1);
    unhide(smalls, names.length > 1);
    fill(smalls, names.map((name) => {
      const { sketch, text, button } = keep(`board ${name}`, () => {
        const own = new Sketch(), label = h("span.nnb-by");
        return { sketch: own, text: label, button: presses.button([label, own.el], () => bring(name), "nnb-small") };
      });
      const { told: words, half } = chess.boards[name], open = keys.some((key) => partsOf(key).includes(name));
      const all = [...words, ...(open && !half ? ["to be moved in"] : [])];
      sketch.draw(name, chess, lastSquares());
      say(text, all.join(" · "));
      const count = Object.keys(chess.pieces).filter((square) => square.startsWith(`${name}.`)).length;
      set(button, "aria-label", `${all.join(", ")}, ${count} pieces, ${open ? "push together" : "look at"}`);
      set(button, "aria-pressed", shown.includes(name));
      flag(button, "data-open", open);
      return button;
    }));
  }

  return {
    el,
    draw() {
      ({ chess } = game.table);
      unhide(el, chess);
      if (chess) show();
    },
    /** Where a move is begun. */
    first: () => (chess && way() ? cells.get(focused)?.el : null),
  };
}
