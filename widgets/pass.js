// One computer for several players: a cover with the next name, and behind it that player's seat alone.

/** Milliseconds for which the button of the cover is held before the seat opens. */
const HOLD = 700;

/** Pass the computer round: `awaited` lists who has to decide and has no phone, `linkOf` gets the link of a seat. */
export function passRound({ fill, h, on, say, set, unhide }, { awaited, linkOf, url, place }) {
  const who = h("bdi"), about = h("p.nnb-eyebrow", "Pass the computer to"), title = h("h1.nnb-heading", { tabindex: -1 }, who);
  const hold = h("button.nnb-hold", "Press and hold to open"), told = h("p.nnb-quiet"), bad = h("p.nnb-error", { role: "alert" });
  const back = h("button.plain", "Back to the host page"), done = h("button", "Done: cover the page"), whose = h("span");
  const cover = h("div.nnb-covered", about, title, hold, told, bad, back), bar = h("div.nnb-passbar", { hidden: "" }, whose, done), seat = h("div");
  const el = h("dialog.nnb-cover.nnb-live", { "aria-label": "Pass the computer on" }, cover, bar, seat), links = new Map();
  let next = "", shown = "", timer = 0, ended = null, held = false;
  place.append(el);

  function draw() {
    if (shown || !el.open) return;
    const names = awaited();
    if (!names.includes(next) || !held) [next] = names.length ? names : [""];
    say(who, next || "Everybody without a phone has decided.");
    unhide(about, next);
    unhide(hold, next);
    say(told, next ? "Everybody else looks away." : "");
  }
  async function open() {
    release();
    const name = next;
    if (!name || shown) return;
    shown = name;
    say(bad, "");
    try {
      if (!links.has(name)) links.set(name, await linkOf(name));
      const { showTable } = await import("./page.js");
      say(whose, `${name}’s page`);
      unhide(cover, false);
      unhide(bar, true);
      const at = h("div");
      fill(seat, at);
      const end = await showTable(url, links.get(name), at, "seat");
      if (shown === name && el.open) ended = end;
      else end();
      done.focus({ preventScroll: true });
    } catch (error) {
      close();
      say(bad, error.message);
    }
  }
  /** Cover the page: nothing of the seat is left on it. */
  function close() {
    ended?.();
    [ended, shown] = [null, ""];
    fill(seat);
    unhide(bar, false);
    unhide(cover, true);
    draw();
    title.focus({ preventScroll: true });
  }
  function press() {
    if (held) return;
    held = true;
    set(hold, "data-held", "");
    timer = setTimeout(open, HOLD);
  }
  function release() {
    clearTimeout(timer);
    held = false;
    set(hold, "data-held", null);
  }
  on(hold, "pointerdown", press);
  on(hold, "pointerup pointercancel pointerleave blur", release);
  on(hold, "contextmenu", (event) => event.preventDefault());
  on(hold, "keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!event.repeat) press();
  });
  on(hold, "keyup", release);
  on(done, "click", close);
  on(back, "click", () => el.close());
  on(el, "cancel", (event) => { // Escape covers the seat first
    if (!shown) return;
    event.preventDefault();
    close();
  });
  on(el, "close", () => shown && close());
  return {
    draw,
    open() {
      say(bad, "");
      el.showModal();
      close();
    },
  };
}
