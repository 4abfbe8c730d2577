// Puts packages into one archive, compiled by the Python that will run them: node compile.mjs PYODIDE ARCHIVE FILE…,
// where each file is a wheel or a module.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, archive, ...files] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: folder, env: { HOME: "/home", PYTHONNODEBUGRANGES: "1" } });
python.FS.mkdirTree("/in");
for (const file of files) python.FS.writeFile(`/in/${path.basename(file)}`, fs.readFileSync(file));
await python.runPythonAsync(`
import re, py_compile, zipfile
from pathlib import Path

NEEDLESS = re.compile(r"\\.dist-info/|\\.data/|\\.pyi$|/py\\.typed$|^nomic_nb/(docs|_widgets|notebook/classroom)/|/__pyinstaller/|^chess/(gaviota|polyglot|syzygy)\\.py$")

def compiled(name, text):
    Path("module.py").write_bytes(text)
    py_compile.compile("module.py", "module.pyc", dfile=f"/kit/{name}", doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    return Path("module.pyc").read_bytes()

def members():
    for path in sorted(Path("/in").iterdir()):
        if path.suffix == ".py":
            yield path.name, path.read_bytes()
        else:
            with zipfile.ZipFile(path) as wheel:
                yield from ((one, wheel.read(one)) for one in sorted(wheel.namelist()) if not one.endswith("/"))

with zipfile.ZipFile("/kit.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
    for name, content in members():
        if NEEDLESS.search(name):
            continue
        if name.endswith(".py"):
            name, content = f"{name}c", compiled(name, content)
        out.writestr(zipfile.ZipInfo(name), content, compress_type=zipfile.ZIP_DEFLATED)
`);
fs.writeFileSync(archive, python.FS.readFile("/kit.zip"));
