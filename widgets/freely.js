// What may be done at any time, whoever is at turn.
import { fill, fold, h, labelled, lawError, offer, on, renew, say, unhide, wider } from "./core.js";
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
    fill(notes, sure && !sure.value() && "To leave cannot be taken back; tick the box if you are sure.");
    if (notes.firstChild) return;
    const told = fields.map((one) => [one.name, one.value()]);
    const details = Object.fromEntries(told.filter(([, value]) => value !== null));
    game.act(action, details, {
      sign: `free:${action}`, player: who?.value(),
      done: () => { for (const one of [...fields, sure]) one?.put(""); },
      refused: ({ law }) => { if (law) fill(notes, lawError(law)); },
    });
    if (!listed) what.focus();
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
      renew(body, JSON.stringify([what.value, one, role]), () => {
        fields = one.fields.map((told) => ({ name: told.name, ...field(told, tools) }));
        sure = one.sure ? field({ type: "tick", label: "yes, leave the game for good" }, tools) : null;
        who = role === "table" ? wider.shared.who(tools) : null;
        fill(notes);
        return [who, ...fields, sure].map((part) => part?.el);
      });
      say(go, one.send);
      go.meant = what.value;
      for (const part of [...fields, who]) part?.draw?.();
      const heard = game.table.listens;
      say(listens, heard.length ? `Rules listen for: ${heard.join("; ")}.` : "");
    },
  };
};
