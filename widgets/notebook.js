// What only a notebook needs: a kernel that ends, keys that JupyterLab takes, a message that is out of sight.
import { fill, h, on, wider } from "./core.js";
import { endingPanel } from "./ending.js";

const GONE = "The kernel of this notebook has ended, so nothing can be done here. "
  + "Run the cell again: a game in a file continues there.";
const MODIFIERS = ["ctrlKey", "metaKey", "altKey"];
/** What is answered in panels that stand alone. */
const FORMS = { proposal: ["propose", "revise"], law: ["propose"], judge: ["rule_on", "overrule", "consent"] };

wider.ending = endingPanel;

/** Some panels alone, by their names. */
wider.alone = (names, all) => {
  const panels = names.map((name) => all[name]).filter(Boolean), answers = names.flatMap((name) => FORMS[name] ?? []);
  const els = panels.map((one) => one.el);
  return {
    panels, answers,
    layout: (forms) => [...els, names.includes("vote") && all.vote.dock, answers.length && forms].filter(Boolean),
  };
};

wider.notebook = ({ model, root, said, lose }) => {
  model.on("comm_live_update", () => lose(GONE));
  // What goes wrong is seen also where the line that says so is not, until the next press or key.
  const near = h("div.nnb-near", { popover: "manual", "aria-hidden": "true" });
  let away = false;
  const line = new IntersectionObserver((seen) => { away = !seen.at(-1).isIntersecting; });
  line.observe(said);
  root.append(near);
  on(root, "pointerdown keydown", () => near.togglePopover(false));
  // JupyterLab takes arrow keys and letters for its own, before a field hears of them, unless the field has this mark.
  const keep = (event) => {
    const plain = !MODIFIERS.some((one) => event[one]);
    if (root.contains(event.target)) event.target.toggleAttribute("data-lm-suppress-shortcuts", plain);
  };
  on(window, "keydown", keep, true);
  return {
    warn(bad) {
      const far = Boolean(bad && away);
      fill(near, far && [...said.cloneNode(true).childNodes]);
      if (near.isConnected) near.togglePopover(far);
    },
    stop() {
      window.removeEventListener("keydown", keep, true);
      line.disconnect();
    },
  };
};
