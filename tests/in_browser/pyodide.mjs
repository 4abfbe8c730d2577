// Runs `play` of a Python program in Pyodide, as a browser does but for the page: node pyodide.mjs FOLDER PROGRAM DATA
// WHEEL… prints what it returns. Nothing is fetched.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program, data, ...wheels] = process.argv.slice(2);
globalThis.fetch = () => { throw new Error("nothing is fetched here"); };
try {
  const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
  const python = await loadPyodide({ indexURL: folder });
  for (const wheel of wheels) python.unpackArchive(new Uint8Array(fs.readFileSync(wheel)), "wheel");
  python.FS.mkdirTree("/data");
  for (const name of fs.readdirSync(data).filter(one => one.endsWith(".jsonl"))) {
    python.FS.writeFile(`/data/${name}`, fs.readFileSync(path.join(data, name), "utf8"));
  }
  await python.runPythonAsync(fs.readFileSync(program, "utf8"));
  console.log(await python.runPythonAsync("await play()"));
} catch (error) { // the traceback alone: Node adds a line of the kernel that is a megabyte long
  console.error(error.message ?? error);
  process.exitCode = 1;
}
