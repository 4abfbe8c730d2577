// Runs the cells of the home page, in the worker in which visitors play: Python and the kit come from this site alone.
const FAILED = "Python can’t start in this browser. Use a current Firefox, Chrome, Edge or Safari, check the connection, and try again.";
const make = (tag, given = {}) => Object.assign(document.createElement(tag), given);
const answers = new Map();
let worker = null, hear = () => {}, ids = 0, ran = 0, isBusy = false;

function fail(error) {
  console.error(error);
  worker?.terminate();
  worker = null; // the next press starts another one
  ran = 0;
  for (const answer of answers.values()) answer({ why: FAILED });
  answers.clear();
}
function loadPython() {
  worker = new Worker(new URL("../table/worker.js", import.meta.url), { type: "module" });
  worker.onerror = ({ message }) => fail(message);
  worker.onmessage = ({ data }) => {
    if (data.id) {
      answers.get(data.id)?.(data.got);
      answers.delete(data.id);
    } else if (data.failed || data.stopped) fail(data.failed ?? data.stopped);
    else hear(data.ready ? 1 : data.progress);
  };
}
/** Run the text of a cell; the answer has its HTML, or says why there is none. */
const ask = (source) => new Promise((resolve) => {
  const id = String(ids += 1);
  answers.set(id, resolve);
  try {
    if (!worker) loadPython();
    worker.postMessage({ id, ask: "cell", source });
  } catch (error) {
    fail(error);
  }
});

const cells = Array.from(document.querySelectorAll(".hero ~ .cell"), (el, at) => {
  const text = el.previousElementSibling, line = make("div", { className: "run" });
  const button = make("button", { type: "button", textContent: "Run" });
  const bar = make("progress", { max: 1, value: 0, hidden: true, ariaLabel: "Loading Python" }), said = make("span");
  said.setAttribute("role", "status");
  text.id ||= `cell-${at}`;
  button.setAttribute("aria-describedby", text.id);
  el.before(line);
  line.append(text, button, bar, said);
  button.addEventListener("click", () => run(at));
  return { source: el.querySelector("pre").textContent, output: el.querySelector(".cell_output"), button, bar, said };
});
/** Run a cell after those before it; one that has run already begins with the first again. */
async function run(at) {
  if (isBusy) return;
  isBusy = true;
  for (const { button, said } of cells) {
    button.setAttribute("aria-disabled", "true");
    said.textContent = "";
  }
  const { bar, said, button } = cells[at];
  button.textContent = "Running …";
  if (!worker) {
    bar.hidden = false;
    said.textContent = "Loading Python and the kit, about 9 MB, only the first time";
  }
  hear = (progress) => { bar.value = Math.max(bar.value, progress); };
  if (ran > at) ran = 0;
  let why = "";
  while (ran <= at && !why) {
    const { output, source } = cells[ran], got = await ask(source);
    why = got.why ?? "";
    if (!why) {
      output.innerHTML = got.html;
      ran += 1;
    }
  }
  bar.hidden = true;
  said.textContent = why || "This ran in your browser.";
  for (const [place, cell] of cells.entries()) {
    cell.button.textContent = place < ran ? "Run again" : "Run";
    cell.button.removeAttribute("aria-disabled");
  }
  isBusy = false;
}
