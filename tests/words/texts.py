"""All English in the repository, by group: what people read, what developers read, and the names of tests."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: The groups, in the order of the table.
GROUPS = (
    "README", "first notebooks", "other notebooks", "docs", "rule sets", "library", "screen", "messages", "events",
    "readings", "meanings", "API docstrings", "public docstrings", "private docstrings and comments", "test names",
    "changelog",
)  # fmt: skip
#: A text with its group and its place.
Text = tuple[str, str, str]

#: The end of a sentence, with the start of the next one after it.
_BETWEEN = re.compile(r"(?<=[.!?:])[”’\")*_]*\s+(?=[“\"(*_`]*[A-Z0-9])")
_BLOCKS = re.compile(r"\n\s*\n|\n\s*(?=[-*] |\d+\. |>)")
_WORD = re.compile(r"[A-Za-z]{2,}")
_WORD_OR_LETTER = re.compile(r"[A-Za-z’']+")
_PLACE = re.compile(r"\{[^{}]*\}")
#: Strings or comments in Python.
_TOKENS = re.compile(
    r"\"\"\"(?:[^\\\"]|\\.|\"(?!\"\"))*\"\"\"|\"(?:[^\\\"\n]|\\.)*\"|'(?:[^\\'\n]|\\.)*'|(#[^\n]*)", re.DOTALL
)
_NO_COMMENT = re.compile(r"#\s*(fmt|noqa|type|pragma)|# -{5}")
#: Strings in scripts of widgets, and which of them are code.
_SCRIPT_STRINGS = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
_SCRIPT_CODE = re.compile(
    r"nnb-|^https?:|^[a-z-]+(\.[a-z-]+)+$|^[.#\[(@:]|px|rgb|var\(|=>|&&|; *$|^M[\d ]|^(translate|rotate|scale|matrix)"
    r"|^\w+[-_]\w+$"
)
#: Strings in Python that nobody reads as a sentence: SQL, patterns, columns, names with underscores, markup.
#: The code of a message.
_CODE = re.compile(r"[a-z]+(-[a-z]+)+")
_PYTHON_CODE = re.compile(
    r"^(SELECT|DELETE|INSERT|UPDATE|CREATE|PRAGMA|ALTER|DROP|WITH|BEGIN) |^\w+, \w+(, \w+)+$|\w_\w|\(\?|\\b|\\w|^<|://"
    r"|^(import|from) \w|==|^\w+: \w+( \w+)*$"
)
#: Calls whose strings are lists of names.
_LISTS = frozenset(("split", "column_types", "make_frame", "lazy_names", "compile"))

#: Parts of Python that hold no strings.
_LEAVES = frozenset((ast.Name, ast.Load, ast.Store, ast.arguments, ast.alias, ast.Pass, ast.Import, ast.ImportFrom))


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text that have at least four words."""
    for block in _BLOCKS.split(text):
        for one in _BETWEEN.split(re.sub(r"^[>\-*#\s]+", "", " ".join(block.split()))):
            if _has_words(one, 4):
                yield one.strip()


def _has_words(text: str, words: int) -> bool:
    return len(_WORD.findall(text)) >= words


def _is_long(text: str, words: int = 3) -> bool:
    """Tell whether a text has so many words, each place that is filled in counted as one."""
    return len(_WORD_OR_LETTER.findall(_PLACE.sub("x", text))) >= words


