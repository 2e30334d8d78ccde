"""Learners of other packages, run by a script in a Python that has the package installed."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

from mahc.experiment.contestants import peer_script
from mahc.experiment.contestants.base import KINDS, Answer, Contestant, Sample
from mahc.experiment.contestants.command import run_program
from mahc.experiment.contestants.function import make_graph
from mahc.experiment.limits import Limits
from mahc.files import read_bounded_text

MAX_BYTES = 2**28


@KINDS.register("peer")
@dataclass(frozen=True)
class PeerAlgorithm(Contestant):
    """A learner of another package, by its name in `peer_script`; `python` may belong to another environment.

    >>> PeerAlgorithm("pyAgrum", name="pyagrum-hc").settings_text()
    'package pyagrum'
    """

    name: str = ""
    python: str = ""
    shuffle_columns: bool = False

    kind: ClassVar[str] = "peer"

    @property
    def algorithm(self) -> str:
        """Its name in `peer_script`."""
        return self.name

    @property
    def package(self) -> str:
        """What pip calls the package."""
        return peer_script.PEERS[self.name][0]

    def version(self) -> str:
        """The version of the package, or `not installed`."""
        return f"{self.package} {installed_version(self.package, self.python) or 'not installed'}"

    def identity(self) -> dict[str, Any]:
        """The name of the learner, and that its columns are shuffled."""
        return {"name": self.name, **({"shuffle_columns": True} if self.shuffle_columns else {})}

    def settings_text(self) -> str:
        """The package, and that its columns are shuffled."""
        return f"package {self.package}" + (", shuffled columns" if self.shuffle_columns else "")

    def unavailable_reason(self) -> str | None:
        """That the package is not installed."""
        if installed_version(self.package, self.python):
            return None
        python = self.python or sys.executable
        return (
            f"{self.package} is not installed: '{python} -m pip install {self.package}', or name a Python that has it"
        )

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Run the script, which times the learning alone."""
        output = sample.folder / "edges.json"
        script = str(Path(peer_script.__file__))
        words = [
            self.python or sys.executable,
            script,
            self.name,
            str(sample.write_csv(self.shuffle_columns)),
            str(output),
        ]
        sample.begin()
        run_program(words, str(sample.folder), sample.folder)
        found = json.loads(read_bounded_text(output, MAX_BYTES))
        return Answer(make_graph(sample.names, [tuple(edge) for edge in found["edges"]]), float(found["seconds"]))


@cache
def installed_version(package: str, python: str) -> str:
    """The version of a package in a Python, empty if it is not installed."""
    if not python:
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            return ""
    question = f"from importlib.metadata import version; print(version({package!r}))"
    try:
        result = subprocess.run([python, "-c", question], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""
