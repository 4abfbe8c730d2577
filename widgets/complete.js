// Words that could stand next in a clause, over the field in which it is written.
import { claim, fill, h, on, set, unhide } from "./core.js";

let listCount = 0;

/** Show what could stand next: Down and Up choose, Enter or Tab takes, Escape leaves. Return the field and its list. */
export function completing(input, ask) {
  const id = `nnb-words-${++listCount}`;
  const list = h("ul.nnb-words", { role: "listbox", id, "aria-label": "Suggestions", hidden: "" });
  let begun = 0, at = -1, timer = 0, pressed = "", offered = "", spot = 0;
  /** Whether the caret is no longer where the words were asked for. */
  const elsewhere = () => input.selectionStart !== spot || input.selectionEnd !== spot;
  set(input, "aria-autocomplete", "list");
  set(input, "aria-controls", id);
  function close() {
    clearTimeout(timer);
    unhide(list, false);
    choose(-1);
  }
  function choose(next) {
    at = next;
    [...list.children].forEach((one, place) => set(one, "aria-selected", place === at));
    set(input, "aria-activedescendant", list.children[at]?.id);
    list.children[at]?.scrollIntoView({ block: "nearest" });
  }
  function take(word) {
    if (elsewhere()) return close();
    const end = input.selectionStart, gap = word.endsWith("(") || /^\s/.test(input.value.slice(end)) ? "" : " ";
    input.setRangeText(word + gap, end - begun, end, "end");
    close();
    input.dispatchEvent(new Event("input"));
  }
  on(input, "input", () => {
    clearTimeout(timer);
    const law = input.value, place = input.selectionStart;
    if (!law.trim()) return close();
    timer = setTimeout(() => ask({ law, at: place }, (got) => {
      if (input.value !== law || input.selectionStart !== place || document.activeElement !== input) return;
      [begun, offered, spot] = [got.begun ?? 0, law, place];
      fill(list, (got.words ?? []).map(([word, meaning], one) =>
        h("li", { role: "option", id: `${id}-${one}`, "data-word": word }, h("code", word), ` ${meaning}`)));
      unhide(list, list.firstChild);
      choose(-1);
    }), 250);
  });
  /** Enter keeps the indentation, deeper after a colon; Backspace takes four spaces of it away. Tab leaves the field. */
  function indent(event) {
    const { key } = event, { value, selectionStart: from, selectionEnd: to } = input;
    const before = value.slice(0, from).split("\n").at(-1);
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Enter") input.setRangeText(`\n${before.match(/^ */)[0]}${/:\s*$/.test(before) ? "    " : ""}`, from, to, "end");
    else if (key === "Backspace" && from === to && /^( {4})+$/.test(before)) input.setRangeText("", from - 4, to, "end");
    else return;
    claim(event);
    input.dispatchEvent(new Event("input"));
  }
  on(input, "keydown", (event) => {
    if (list.hidden || at < 0) indent(event);
    if (list.hidden || event.isComposing || event.defaultPrevented) return;
    if (elsewhere()) return close();
    const { key } = event, count = list.children.length;
    if (key === "ArrowDown") choose((at + 1) % count);
    else if (key === "ArrowUp") choose(at > 0 ? at - 1 : count - 1);
    else if (key === "Escape") close();
    else if ((key === "Enter" || key === "Tab") && at >= 0) take(list.children[at].dataset.word);
    else return;
    claim(event);
  });
  on(input, "keyup pointerup", () => input.value === offered && elsewhere() && close());
  on(input, "blur", close);
  const under = (event) => event.target.closest("[data-word]")?.dataset.word ?? "";
  on(list, "pointerdown", (event) => {
    event.preventDefault(); // the field keeps the focus
    pressed = under(event);
  });
  on(list, "click", (event) => {
    if (pressed && under(event) === pressed) take(pressed); // it is the word on which the press began
  });
  return h("div.nnb-completing", list, input);
}
