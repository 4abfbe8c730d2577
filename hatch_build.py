"""Compile the chess kernel while the package is built, if there is a compiler; without one, the kit is pure Python.

`NOMIC_NB_PURE=1` builds the pure wheel anyway. `python hatch_build.py` compiles the kernel in this folder.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from zlib import crc32

FOLDER = Path("nomic_nb", "chess", "kernel")
#: What a build may take, in seconds.
LIMIT = 60
#: Its second number, for systems on which a kernel made here runs.
OLDEST_GLIBC = 17
#: For processors of x86 since 2013; others use a copy without these.
TUNED = ["-mpopcnt", "-mbmi", "-mbmi2"]
# On Windows gcc keeps the wide registers of AVX on a stack that is not aligned for them.
TUNED += ["-mavx2"] * (os.name != "nt")


def find_compiler() -> list[str]:
    """Return the command of gcc or clang, or of the compiler that CC names; nothing if there is none."""
    named = [part.strip("\"'") for part in shlex.split(os.environ.get("CC", ""), posix=os.name != "nt")]
    for command in [named] if named else [["cc"], ["gcc"], ["clang"]]:
        if shutil.which(command[0]):
            return command
    return []


def compile_kernel(root: Path, *flags: str, into: Path | None = None) -> Path | None:
    """Compile kernel.c beside itself, or into another file; return the file, or None after saying why there is none."""
    try:
        return _compile(root, flags, into)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        print(f"The chess kernel could not be compiled and is left out: {error}")
        return None


def _compile(root: Path, flags: tuple[str, ...], into: Path | None) -> Path | None:
    """Do what `compile_kernel` does; an error of the system, of CC or of the compiler ends it."""
    source, name = root / FOLDER / "kernel.c", "_kernel.dll" if os.name == "nt" else "_kernel.so"
    made = into or source.with_name(name)
    if os.environ.get("NOMIC_NB_PURE") or sys.platform in ("emscripten", "wasi"):
        return None
    compiler = find_compiler()
    if not compiler:
        print("No C compiler: the chess kernel is left out, and counting and searching are slower.")
        return None
    mark = crc32(source.read_bytes().replace(b"\r\n", b"\n"))
    usual = [*compiler, "-std=gnu11", "-fPIC", "-fvisibility=hidden", "-Wno-psabi", f"-DKERNEL_MARK={mark}u"]
    tuned = ["-DTUNED"] if platform.machine().lower() in ("x86_64", "amd64") and sys.maxsize > 2**32 else []
    # At -Os clang makes code that is a third larger than that of gcc, and so is all code for Windows.
    small, fast = "-Oz" if b"clang" in _version(compiler) else "-Os", "-O2" if os.name == "nt" else "-O3"
    copies = [[small, *tuned]] + [[small, f"-DW={words}", f"-DCALLS=calls_{words}"] for words in (1, 2, 4)]
    if tuned:
        copies[1:3] = [
            [fast if words == 1 else small, *TUNED, f"-DW={words}", f"-DCALLS=calls_{words}t"] for words in (1, 2, 4)
        ]
    # In the same folder, under a name that no other build has: it is moved to its place whole, or not at all.
    with tempfile.TemporaryDirectory(dir=made.parent, prefix="_kernel.so.") as folder:
        objects = [str(Path(folder, f"{number}.o")) for number in range(len(copies))]
        parts = zip(copies, objects, strict=True)
        commands = [[*usual, *more, *flags, "-c", source.name, "-o", to] for more, to in parts]
        stripped = [] if flags or sys.platform == "darwin" else ["-s"]
        alone = ["-static-libgcc"] if os.name == "nt" else []  # Python looks for no library where compilers keep theirs
        commands.append([*usual, *flags, *stripped, *alone, "-shared", "-o", str(Path(folder, made.name)), *objects])
        for command in commands:
            done = subprocess.run(
                command, cwd=source.parent, capture_output=True, text=True, errors="replace", timeout=LIMIT, check=False
            )
            if done.returncode:
                raise OSError(done.stderr.strip()[-400:] or "the compiler failed")
        whole = Path(folder, made.name)
        made.with_name(made.name + ".crc32").write_text(f"{crc32(whole.read_bytes())}\n")
        whole.replace(made)
    return made


def _version(compiler: list[str]) -> bytes:
    """Return what a compiler says about itself."""
    return subprocess.run([*compiler, "--version"], capture_output=True, timeout=LIMIT, check=False).stdout


def platform_tag(made: Path) -> str:
    """Return the tag of a wheel with this kernel: for this system, or all Linux since 2012, and every Python."""
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_").replace("universal2", platform.machine())
    versions = [int(number) for number in re.findall(rb"GLIBC_2\.(\d+)", made.read_bytes())]
    if versions and max(versions) <= OLDEST_GLIBC:
        system = system.replace("linux_", f"manylinux_2_{OLDEST_GLIBC}_", 1)
    return f"py3-none-{system}"


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # compiled by hand
    BuildHookInterface = None

if BuildHookInterface is not None:

    class KernelHook(BuildHookInterface):
        """The hook that hatchling calls for each wheel, also for that of an editable install."""

        PLUGIN_NAME = "custom"

        def initialize(self, version: str, build_data: dict) -> None:
            """Compile the kernel, and tag the wheel for this system if that worked."""
            made = compile_kernel(Path(self.root))
            if made is None:
                return
            build_data["artifacts"].append(f"/{made.relative_to(self.root).as_posix()}*")
            if version != "editable":
                build_data["pure_python"] = False
                build_data["tag"] = platform_tag(made)


if __name__ == "__main__":
    raise SystemExit(0 if compile_kernel(Path(__file__).resolve().parent) else 1)
