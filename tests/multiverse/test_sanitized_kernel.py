"""The kernel under the sanitizers of the compiler: no access out of bounds, whatever tables it is given."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from outside import ROOT, load_script

build = load_script("hatch_build.py")
FLAGS = ["-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]


@pytest.mark.slow
def test_no_table_makes_the_kernel_read_or_write_out_of_bounds(tmp_path):
    compiler = build.find_compiler()
    if not compiler or not sys.platform.startswith("linux"):
        pytest.skip("sanitizers are tried on Linux, with a compiler")
    libraries = []
    for name in ("libasan.so", "libubsan.so"):
        found = subprocess.run([*compiler, f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
        if not Path(found).is_absolute():
            pytest.skip(f"the compiler has no {name}")
        libraries.append(found)
    made = build.compile_kernel(ROOT, *FLAGS, into=tmp_path / "sanitized.so")
    assert made is not None
    env = {**os.environ, "LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0"}
    script = Path(__file__).with_name("fuzz_kernel.py")
    done = subprocess.run(
        [sys.executable, str(script), str(made), "12", "250"], env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "('used'" in done.stdout
    assert "('tables'" in done.stdout
