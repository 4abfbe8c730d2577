// The game as it stood: a slider over the events, and law, boards and score as they were then.
import { Sketch } from "./board.js";
import { answerIn, aria, claim, fill, fold, grow, h, keeper, on, option, say, set, unhide } from "./core.js";
import { more } from "./panel.js";

const NAGS = ["", "!", "?", "!!", "??", "!?", "?!", "□"];
/** Milliseconds after which an answer is waited for no more. */
const LATE = 3000;

more.history = ({ game, presses }) => {
  const slider = h("input", { type: "range", min: 1, max: 1, step: 1, "aria-label": "Event" });
  const strip = h("div.nnb-strip", { role: "toolbar", "aria-label": "Turns" }), keep = keeper();
  const where = h("p.nnb-verdict", { role: "status" });
  const button = (label, name, work) => presses.button(label, work, "plain", aria(name));
  const move = (step) => go(Number(slider.value) + step);
  /** Go to what stands out next, or before. */
  const leap = (way) => {
    const here = Number(slider.value), others = Object.keys(marked).map(Number).filter((seq) => way * (seq - here) > 0);
    if (others.length) go(way > 0 ? Math.min(...others) : Math.max(...others));
  };
  const buttons = h("div.nnb-buttons", button("|◀", "Previous highlight", () => leap(-1)), button("◀", "Previous event", () => move(-1)),
    button("▶", "Next event", () => move(1)), button("▶|", "Next highlight", () => leap(1)), button("Now", "Latest", () => go(last)));
  const score = h("div"), law = h("div.nnb-rules"), later = h("p.nnb-quiet"), boards = h("div.nnb-smalls.nnb-then");
  const redline = h("div.nnb-answer"), changed = fold("asked", "Changes to the rules since then", redline);
  const words = h("textarea", { rows: 2, "aria-label": "Comment" }), nag = h("select", aria("Glyph"), NAGS.map((one) => option(one, one || "no symbol")));
  const write = presses.button("Comment on this event", () => {
    game.act("annotate", { text: words.value, nag: nag.value, at: shown.event }, { sign: "annotate", done: () => { words.value = ""; nag.value = ""; } });
  }, "");
  const fork = presses.button("Branch from here", () => game.act("fork", { event: shown.event }, { sign: "fork" }));
  const hosts = h("div.nnb-fields", words, h("div.nnb-buttons", nag, write, fork));
  const el = fold("card.nnb-back", "History", strip, slider, buttons, where, h("div.nnb-stage2", score, boards), h("h4.nnb-label", "Rules at that time"), law, later, changed, hosts);
  let last = 1, marked = {}, known = -1, wanted = null, since = -LATE, shown = { event: 0 };
  const rows = new Map(), small = new Map();

  function go(seq) {
    slider.value = String(Math.max(1, Math.min(last, seq)));
    wanted = Number(slider.value);
    next();
  }
  /** Ask for one moment at a time: while an answer is on its way, only the last one that was wished for is kept. */
  function next() {
    if (wanted === null || performance.now() - since < LATE) return;
    const event = wanted;
    [wanted, since] = [null, performance.now()];
    game.ask("past", { event }, (got) => {
      since = -LATE;
      if (got.why) say(where, got.why);
      else paint(got);
      next();
    });
  }
  on(slider, "input", () => go(Number(slider.value)));
  on(slider, "keydown", (event) => event.stopPropagation());
  on(changed, "toggle", () => compare());
  const compare = () => changed.open && shown.event && game.ask("since", { event: shown.event }, answerIn(redline));

  /** A rule as it stood: what it said then is asked for once it is opened. */
  function row(rule) {
    if (!rows.has(rule.number)) {
      const title = h("span"), note = h("span.nnb-chip"), body = h("div"), inner = h("details", h("summary", h("strong", `${rule.number} `), title, note), body);
      const made = { el: inner, title, note, body, of: 0 };
      const fill = () => {
        if (!inner.open || made.of === shown.event) return;
        made.of = shown.event;
        game.ask("rule", { rule: rule.number, event: shown.event }, answerIn(body), null, made);
      };
      made.fill = fill;
      on(inner, "toggle", fill);
      rows.set(rule.number, made);
    }
    const one = rows.get(rule.number), told = [rule.void && "void", rule.since && `since: ${rule.since}`].filter(Boolean).join(", ");
    say(one.title, rule.title);
    say(one.note, told);
    unhide(one.note, told);
    one.fill();
    return one.el;
  }
  function stand(chess) {
    const { drawings } = game.table.chess ?? {};
    fill(boards, !chess || !drawings ? [] : Object.keys(chess.boards).map((name) => {
      if (!small.has(name)) {
        const sketch = new Sketch(), text = h("span.nnb-by");
        small.set(name, { sketch, text, el: h("div", text, sketch.el) });
      }
      const { sketch, text, el: made } = small.get(name);
      sketch.draw(name, { ...chess, drawings }, chess.last ? [chess.last.from, chess.last.to] : []);
      say(text, chess.boards[name].told.join(" · "));
      return made;
    }));
  }
  /** The tick of a turn: it says what happened, and leads to where the turn ended. */
  function tick({ at, mark, sign, said }) {
    const made = keep(at, () => h("button.plain", { value: at }));
    set(made, "data-mark", mark);
    for (const name of ["aria-label", "title"]) set(made, name, said);
    say(made, sign);
    return made;
  }
  /** Mark the tick of the turn that is shown; it alone is reached by Tab, the others by arrows. */
  function point() {
    const all = [...strip.children], here = all.find((one) => Number(one.value) >= shown.event) ?? all.at(-1);
    for (const one of all) {
      set(one, "aria-current", one === here ? "true" : null);
      one.tabIndex = one === here ? 0 : -1;
    }
    if (here) strip.scrollLeft = here.offsetLeft - strip.clientWidth / 2;
  }
  on(strip, "click", (event) => event.target.value && go(Number(event.target.value)));
  on(strip, "keydown", (event) => {
    const all = [...strip.children], at = all.indexOf(event.target);
    const next = all[{ ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key]];
    if (!next) return;
    claim(event);
    next.focus();
    go(Number(next.value));
  });
  function paint(got) {
    shown = got;
    say(where, `Event ${got.event} of ${got.last}, turn ${got.turn}: ${got.said}`);
    set(slider, "aria-valuetext", `event ${got.event}: ${got.said}`);
    fill(score, grow(got.score));
    fill(law, got.law.map(row));
    say(later, got.later.length ? `Added later: ${got.later.join("; ")}.` : "");
    stand(got.chess);
    compare();
    write.meant = fork.meant = got.event;
    point();
  }
  on(el, "toggle", () => game.table && draw());
  function draw() {
    unhide(hosts, game.mine.role === "table");
    if (!el.open || known === game.step) return;
    const followed = shown.event === last || !shown.event;
    known = game.step;
    game.ask("marks", {}, (got) => {
      [last, marked] = [got.last, got.marks];
      set(slider, "max", last);
      fill(strip, got.turns.map(tick));
      unhide(strip, got.turns.length);
      go(followed ? last : shown.event);
    });
  }
  return { el, draw };
};
