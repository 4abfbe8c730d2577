// Several changes in one proposal, and another name for what is counted.
import { wider } from "./change.js";
import { h, unhide } from "./core.js";

let bundleCount = 0;

/** What belongs to several changes: their list, `more` for another one, and the field for a new name. */
wider.together = ({ kind, presses, single, blank, begin, next, changed, kinds }) => {
  const id = `nnb-more-${++bundleCount}`, list = h("ol", { "aria-label": "Several changes" });
  const names = h("input", { autocomplete: "off", id, placeholder: "e.g. coins shells" });
  const named = h("div.nnb-field", {}, h("label", { for: id }, "Old and new name"), names);
  const apart = h("select", { "aria-label": "How to vote on them" }, h("option", { value: "" }, "together"), h("option", { value: "apart" }, "one by one")), how = h("p.nnb-sentence", {}, "The players vote on them ", apart, ".");
  const button = (label, about, does) => presses.add(h("button.plain", { "aria-label": about }, label), does);
  const more = button("Add another change", null, () => {
    include();
    begin({});
    draw();
    next("choose");
  });
  let parts = [], work = () => {};
  kind.append(h("option", { value: "rename" }, "rename points or coins"));
  apart.addEventListener("change", touched);
  names.addEventListener("input", touched);

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
  /** Say in a few words what a change does. */
  function tellPart({ kind: how, target, part, also = [], renames = [], title, wording }) {
    if (how === "rename") return `Rename ${renames.join(" ").match(/\S+( \S+)?/g).map((pair) => pair.replace(" ", " to ")).join(", ")}`;
    const what = how === "enact" ? "New rule" : `${how[0].toUpperCase()}${how.slice(1)} ${part ? `amendment ${part} of ` : ""}rule${also.length ? "s" : ""} ${[target, ...also].join(", ")}`;
    const words = (title || wording || "").slice(0, 60).trim();
    return words ? `${what}: ${words}` : what;
  }
  function draw() {
    list.replaceChildren(...parts.map((part, at) => {
      const said = tellPart(part);
      return h("li", {}, h("span", {}, `${at + 1}. ${said}`), h("span.nnb-buttons", {}, button("Change", `Change: ${said}`, () => {
        const [one] = parts.splice(at, 1);
        include(at);
        if (one.renames) names.value = one.renames.join(" ");
        begin({ ...one, filled: Object.fromEntries(["title", "wording", "law"].map((name) => [name, name in one ? null : ""])) });
        draw();
        next("write");
      }), button("Remove", `Remove: ${said}`, () => {
        parts.splice(at, 1);
        touched();
        const left = list.children[Math.min(at, parts.length - 1)];
        if (left) left.querySelector("button:last-child").focus();
        else next();
      })));
    }));
  }
  return {
    el: h("div.nnb-bundle", {}, list, how), named, more,
    begun: () => parts.length > 0,
    whole(one, blank) {
      const all = blank ? parts : [...parts, one];
      return !parts.length ? one : all.length < 2 ? all[0] : { kind: "together", parts: all, ...(apart.value ? { apart: true } : {}) };
    },
    renaming: () => ({ kind: "rename", renames: names.value.toLowerCase().split(/[\s,]+/).filter(Boolean) }),
    show(way) {
      unhide(list.parentNode, parts.length && ["choose", "write"].includes(way));
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
};
