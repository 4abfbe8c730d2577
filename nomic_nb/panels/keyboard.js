// What a panel cannot do from Python: keep its keys, keep the focus, and let screen readers hear what it says.

const MODIFIERS = ["ctrlKey", "metaKey", "altKey"];
const FIELDS = "button, input, select, textarea";
// So long nothing must change before new forms count as drawn, and before there count as none, in milliseconds.
const QUIET = 60;
const NONE = 400;

const shown = (one) => one.isConnected && one.checkVisibility() && !one.disabled;

/** Let a place that exists before its text does announce the text; one that came with it would stay silent. */
function announce(panel) {
  for (const one of panel.querySelectorAll(".nnb-says > .widget-html-content:not([role])")) {
    one.setAttribute("role", "status");
    one.setAttribute("aria-live", "polite");
    one.setAttribute("aria-atomic", "true");
  }
}

/** Look after a panel until the function that is returned is called. */
function attend(panel) {
  const decisions = panel.querySelector(".nnb-decisions");
  const status = panel.querySelector(".nnb-status");
  let last = null; // which field had the focus
  let group = null; // the decisions of its player
  let behind = []; // the fields that stood behind it
  let timer;

  // JupyterLab takes arrow keys and letters that mean a field for its own: an arrow leaves the cell, d d deletes it.
  // It looks for this mark on the field itself; on what stands around it the mark would come too late.
  const keep = (event) => {
    if (panel.contains(event.target)) {
      event.target.toggleAttribute("data-lm-suppress-shortcuts", !MODIFIERS.some((one) => event[one]));
    }
  };

  const remember = (event) => {
    if (!event.target.matches(FIELDS)) return;
    last = event.target;
    const fields = [...decisions.querySelectorAll(FIELDS)];
    behind = fields.slice(fields.indexOf(last) + 1);
    group = [...decisions.children].find((one) => one.contains(last));
  };

  // A form that is answered goes, and the focus with it: it is put on what is to be decided next, by the same
  // player if there is something.
  const restore = (waited) => {
    const lost = last !== null && !shown(last) && [document.body, null].includes(document.activeElement);
    if (!lost) return;
    const first = (place) => [...(place?.querySelectorAll(FIELDS) ?? [])].find(shown);
    const next = first(group) ?? behind.find(shown) ?? first(decisions);
    if (next === undefined && !waited) {
      timer = setTimeout(restore, NONE, true);
      return;
    }
    last = null;
    (next ?? status).focus();
  };

  const observer = new MutationObserver(() => {
    announce(panel);
    clearTimeout(timer);
    timer = setTimeout(restore, QUIET, false);
  });
  announce(panel);
  window.addEventListener("keydown", keep, true); // before JupyterLab, which listens on the document
  panel.addEventListener("focusin", remember);
  observer.observe(panel, { childList: true, subtree: true, attributes: true, attributeFilter: ["style", "class"] });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    window.removeEventListener("keydown", keep, true);
    panel.removeEventListener("focusin", remember);
  };
}

/** Wait until the panel stands on the page, and look after it. */
function render({ el }) {
  let frame;
  let leave = () => cancelAnimationFrame(frame);
  const wait = () => {
    const panel = el.closest(".nnb-panel");
    if (el.isConnected && panel?.querySelector(".nnb-decisions") && panel.querySelector(".nnb-status")) {
      leave = attend(panel);
    } else {
      frame = requestAnimationFrame(wait);
    }
  };
  wait();
  return () => leave();
}

export default { render };
