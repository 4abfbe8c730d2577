// What may be done at any time, whoever is at turn.
import { h, lawError, say, unhide } from "./core.js";
import { field, whoField } from "./forms.js";
import { more } from "./panel.js";

let freeCount = 0;

/** What may be done at any time: {el, draw}. */
function freelyPanel(tools) {
  const { presses } = tools;
  const what = h("select", { id: `nnb-free-${++freeCount}` });
  const body = h("div.nnb-fields"), notes = h("div.nnb-error", { role: "status" }), listens = h("p.nnb-quiet");
  const go = h("button", {});
  const el = h("details.nnb-card.nnb-free", {}, h("summary", {}, "At any time"),
    h("div.nnb-field", {}, h("label", { for: what.id }, "What"), what), body, h("div.nnb-buttons", {}, go), notes, listens);
  let game, fields = [], sure = null, who = null, made = "", known = "";
  presses.add(go, () => {
    const one = game.picture.mine.free[what.value];
    if (sure && !sure.value()) return notes.replaceChildren("To leave cannot be taken back; tick the box if you are sure.");
    notes.replaceChildren();
    const details = Object.fromEntries(fields.map((f) => [f.name, f.field.value()]).filter(([, value]) => value !== null));
    game.act(what.value, details, {
      sign: `free:${what.value}`, player: who ? who.value() : null,
      done: () => { for (const f of fields) f.field.put(""); if (sure) sure.put(false); },
      refused: (got) => { if (got.law) notes.replaceChildren(...lawError(got.law)); },
    });
    if (!one) what.focus();
  });
  what.addEventListener("change", () => game.redraw());
  return {
    el,
    draw(given) {
      game = given;
      const { free, role } = game.picture.mine;
      unhide(el, Object.keys(free).length);
      const names = Object.keys(free).join();
      if (names !== known) {
        known = names;
        const before = what.value;
        what.replaceChildren(...Object.entries(free).map(([name, one]) => h("option", { value: name }, one.what)));
        if (before in free) what.value = before;
      }
      const one = free[what.value];
      if (!one) return;
      const key = JSON.stringify([what.value, one, role]);
      if (key !== made) {
        made = key;
        fields = one.fields.map((told) => ({ name: told.name, field: field(told, tools) }));
        sure = one.sure ? field({ type: "tick", label: "yes, leave the game for good", name: "" }, tools) : null;
        who = role === "table" ? whoField(tools) : null;
        body.replaceChildren(...[who, ...fields.map((f) => f.field), sure].filter(Boolean).map((f) => f.el));
        notes.replaceChildren();
      }
      say(go, one.send);
      go.meant = what.value;
      for (const f of [...fields.map((f) => f.field), who]) f?.draw?.(game);
      const heard = game.picture.table.listens;
      say(listens, heard.length ? `Rules listen for: ${heard.join("; ")}.` : "");
    },
  };
}
more.free = freelyPanel;
