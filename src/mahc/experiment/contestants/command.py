"""Any program that reads a CSV file and writes a graph file.

The plan names the program, and it runs with your rights: read a plan from somebody else before you run it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from mahc.experiment.contestants.base import KINDS, Answer, CellError, Contestant, Sample
from mahc.experiment.contestants.versions import state_version
from mahc.experiment.limits import Limits

LAST_BYTES = 1 << 16  # of stderr, from which the reason of a failure is taken


@KINDS.register("command")
@dataclass(frozen=True)
class Program(Contestant):
    """A program with its arguments; `{data}` stands for the CSV file, `{output}` for the graph file that it writes.

    >>> Program("mine", words=("Rscript", "mine.R", "{data}", "{output}")).algorithm
    'Rscript'
    """

    words: tuple[str, ...] = ()
    folder: str = "."
    output: str = ".csv"
    stated_version: str = ""

    kind: ClassVar[str] = "command"

    @property
    def algorithm(self) -> str:
        """The program."""
        return Path(self.words[0]).name

    def version(self) -> str:
        """The version in the plan, and a fingerprint of the program and of the files among its arguments."""
        files = [Path(self.folder) / word for word in self.words[1:] if "{" not in word]
        return state_version(
            self.stated_version, [*filter(None, [self._program()]), *(f for f in files if f.is_file())]
        )

    def identity(self) -> dict[str, Any]:
        """The command line."""
        return {"words": list(self.words), "output": self.output}

    def settings_text(self) -> str:
        """The arguments."""
        return " ".join(self.words[1:])

    def unavailable_reason(self) -> str | None:
        """That the program is not installed."""
        if self._program() is not None:
            return None
        return f"the program '{self.words[0]}' is not installed: install it, or give its path"

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Run the program in the plan's folder, then read the graph."""
        from mahc.graphs.files import read_graph

        output = sample.folder / f"graph{self.output}"
        places = {"{data}": str(sample.write_csv()), "{output}": str(output)}
        words = [str(self._program()), *(_fill(word, places) for word in self.words[1:])]
        sample.begin()
        seconds = run_program(words, self.folder, sample.folder)
        if not output.is_file():
            raise CellError(f"the program '{self.words[0]}' ended without writing a graph to {{output}}")
        return Answer(read_graph(output, names=sample.names), seconds)

    def _program(self) -> Path | None:
        word = self.words[0]
        if "/" in word:
            path = Path(self.folder) / word
            return path if path.is_file() else None
        found = shutil.which(word)
        return Path(found) if found else None


def run_program(words: list[str], folder: str, scratch: Path) -> float:
    """Run a program and return its seconds; a failure carries the last line of its stderr."""
    quiet = subprocess.DEVNULL
    began = time.perf_counter()
    # Into a file: a program that prints much must not use up the memory of the cell.
    with (scratch / "stderr.txt").open("w+b") as stderr:
        try:
            done = subprocess.run(words, cwd=folder, stdin=quiet, stdout=quiet, stderr=stderr, check=False)
        except OSError as problem:
            raise CellError(f"the program '{words[0]}' cannot be run: {problem.strerror}") from None
        seconds = time.perf_counter() - began
        stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - LAST_BYTES))
        lines = stderr.read().decode(errors="replace").split("\n")
    if done.returncode:
        last = next((line.strip() for line in reversed(lines) if line.strip()), "no message on stderr")
        if "MemoryError" in last or "bad_alloc" in last:
            raise MemoryError(last)
        raise CellError(f"the program '{Path(words[0]).name}' ended with code {done.returncode}: {last[:300]}")
    return seconds


def _fill(word: str, places: dict[str, str]) -> str:
    for mark, path in places.items():
        word = word.replace(mark, path)
    return word
