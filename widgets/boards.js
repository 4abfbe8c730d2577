// Boards to play on, by mouse, finger and keys; beside them all boards small, drops from the hand, typed moves.
import { alone, Board, drawPiece, FEW, figure, marks, Sketch } from "./board.js";
import { asked, h, hold, keeper, say, set, unhide } from "./core.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TOLD = { last: "last move", check: "in check", selected: "selected", take: "can be taken", target: "legal target", own: "can move" };
/** Pixels after which a press becomes a drag: a finger trembles more than a mouse. */
const STIR = { mouse: 4, touch: 8 };
/** Milliseconds for which squares that are new take no press, as in `core.js`. */
const NEW = 400;
/** Pieces that pawns become, the likeliest first. */
const RANKED = "qrbn";

/** The panel: {el, draw, first}. */
export function boardsPanel(presses) {
  const board = new Board(), { grid, cells } = board, keep = keeper();
  const title = h("p.nnb-title"), said = h("p.nnb-status", { role: "status" });
  const hand = h("div.nnb-buttons.nnb-hand", { role: "group", "aria-label": "Captured, ready to drop" });
  const typed = h("input", { autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "Type a move" });
  const write = presses.add(h("button", {}, "Move"), () => send(typed.value.trim()));
  const typing = h("details.nnb-asked", {}, h("summary", {}, "Type a move"), h("div.nnb-typed", {}, typed, write));
  const tick = h("input", { type: "checkbox" }), ticks = h("label.nnb-tick", {}, tick, "Show army marks");
  const lost = h("p.nnb-quiet"), closed = h("ul.nnb-quiet", { hidden: "" }), told = asked("boards", "The boards in words", h("p")), smalls = h("div.nnb-smalls", { role: "group", "aria-label": "All boards" });
  const far = h("p.nnb-whose"), near = h("p.nnb-whose");
  const played = h("div.nnb-played", {}, far, board.el, near, hand, h("div.nnb-more", {}, typing, ticks), closed, lost, told.el), stage = h("div.nnb-stage", {}, h("div.nnb-say", {}, title, said), smalls, played);
  const el = h("section.nnb-card.nnb-boards", { "aria-label": "Boards", hidden: "" }, stage);
  /** The pair that is played on; boards that are only looked at; the board pressed last; what stood here last. */
  let game, chess, pair = null, looked = null, kept = null, was = null;
  /** The square that is picked up from; the one with the focus; a move that is not answered yet; the menu of a promotion; the press under way. */
  let picked = null, focused = null, afloat = null, menu = null, hit = null;
  let turn = "", note = "", noted = null;

  const moving = () => Object.entries(game.picture.mine.decisions).find(([, one]) => one.action === "move");
  const ways = () => Object.assign({}, ...Object.values(game.picture.mine.ways));
  const way = () => ways()[pair];
  /** Moves on the boards that are shown: none on those that are only looked at. */
  const moves = () => (looked ? {} : way()?.moves ?? {});
  const short = (name) => name.split(".").pop();
  const squareOf = (one) => one?.closest?.("[data-square]")?.dataset.square;
  const kindOf = (letter) => chess.drawings.names[letter] ?? letter.toUpperCase();
  const kindOn = (name) => kindOf(name.startsWith("hand ") ? name.slice(5) : chess.pieces[name]?.split(" ")[1] ?? "");
  const named = (name) => {
    const [army, kind, royal] = chess.pieces[name]?.split(" ") ?? [];
    return army ? `${army} ${royal ? "royal " : ""}${kindOf(kind)}` : "empty";
  };

  /** Send a move; the piece goes at once, and comes back if that is refused. */
  function send(text, from = null, to = null) {
    const found = moving();
    if (!found || !text || game.busy(found[0])) return show();
    // A universe is named by the move itself; half-boards are named with those that they are pushed together with.
    const [sign, one] = found, whole = text.includes(chess.boards[Object.keys(chess.boards)[0]].half ? ": " : ".");
    [picked, note, afloat] = [null, "", from && cells.has(from) ? { from, to, chess } : null];
    game.act("move", whole ? { text } : { text, push: way()?.boards ?? null }, { sign, key: one.key,
      done() { if (typed.value.trim() === text) typed.value = ""; afloat = null; },
      refused() { [picked, afloat] = [moves()[from] ? from : null, null]; } });
  }
  function go(from, to) {
    const texts = moves()[from][to];
    if (texts.length > 1) promote(from, to, texts);
    else send(texts[0], from, to);
  }
  /** Ask on the square itself what a piece becomes: the first on it, the others towards the middle of the board. */
  function promote(from, to, texts) {
    const { x, y } = cells.get(to), up = y >= board.ranks / 2, [army, own = from.slice(5)] = (chess.pieces[from] ?? way().army).split(" ");
    const kinds = texts.map((text) => [text, text.includes("=") ? text.slice(text.lastIndexOf("=") + 1).toLowerCase() : own]);
    const rank = ([, kind]) => (RANKED.indexOf(kind) + 1) || 9;
    const buttons = kinds.sort((one, other) => rank(one) - rank(other)).map(([text, kind]) => presses.add(h("button.nnb-kind", { "aria-label": kindOf(kind) }, drawPiece(figure(`${army} ${kind} `, chess))), (event, began) => {
      if (!began) return; // the press began elsewhere: it is the one that opened the menu
      menu.shut();
      send(text, from, to);
      focus(to);
    }));
    const choose = h(`div.nnb-promo${up ? ".up" : ""}`, { role: "group", "aria-label": "Promote to" }, buttons), veil = h("div.nnb-veil");
    Object.assign(choose.style, { left: `${100 * x / board.files}%`, [up ? "bottom" : "top"]: `${100 * (up ? board.ranks - 1 - y : y) / board.ranks}%` });
    menu = { shut() { menu = afloat = null; veil.remove(); choose.remove(); } };
    const leave = () => {
      menu.shut();
      focus(cells.has(from) ? from : to);
      show();
    };
    let begun = false;
    veil.addEventListener("pointerdown", () => { begun = true; });
    veil.addEventListener("click", () => begun && leave());
    choose.addEventListener("keydown", (event) => {
      const [dx, dy] = STEPS[event.key] ?? [0, 0], step = dx + (up ? -dy : dy);
      if (event.key === "Tab") return leave();
      if (event.key === "Escape") leave();
      else if (step) buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    if (cells.has(from)) afloat = { from, to, chess };
    board.el.append(veil, choose);
    show();
    buttons[0].focus({ preventScroll: true });
  }
  function pick(name) {
    [picked, note] = [name, ""];
    paint();
  }
  /** Say why nothing comes of a press; what is picked up stays so. */
  function miss(name) {
    const piece = chess.pieces[name], army = chess.armies[piece?.split(" ")[0]];
    if (picked) note = `That ${kindOn(picked)} can’t go to ${short(name)}.`;
    else if (!piece) note = "";
    else if (!moving()) note = "It’s not your move.";
    else if (!way() || looked) note = "You can’t move on this board now.";
    else note = piece.startsWith(`${way().army} `) || army?.whose === moving()[1].player ? `That ${kindOn(name)} can’t move now.` : "That isn’t your piece.";
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
    if (really) next.focus({ preventScroll: true });
  }

  // A press takes effect by its click, so that it belongs to what it began on; a drag has none under a finger, and ends by itself.
  presses.add(grid, (event, began) => {
    const [mine, start] = [hit, squareOf(began)], over = event.detail ? board.at(event) : start; // a press without a pointer is nowhere
    hit = null;
    if (!start || menu || (event.detail && mine?.ended)) return;
    focus(start);
    if (start === over && !(event.detail && mine?.fresh)) press(start);
  });
  grid.addEventListener("pointerdown", (event) => {
    end();
    if (!event.isPrimary) return; // a second finger ends the press of the first, and begins none
    hit = null;
    const name = squareOf(event.target);
    if (!name || event.button > 0 || menu || performance.now() - Math.max(grid.moved, grid.other) < NEW) return;
    const fresh = Boolean(moves()[name]) && picked !== name && !moves()[picked]?.[name];
    hit = { id: event.pointerId, name, fresh, x: event.clientX, y: event.clientY, meant: grid.meant, piece: null, over: null };
    if (fresh) pick(name);
  });
  grid.addEventListener("pointermove", (event) => {
    if (hit?.id !== event.pointerId || hit.ended) return;
    if (!event.buttons) return end(); // it was let go where nobody heard of it
    if (!hit.piece) {
      if (Math.hypot(event.clientX - hit.x, event.clientY - hit.y) < (STIR[event.pointerType] ?? 6) || !moves()[hit.name] || !board.pieces.has(hit.name)) return;
      hit.piece = board.pieces.get(hit.name);
      hit.piece.el.classList.add("drag");
      hit.piece.el.classList.toggle("touch", event.pointerType === "touch");
      board.el.classList.add("dragging");
      addEventListener("blur", end);
      pick(hit.name);
    }
    const { x, y, width } = grid.getBoundingClientRect(), half = width / board.files / 2;
    hit.piece.el.style.transform = `translate(${event.clientX - x - half}px, ${event.clientY - y - half}px)`;
    light(moves()[hit.name]?.[board.at(event)] ? board.at(event) : null);
  });
  function light(name) {
    if (hit.over === name) return;
    cells.get(hit.over)?.el.classList.remove("over");
    cells.get(name)?.el.classList.add("over");
    hit.over = name;
  }
  /** End the press under way: what is dragged goes back, and letting go does nothing more. */
  const end = () => drop(null);
  /** Let go of what is dragged: it goes back to its square, unless it is on one that it can go to. */
  function drop(event) {
    if (!hit || hit.ended || (event && (event.pointerId !== hit.id || !hit.piece))) return;
    hit.ended = true;
    if (!hit.piece) return;
    removeEventListener("blur", end);
    const { name, piece, meant } = hit, to = event ? board.at(event) : "";
    light(null);
    board.el.classList.remove("dragging");
    piece.el.classList.remove("drag", "touch");
    if (board.pieces.get(name) !== piece) return show(); // it was moved meanwhile
    if (meant !== grid.meant) presses.lost();
    else if (moves()[name]?.[to]) {
      piece.el.classList.add("drag"); // it is there already, and does not glide
      board.place(piece, to);
      go(name, to);
      piece.el.getBoundingClientRect();
      piece.el.classList.remove("drag");
      if (afloat) return;
    } else if (to && to !== name) miss(to);
    board.place(piece, name);
  }
  grid.addEventListener("pointerup", drop);
  for (const how of ["pointercancel", "lostpointercapture"]) grid.addEventListener(how, ({ pointerId }) => hit?.piece && hit.id === pointerId && end());
  grid.addEventListener("contextmenu", (event) => hit?.piece && !hit.ended && event.preventDefault());
  grid.addEventListener("focusin", (event) => focus(event.target.dataset.square, false));
  grid.addEventListener("keydown", (event) => {
    const here = cells.get(focused);
    if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in STEPS) {
      const [dx, dy] = STEPS[event.key];
      const there = board.order.find((one) => one.x === here.x + dx && one.y === here.y + dy);
      if (there) {
        focus(there.name);
        there.el.scrollIntoView({ block: "nearest" });
      }
    } else if (event.key === "Home" || event.key === "End") {
      const row = board.order.filter((one) => one.y === here.y);
      focus(row.at(event.key === "Home" ? 0 : -1).name);
    } else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) press(focused);
    } else if (event.key === "Escape") {
      end();
      pick(null);
    } else return;
    event.preventDefault();
    event.stopPropagation(); // JupyterLab listens for these keys, too
  });
  typed.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat) write.click();
  });
  tick.addEventListener("change", () => {
    marks.keep(tick.checked);
    game.redraw();
  });

  function choose(key, look = null) {
    menu?.shut();
    [pair, looked, picked, note] = [key, look, null, ""];
    show();
  }
  /** Bring up a board that was pressed: with the one pressed before it, or another that is there, if they go together. */
  function bring(name) {
    const keys = Object.keys(ways()).filter((key) => key.split("+").includes(name)), shown = shape().boards;
    const others = [kept, ...shown].filter((one) => one && one !== name);
    kept = name;
    if (!keys.length) return choose(pair, [[home(), ...others].find((one) => joined(name, one)) ?? name, name]);
    const single = keys.includes(name) && shown.length > 1 && shown.includes(name) && name;
    choose(single || (others.map((other) => keys.find((key) => key.split("+").includes(other))).find(Boolean) ?? keys[0]));
  }

  const home = () => Object.values(chess.armies).find((one) => one.whose === game.picture.mine.seat)?.home;
  /** Two boards as they lie together, if they do. */
  const joined = (one, other) => chess.pairs[`${one}+${other}`] ?? chess.pairs[`${other}+${one}`];
  function shape() {
    const names = Object.keys(chess.boards), { last } = chess, seat = game.picture.mine.seat;
    const look = ([one, other]) => joined(one, other) ?? alone(chess.boards, other ?? one);
    const whole = () => (joined(home() ?? names[0], names.find((one) => joined(home() ?? names[0], one))) ?? alone(chess.boards, home() ?? names[0]));
    const found = looked ? look(looked) : way() ?? (last?.places ? last : last ? look(last.boards) : whole());
    // One’s own home lies below, whoever moves; for those who have none here, boards lie as they come.
    const own = seat === null ? null : Object.values(chess.armies).find((one) => one.whose === seat && found.boards.includes(one.home));
    const [first, second] = found.boards, below = own?.home ?? names.find((one) => found.boards.includes(one));
    return { checks: [], ...found, turned: second ? below === second && first !== second : Boolean(own?.far) };
  }
  /** Squares, in colours and in words. */
  function paint() {
    const now = shape(), { last } = chess, targets = moves()[picked] ?? {}, ends = last ? [last.from, last.to] : [];
    if (noted !== picked) game.note((noted = picked) ?? "");
    for (const name of cells.keys()) {
      const states = [ends.includes(name) && "last", now.checks.includes(name) && "check", name === picked && "selected",
        name in targets && (chess.pieces[name] ? "take" : "target"), moves()[name] && "own"].filter(Boolean);
      board.label(name, states.join(" "), [name.replace(".", " "), named(name), ...states.map((one) => TOLD[one]).filter(Boolean)].join(", "));
    }
    const count = Object.keys(targets).length, where = picked?.startsWith("hand ") ? "in hand" : `on ${short(picked ?? "")}`, kind = picked ? kindOn(picked) : "";
    const check = now.checks.length ? ` Check: ${now.checks.map(named).join(", ")}.` : "";
    say(said, note || (picked ? `${kind[0].toUpperCase()}${kind.slice(1)} ${where}: ${count} ${count === 1 ? "move" : "moves"}.` : `${last ? `Last move: ${last.army}, ${last.from ? `${short(last.from)} to` : "drop on"} ${short(last.to)}.` : ""}${check}`));
    for (const one of hand.children) set(one, "aria-pressed", one.dataset.hand ? String(one.dataset.hand === picked) : null);
  }
  function show() {
    const open = ways(), keys = Object.keys(open), { last } = chess;
    const now = `${keys.join()}|${game.picture.table.game.turn}`;
    if (turn !== now) {
      turn = now;
      const there = last && keys.find((key) => key.split("+").sort().join() === [...last.boards].sort().join());
      if (there || !keys.includes(pair)) pair = there ?? keys[0] ?? null;
      picked = looked = null;
      menu?.shut();
    }
    if (picked && !moves()[picked]) picked = null;
    if (afloat && afloat.chess !== chess) afloat = null;
    const lies = shape(), inside = grid.contains(document.activeElement), moved = was && was.last !== last && last, anew = board.shape(chess.boards, lies);
    if (anew && moved) { // other boards were here: these are drawn first as they were, so that the move is seen on them
      board.settle(was, was.pieces);
      board.el.getBoundingClientRect();
    }
    const standing = afloat ? { ...chess.pieces, [afloat.to]: chess.pieces[afloat.from] } : chess.pieces;
    if (afloat) delete standing[afloat.from];
    board.settle(chess, standing, afloat?.from ?? (moved ? last.from : ""), afloat?.to ?? (moved ? last.to : ""));
    was = chess;
    grid.meant = board.key;
    if (!cells.has(focused)) focus(board.order.findLast((one) => moves()[one.name])?.name ?? board.order[0].name, inside);
    else if (anew) focus(focused, inside); // the squares are others; the focus stays where it was
    const mover = looked ? null : way()?.army, both = lies.boards.join(" + ");
    say(title, mover ? `${both} – ${mover} to move` : both);
    sides(lies);
    paint();
    say(lost, [chess.lost, ...lies.boards.map((name) => chess.boards[name].here)].filter(Boolean).join(" "));
    told.draw(game);
    buttons(keys);
    thumbnails(last ? [last.from, last.to] : [], lies.boards, keys);
    presses.look();
  }
  /** Whose sides of the boards are above and below. */
  function sides({ boards, turned }) {
    const [below, above = below] = turned && boards.length > 1 ? [...boards].reverse() : boards;
    for (const [el, name, side] of [[far, above, !turned], [near, below, Boolean(turned)]]) {
      const here = Object.entries(chess.armies).filter(([, one]) => one.home === name && (boards.length > 1 ? true : one.far === side));
      const key = here.map(([army, one]) => `${army} ${one.colour} ${one.whose}`).join();
      if (el.dataset.key === key) continue;
      el.dataset.key = key;
      el.replaceChildren(...here.map(([army, one]) => {
        const spot = h("i.nnb-spot");
        spot.style.background = chess.drawings.paint[one.colour];
        return h("span", {}, spot, one.whose ? h("bdi", {}, one.whose) : null, ` ${army}`);
      }));
    }
  }
  function buttons(keys) {
    const only = looked ? null : way()?.only, inHand = Object.keys(moves()).filter((name) => name.startsWith("hand "));
    hold(hand, [...inHand.map((name) => {
      const army = way().army, one = keep(`${name} ${army}`, () => presses.add(h("button.plain", { "data-hand": name }, drawPiece(figure(`${army} ${name.slice(5)} `, chess)), `Drop ${kindOf(name.slice(5))}`), () => press(name)));
      one.meant = `${name} ${pair}`;
      set(one, "aria-pressed", String(picked === name));
      return one;
    }), ...(only ? [keep(`only ${only}`, () => presses.add(h("button", {}, `Push ${only.split(":")[0].replace("+", " and ")}`), () => send(only)))] : [])]);
    unhide(typing, keys.length && !looked);
    unhide(ticks, Object.keys(chess.armies).length <= FEW && game.picture.mine.role !== "wall");
    tick.checked = marks.shown;
    const [first] = way()?.boards ?? [];
    set(typed, "placeholder", first ? `e.g. e2e4 or ${first}.e2-${first}.e4` : null);
    const decision = moving();
    write.meant = decision ? decision[1].key : "";
    // Where a move is all that is due, no form says why the rest is not open.
    const whose = decision?.[1].player, due = Object.values(game.picture.mine.decisions).filter((one) => one.player === whose && one.must);
    const shut = (game.picture.table.choices[whose] ?? []).filter((one) => one.action !== "move" && !one.beside && due.every(({ action }) => action === "move"));
    closed.replaceChildren(...shut.map((one) => h("li", {}, one.said)));
    unhide(closed, shut.length);
  }
  /** All boards small: half-boards, and a few others, in a strip before the one that is played on; many others behind it. */
  function thumbnails(ends, shown, keys) {
    const names = Object.keys(chess.boards), strip = names.length <= FEW || chess.boards[names[0]].half, parts = [...stage.children];
    if ((parts.indexOf(smalls) < parts.indexOf(played)) !== strip) (strip ? played.before(smalls) : played.after(smalls));
    stage.classList.toggle("strip", strip && names.length > 1);
    unhide(smalls, names.length > 1);
    hold(smalls, names.map((name) => {
      const { sketch, text, button } = keep(`board ${name}`, () => {
        const own = new Sketch(), said = h("span.nnb-by");
        const made = presses.add(h("button.nnb-small", {}, said, own.el), () => bring(name));
        return { sketch: own, text: said, button: made };
      }), one = chess.boards[name];
      sketch.draw(name, chess, ends);
      const open = keys.some((key) => key.split("+").includes(name)), told = [...one.told, ...(open && !one.half ? ["to be moved in"] : [])];
      say(text, told.join(" · "));
      const count = Object.keys(chess.pieces).filter((square) => square.startsWith(`${name}.`)).length;
      set(button, "aria-label", `${told.join(", ")}, ${count} pieces, ${open ? "push together" : "look at"}`);
      set(button, "aria-pressed", String(shown.includes(name)));
      set(button, "data-open", open ? "" : null);
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
    first: () => (chess && way() ? cells.get(focused)?.el : null),
  };
}
