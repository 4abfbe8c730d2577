// Several changes in one proposal, and another name for what is counted.
import { wider } from "./change.js";
import { h, unhide } from "./core.js";

let bundleCount = 0;

/** What stands below the fields of a change. */
wider.together = ({ kind, presses, single, begin, changed, kinds }) => {
  const id = `nnb-more-${++bundleCount}`, list = h("ol", { "aria-label": "Changes made together" });
  const names = h("input", { type: "text", autocomplete: "off", id, placeholder: "coins shells" });
  const named = h("div.nnb-field", {}, h("label", { for: id }, "What is counted, and its new name"), names);
  const apart = h("input", { type: "checkbox", id: `${id}a` }), tick = h("div.nnb-tick", {}, apart, h("label", { for: `${id}a` }, "voted on one by one"));
  const button = (label, about, does) => presses.add(h("button.plain", { "aria-label": about }, label), () => {
    does();
    touched();
    kind.focus();
  });
  const more = button("And another change", null, () => {
    parts.push(single());
    begin({ kind: "enact" });
  });
  let parts = [], work = () => {};
  kind.append(h("option", { value: "rename" }, "Rename what is counted"));
  apart.addEventListener("change", touched);
  names.addEventListener("input", touched);

  function touched() {
    draw();
    changed();
    work();
  }
  function draw() {
    list.replaceChildren(...parts.map((part, at) => {
      const said = `${part.kind} ${part.target ?? ""} ${(part.title || part.wording || "").slice(0, 60)}`;
      return h("li.nnb-buttons", {}, `${at + 1}. ${said}`, button("Change", `Change: ${said}`, () => begin(parts.splice(at, 1)[0])), button("Remove", `Remove: ${said}`, () => parts.splice(at, 1)));
    }));
  }
  return {
    el: h("div", {}, named, more, list, tick),
    whole(one, blank) {
      const all = blank ? parts : [...parts, one];
      return !parts.length ? one : all.length < 2 ? all[0] : { kind: "together", parts: all, ...(apart.checked ? { apart: true } : {}) };
    },
    renaming: () => ({ kind: "rename", renames: names.value.toLowerCase().split(/\W+/).filter(Boolean) }),
    show() {
      unhide(named, kind.value === "rename");
      unhide(more, kind.value !== "rename" && (parts.length || kinds().includes("together")));
      unhide(tick, parts.length);
    },
    watch: (done) => { work = done; },
    draft: () => ({ parts, apart: apart.checked, names: names.value }),
    put({ parts: kept = [], apart: each = false, names: said = "" } = {}) {
      [parts, apart.checked, names.value] = [[...kept], each, said];
      draw();
    },
  };
};
