// Of a whole page: the moves one by one, and links that open what is folded away. Without it, all of it is a list.
// The page names the hash of this text in its policy, so that nothing else on it runs.
"use strict";
for (const reel of document.querySelectorAll(".nnb-reel")) turn(reel);
addEventListener("hashchange", follow);
follow();

/** Show one move of a list at a time, with buttons and keys to go from one to the next. */
function turn(reel) {
  const frames = [...reel.children];
  const bar = document.createElement("div");
  const said = document.createElement("output");
  const number = document.createElement("span");
  const told = document.createElement("span"); // the move, for those who hear the page
  const buttons = [
    ["«", "First move", "Home", () => 0],
    ["‹", "Move before", "←", (at) => at - 1],
    ["›", "Next move", "→", (at) => at + 1],
    ["»", "Last move", "End", () => frames.length - 1],
  ].map(([sign, name, key, to]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.title = `${name} (${key})`;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => go(to(at)));
    return button;
  });
  let at = 0;
  told.className = "nnb-heard";
  said.append(number, told);
  bar.className = "nnb-steps";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Moves");
  bar.append(buttons[0], buttons[1], said, buttons[2], buttons[3]);
  reel.classList.add("nnb-one-by-one");
  reel.tabIndex = 0;
  reel.setAttribute("aria-label", "Moves: arrow keys, Home and End go from one to another");
  reel.before(bar);
  for (const frame of frames) frame.hidden = true;
  show(0);

  /** Show a move; where there is none, nothing happens. */
  function show(to) {
    if (!(to in frames)) return;
    frames[at].hidden = true;
    frames[(at = to)].hidden = false;
    number.textContent = `${frames[at].value} of ${frames.at(-1).value}`;
    told.textContent = `: ${frames[at].querySelector(".nnb-moved").textContent}`;
    for (const [one, off] of [[0, at === 0], [1, at === 0], [2, at === frames.length - 1], [3, at === frames.length - 1]]) {
      buttons[one].setAttribute("aria-disabled", String(off));
    }
  }

  /** Show a move, and let the address name it. */
  function go(to) {
    show(to);
    history.replaceState(null, "", `#${frames[at].id}`);
  }

  const keys = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => frames.length - 1 };
  addEventListener("keydown", (event) => {
    const here = reel.parentElement.contains(document.activeElement);
    const first = reel === document.querySelector(".nnb-reel");
    const free = first && document.activeElement === document.body && event.key.startsWith("Arrow");
    if (!(event.key in keys) || !(here || free) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(keys[event.key]());
  });
  reel.addEventListener("go", (event) => show(frames.indexOf(event.target)));
}

/** Let the place that the address names be seen: the move shown, what it is folded into open. */
function follow() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!place) return;
  for (let one = place; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  if (place.parentElement?.classList.contains("nnb-reel")) {
    place.dispatchEvent(new Event("go", { bubbles: true }));
    place.parentElement.parentElement.scrollIntoView();
  } else place.scrollIntoView();
}
