// Several changes in one proposal, and another name for what is counted.
import { wider } from "./change.js";
import { h, unhide } from "./core.js";

let bundleCount = 0;

/** What belongs to several changes: their list, `more` for another one, and the field for a new name. */
wider.together = ({ kind, presses, single, begin, next, changed, kinds }) => {
  const id = `nnb-more-${++bundleCount}`, list = h("ol", { "aria-label": "Several changes" });
  const names = h("input", { type: "text", autocomplete: "off", id, placeholder: "e.g. coins shells" });
  const named = h("div.nnb-field", {}, h("label", { for: id }, "Old and new name"), names);
  const apart = h("input", { type: "checkbox", id: `${id}a` }), tick = h("div.nnb-tick", {}, apart, h("label", { for: `${id}a` }, "Vote on each separately"));
  const button = (label, about, does) => presses.add(h("button.plain", { "aria-label": about }, label), () => {
    does();
    touched();
  });
  const more = button("Add another change", null, () => {
    parts.push(single());
    begin({ kind: "enact" });
    next("choose");
  });
  let parts = [], work = () => {};
  kind.append(h("option", { value: "rename" }, "Rename points or coins"));
  apart.addEventListener("change", touched);
  names.addEventListener("input", touched);

  function touched() {
    draw();
    changed();
    work();
  }
  function draw() {
    list.replaceChildren(...parts.map((part, at) => {
      const said = `${part.kind} ${part.target ?? ""} ${(part.title || part.wording || "").slice(0, 60)}`.replace(/ +/g, " ").trim();
      return h("li", {}, h("span", {}, `${at + 1}. ${said}`), h("span.nnb-buttons", {}, button("Change", `Change: ${said}`, () => {
        begin(parts.splice(at, 1)[0]);
        next("write");
      }), button("Remove", `Remove: ${said}`, () => parts.splice(at, 1))));
    }));
  }
  return {
    el: h("div.nnb-bundle", {}, list, tick), named, more,
    begun: () => parts.length > 0,
    whole(one, blank) {
      const all = blank ? parts : [...parts, one];
      return !parts.length ? one : all.length < 2 ? all[0] : { kind: "together", parts: all, ...(apart.checked ? { apart: true } : {}) };
    },
    renaming: () => ({ kind: "rename", renames: names.value.toLowerCase().split(/\W+/).filter(Boolean) }),
    show(way) {
      unhide(list.parentNode, parts.length && ["choose", "write"].includes(way));
      unhide(named, kind.value === "rename");
      unhide(more, kind.value !== "rename" && (parts.length || kinds().includes("together")));
    },
    watch: (done) => { work = done; },
    draft: () => ({ parts, apart: apart.checked, names: names.value }),
    put({ parts: kept = [], apart: each = false, names: said = "" } = {}) {
      [parts, apart.checked, names.value] = [[...kept], each, said];
      draw();
    },
  };
};
