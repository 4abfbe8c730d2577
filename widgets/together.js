// Several changes in one proposal, and another name for what is counted.
import { aria, fill, h, labelled, on, option, unhide, upper } from "./core.js";

/** Say in a few words what a change does. */
function tellPart({ kind, target, part, also = [], renames = [], title, wording }) {
  if (kind === "rename") {
    const pairs = renames.join(" ").match(/\S+( \S+)?/g).map((pair) => pair.replace(" ", " to "));
    return `Rename ${pairs.join(", ")}`;
  }
  const rules = `rule${also.length ? "s" : ""} ${[target, ...also].join(", ")}`;
  const what = kind === "enact" ? "New rule" : `${upper(kind)} ${part ? `amendment ${part} of ` : ""}${rules}`;
  const words = (title || wording || "").slice(0, 60).trim();
  return words ? `${what}: ${words}` : what;
}

/** What belongs to several changes: their list, `more` for another one, and the field for a new name. */
export function together({ kind, presses, single, blank, begin, next, changed, kinds }) {
  const list = h("ol", aria("Several changes"));
  const names = h("input", { placeholder: "e.g. coins shells" });
  const named = labelled("Old and new name", names);
  const apart = h("select", aria("How to vote on them"), option("", "together"), option("apart", "one by one"));
  const el = h("div.nnb-bundle", list, h("p.nnb-sentence", "The players vote on them ", apart, "."));
  const button = (label, about, does) => presses.button(label, does, "plain", aria(about));
  const more = button("Add another change", null, () => {
    include();
    begin({});
    draw();
    next("choose");
  });
  let parts = [], work = () => {};
  kind.append(option("rename", "rename points or coins"));
  on(apart, "change", touched);
  on(names, "input", touched);

  function touched() {
    draw();
    changed();
    work();
  }
  /** Put the change that is being written into the list, unless nothing is written yet. */
  function include(at = parts.length) {
    const one = single();
    if (!blank() && one.renames?.length !== 0) parts.splice(at, 0, one);
  }
  function rewrite(at) {
    const [one] = parts.splice(at, 1);
    include(at);
    if (one.renames) names.value = one.renames.join(" ");
    const texts = ["title", "wording", "law"].map((name) => [name, name in one ? null : ""]);
    begin({ ...one, filled: Object.fromEntries(texts) });
    draw();
    next("write");
  }
  function remove(at) {
    parts.splice(at, 1);
    touched();
    if (parts.length) list.children[Math.min(at, parts.length - 1)].querySelector("button:last-child").focus();
    else next();
  }
  function draw() {
    fill(list, parts.map((part, at) => {
      const said = tellPart(part);
      return h("li", h("span", `${at + 1}. ${said}`), h("span.nnb-buttons",
        button("Change", `Change: ${said}`, () => rewrite(at)), button("Remove", `Remove: ${said}`, () => remove(at))));
    }));
  }
  return {
    el, named, more,
    begun: () => parts.length > 0,
    whole(one, nothing) {
      const all = nothing ? parts : [...parts, one];
      if (!parts.length) return one;
      return all.length < 2 ? all[0] : { kind: "together", parts: all, ...(apart.value && { apart: true }) };
    },
    renaming: () => ({ kind: "rename", renames: names.value.toLowerCase().split(/[\s,]+/).filter(Boolean) }),
    show(way) {
      unhide(el, parts.length && ["choose", "write"].includes(way));
      unhide(named, kind.value === "rename");
      unhide(more, kind.value !== "rename" && (parts.length || kinds().includes("together")));
    },
    watch: (done) => { work = done; },
    draft: () => ({ parts, apart: apart.value, names: names.value }),
    put({ parts: kept = [], apart: each = "", names: said = "" } = {}) {
      [parts, apart.value, names.value] = [[...kept], each, said];
      draw();
    },
  };
}
