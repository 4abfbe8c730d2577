// What may be done at any time, whoever is at turn.
import { fill, fold, h, labelled, lawError, offer, on, renew, say, unhide, upper, wider } from "./core.js";
import { field } from "./forms.js";
import { more } from "./panel.js";

/** What may be done at any time: {el, draw}. */
more.free = (tools) => {
  const { game, presses } = tools;
  const what = h("select"), body = h("div.nnb-fields"), listens = h("p.nnb-quiet");
  const notes = h("div.nnb-error", { role: "status" }), go = presses.button("", send, "");
  const el = fold("card.nnb-free", "At any time", labelled("What", what), body, h("div.nnb-buttons", go), notes,
    listens);
  let fields = [], sure = null, who = null;
  function send() {
    const action = what.value, listed = game.mine.free[action];
    fill(notes, sure && !sure.value() && "You can’t undo leaving. Tick the box if you are sure.");
    if (notes.firstChild) return;
    const told = fields.map((one) => [one.name, one.value()]);
    const details = Object.fromEntries(told.filter(([, value]) => value !== null));
    game.act(action, details, {
      sign: `free:${action}`, player: who?.value(),
      done: () => {
        for (const one of [...fields, sure]) one?.put("");
        el.closest("dialog")?.close(); // what came of it is said behind the sheet
      },
      refused: ({ law, why }) => fill(notes, law ? lawError(law) : el.closest("dialog") && why),
    });
    if (!listed) what.focus();
  }
  /** Begin to say or report what rules listen for. */
  function begin(action, words) {
    what.value = action;
    game.redraw();
    fields.at(-1)?.put(words); // it comes after who did it
    fields[0]?.input.focus();
  }
  on(what, "change", game.redraw);
  return {
    el,
    draw() {
      const { free, role } = game.mine;
      unhide(el, Object.keys(free).length);
      offer(what, Object.entries(free).map(([name, one]) => [name, one.what]));
      const one = free[what.value];
      if (!one) return;
      const anew = renew(body, JSON.stringify([what.value, one, role]), () => {
        fields = one.fields.map((told) => ({ name: told.name, ...field(told, tools) }));
        sure = one.sure ? field({ type: "tick", label: "yes, leave for good" }, tools) : null;
        who = role === "table" ? wider.shared.who(tools) : null;
        fill(notes);
        return [who, ...fields, sure].map((part) => part?.el);
      });
      say(go, one.send);
      go.meant = what.value;
      for (const part of [...fields, who]) part?.draw?.();
      if (anew) for (const part of fields) part.put(""); // nobody is named before somebody chooses
      renew(listens, JSON.stringify(game.table.listens), () => game.table.listens.length && ["Rules listen for: ",
        game.table.listens.map(([action, words, text]) =>
          presses.button(upper(text), () => begin(action, words), "plain.nnb-link"))]);
    },
  };
};