def _markdown(text: str) -> Iterator[str]:
    """Yield the sentences of a page, and the texts in the cells of its tables."""
    text = re.sub(r"```.*?```", "\n\n", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    kept: list[str] = []
    for line in text.replace("**", "").split("\n"):
        line = re.sub(r"^> ?", "", line)
        if re.match(r"\s*\|[\s:|-]+\|?\s*$", line) or line.startswith("    "):
            continue
        if line.startswith("|"):
            for cell in filter(None, (cell.strip() for cell in line.strip("|").split("|"))):
                kept += ["", cell, ""]
        else:
            kept.append(line.rstrip("\\"))
    return sentences("\n".join(kept))


def _toml(value: object, at: str = "") -> Iterator[tuple[str, str]]:
    """Yield the strings in a TOML file, each with its key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _toml(inner, f"{at}.{key}".strip("."))
    elif isinstance(value, list):
        for inner in value:
            yield from _toml(inner, at)
    elif isinstance(value, str):
        yield at, value


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _pages(root: Path) -> Iterator[Text]:
    """Yield the texts of the Markdown pages; the page of keys repeats the meanings and is left out."""
    package = root / "nomic_nb"
    for group, paths in (
        ("README", [root / "README.md"]),
        ("docs", [path for path in sorted(package.glob("docs/*.md")) if path.name != "keys.md"]),
        ("rule sets", sorted(package.glob("*/rulesets/*.md"))),
        ("changelog", [root / "CHANGELOG.md"]),
    ):
        for path in paths:
            yield from ((group, path.name, one) for one in _markdown(_read(path)))


def _notebooks(root: Path) -> Iterator[Text]:
    for path in sorted(root.glob("notebooks/*.ipynb")):
        group = "first notebooks" if path.name.startswith(("00", "01")) else "other notebooks"
        for number, cell in enumerate(json.loads(_read(path))["cells"]):
            if cell["cell_type"] == "markdown":
                yield from ((group, f"{path.name}:{number}", one) for one in _markdown("".join(cell["source"])))


def _library(root: Path) -> Iterator[Text]:
    for path in sorted(root.glob("nomic_nb/study/library/*.toml")):
        for at, text in _toml(tomllib.loads(_read(path))):
            last = at.rpartition(".")[2]
            found = [text] if last in ("title", "what") else sentences(text) if last in ("about", "wording") else ()
            yield from (("library", f"{path.name}:{at}", one) for one in found if _is_long(one, 2))


def _words(root: Path) -> Iterator[Text]:
    """Yield the texts on the screen that have a file of their own: words of panels and readings."""
    for name in ("notebook/panels/words.toml", "study/views/wording.toml"):
        for at, text in _toml(tomllib.loads(_read(root / "nomic_nb" / name))):
            if _has_words(text, 2):
                yield "screen", f"{name}:{at}", text


def _widgets(root: Path) -> Iterator[Text]:
    for path in [*sorted(root.glob("widgets/*.js")), *sorted(root.glob("widgets/*.html"))]:
        for number, line in enumerate(_read(path).split("\n"), 1):
            line = re.sub(r"(?<![:\"'`])//(?!/).*$", "", line)
            if path.suffix == ".html":
                found = re.findall(r">([^<>{}]+)<", line)
            else:
                found = [one or other for one, other in _SCRIPT_STRINGS.findall(line)]
            for text in found:
                text = re.sub(r"\$\{[^}]*\}+`?\}?", "{…}", text).strip()
                if _has_words(text, 2) and not _SCRIPT_CODE.search(text):
                    yield "screen", f"{path.name}:{number}", text


def _test_names(root: Path) -> Iterator[Text]:
    for path in sorted(root.glob("tests/**/*.py")):
        for name in re.findall(r"^ *(?:async )?def test_(\w+)", _read(path), re.MULTILINE):
            yield "test names", str(path.relative_to(root)), name.replace("_", " ")


def _api_names(root: Path) -> frozenset[str]:
    """Return the names of classes, functions, methods and actions on the list of public names."""
    listed = _read(root / "tests" / "public_names.txt")
    return frozenset(re.findall(r"^(?:nb\.(?!library\.)|engine\.|action )(?:\w+\.)*(\w+)", listed, re.MULTILINE))


def _modules(root: Path) -> Iterator[Text]:
    package, api = root / "nomic_nb", _api_names(root)
    for path in sorted(package.rglob("*.py")):
        source, where = _read(path), path.relative_to(package).as_posix()
        yield from _Module(where, api).texts(ast.parse(source))
        for found in _TOKENS.finditer(source):
            if (comment := found[1]) and not _NO_COMMENT.match(comment):
                text = comment.lstrip("#: ")
                if _is_long(text, 4):
                    yield "private docstrings and comments", where, text


@dataclass
class _Module:
    """The texts in a module of the package.

    Parameters
    ----------
    where : str
        The module's path in the package.
    api : frozenset of str
        Names of the public API; a docstring with one of them counts as an API docstring wherever it is.
    found : list of Text
        What was found so far.
    """

    where: str
    api: frozenset[str]
    found: list[Text] = field(default_factory=list)

    def texts(self, module: ast.Module) -> list[Text]:
        """Return all texts of the module but its comments."""
        self._visit_scope(module, private=False, events=False, inside=False)
        return self.found

    def _add(self, group: str, node: ast.AST, text: str) -> None:
        self.found.append((group, f"{self.where}:{getattr(node, 'lineno', 1)}", text))

    def _visit_scope(
        self, node: ast.Module | ast.ClassDef | ast.FunctionDef, *, private: bool, events: bool, inside: bool
    ) -> None:
        """Find the docstring of a module, class or function, and the texts in its body."""
        name = getattr(node, "name", "")
        private = private or name.startswith("_")
        function = not isinstance(node, ast.Module | ast.ClassDef)
        body: list[ast.stmt] = node.body
        first = body[0] if body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            body = body[1:]
            public = "API docstrings" if name in self.api else "public docstrings"
            for one in _docstring(ast.get_docstring(node) or ""):
                self._add("private docstrings and comments" if private else public, node, one)
        events = events or (function and _tells_event(node))
        for decorator in getattr(node, "decorator_list", ()):
            self._visit(decorator, private=private, events=events, inside=inside)
        for part in body:
            self._visit(part, private=private or function, events=events, inside=inside or function)

    def _visit(self, node: ast.AST, *, private: bool, events: bool, inside: bool) -> None:
        """Find the texts in a node: which group they belong to depends on the call or the function around them."""
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            self._visit_scope(node, private=private, events=events, inside=inside)  # type: ignore[arg-type]
            return
        if isinstance(node, ast.Constant | ast.JoinedStr):
            self._take(node, events=events, inside=inside)
            return
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in _LISTS:
                return
            if name in ("say", "embed_in"):
                self._take_template(node, name)
                return
            if name[:1].isupper() and len(node.args) == 2 and _CODE.fullmatch(_shape(node.args[0]) or ""):
                self._take_template(node, "say")  # an error that makes its message
                node.args.clear()
            for word in node.keywords:
                self._visit(word.value, private=private, events=events or word.arg == "told", inside=inside)
            for one in (node.func, *node.args):
                self._visit(one, private=private, events=events, inside=inside)
            return
        for name in node._fields:
            value = getattr(node, name, None)
            for part in value if isinstance(value, list) else (value,):
                if isinstance(part, ast.AST) and type(part) not in _LEAVES:
                    self._visit(part, private=private, events=events, inside=inside)

    def _take_template(self, call: ast.Call, name: str) -> None:
        """Take the template of a message, whatever its length."""
        for one in call.args[name == "say" :]:
            for inner in ast.walk(one):
                text = _shape(inner)
                if text and _is_long(text):
                    self._add("messages", call, text)

    def _take(self, node: ast.Constant | ast.JoinedStr, *, events: bool, inside: bool) -> None:
        """Take a string if people read it: on events, on the screen, or in a review or a question."""
        text = _shape(node)
        if text is None or " " not in text.strip() or _PYTHON_CODE.search(text):
            return
        if events:
            if _is_long(text, 2):
                self._add("events", node, text)
        elif self.where.startswith("notebook/"):
            if _has_words(text, 3):
                self._add("screen", node, text)
        elif inside and _has_words(text, 4):
            self._add("messages", node, text)


def _shape(node: ast.AST) -> str | None:
    """Return the text of a string, with {…} where something is filled in."""
    if isinstance(node, ast.Constant):
        return _PLACE.sub("{…}", node.value) if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "{…}" for one in node.values)
    return None


def _tells_event(function: ast.AST) -> bool:
    """Tell whether a function puts an event into a sentence."""
    name = getattr(function, "name", "").lstrip("_")
    arguments = getattr(function, "args", None)
    takes = {one.arg for one in arguments.args} if isinstance(arguments, ast.arguments) else set()
    return name.startswith("told") or (name.startswith("describe") and "event" in takes)


def _docstring(text: str) -> Iterator[str]:
    """Yield the sentences of a docstring without examples, headings, and the names and types of parameters."""
    text = re.split(r"\n(?:Examples|Raises)\n-+", text)[0]
    text = re.sub(r"^.*\n-{3,}$", "", text, flags=re.MULTILINE)
    return sentences(re.sub(r"^\w[^\n]* : [^\n]*$", "", text, flags=re.MULTILINE))


def _vocabulary(_: Path) -> Iterator[Text]:
    """Yield the meanings of all words of the law."""
    from nomic_nb.chess import extension  # noqa: F401 - the law has its words of boards
    from nomic_nb.engine.play.vocabulary import language

    known = language().vocabulary
    for kind in ("keys", "facts", "fields", "functions", "events", "actions"):
        yield from (("meanings", f"{kind}:{name}", one.meaning) for name, one in getattr(known, kind).items())


def _readings(root: Path) -> Iterator[Text]:
    """Yield every clause of the rule sets and of the library, as `explain` reads it back."""
    import nomic_nb as nb
    from nomic_nb.chess import extension  # noqa: F401 - the law has its words of boards

    laws = [(f"library:{one.name}", one.rule.law) for one in nb.library.catalogue if one.rule.law]
    for path in sorted(root.glob("nomic_nb/*/rulesets/*.md")):
        laws += [(path.name, law) for law in re.findall(r"```law\n(.*?)```", _read(path), re.DOTALL)]
    for where, law in laws:
        yield from (("readings", where, one) for one in nb.explain(law).sentences)


SOURCES: tuple[Callable[[Path], Iterator[Text]], ...] = (
    _pages, _notebooks, _library, _words, _widgets, _test_names, _modules, _vocabulary, _readings,
)  # fmt: skip


def collect(
    root: Path = ROOT, sources: tuple[Callable[[Path], Iterator[Text]], ...] = SOURCES
) -> dict[str, dict[str, str]]:
    """Return the texts of each group, each once, with the place where it was found first.

    Meanings and readings come from the package that is imported, all others from the files under `root`.
    """
    found: dict[str, dict[str, str]] = {group: {} for group in GROUPS}
    for source in sources:
        for group, where, text in source(root):
            found[group].setdefault(" ".join(text.split()), where)
    return found
