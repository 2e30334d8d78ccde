"""Learners of other packages, each run by its own script in a Python that has it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

from mahc.experiment.contestants import rival_script
from mahc.experiment.contestants.base import KINDS, Answer, Contestant, Sample
from mahc.experiment.contestants.command import run_program
from mahc.experiment.contestants.function import make_graph
from mahc.experiment.limits import Limits


@KINDS.register("rival")
@dataclass(frozen=True)
class Rival(Contestant):
    """A learner of another package by the name it has in `rival_script`; `python` may be one of another environment.

    >>> Rival("pyAgrum", name="pyagrum-hc").settings_text()
    'package pyagrum'
    """

    name: str = ""
    python: str = ""

    kind: ClassVar[str] = "rival"

    @property
    def algorithm(self) -> str:
        """Its name here."""
        return self.name

    @property
    def package(self) -> str:
        """What pip calls the package."""
        return rival_script.RIVALS[self.name][0]

    def version(self) -> str:
        """That of the package; where it is not installed, that is said."""
        return f"{self.package} {installed_version(self.package, self.python) or 'not installed'}"

    def essence(self) -> dict[str, Any]:
        """Which rival."""
        return {"name": self.name}

    def settings_text(self) -> str:
        """The package."""
        return f"package {self.package}"

    def lacking(self) -> str | None:
        """Where the package is not installed."""
        if installed_version(self.package, self.python):
            return None
        python = self.python or sys.executable
        return (
            f"{self.package} is not installed: '{python} -m pip install {self.package}', or name a Python that has it"
        )

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Run the script; it times the learning alone."""
        output = sample.folder / "rival.json"
        script = str(Path(rival_script.__file__))
        words = [self.python or sys.executable, script, self.name, str(sample.write_csv()), str(output)]
        sample.begin()
        run_program(words, str(sample.folder), sample.folder)
        found = json.loads(output.read_text(encoding="utf-8"))
        return Answer(make_graph(sample.names, [tuple(edge) for edge in found["edges"]]), float(found["seconds"]))


@cache
def installed_version(package: str, python: str) -> str:
    """The version of a package in a Python, empty where it is not there."""
    if not python:
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            return ""
    question = f"from importlib.metadata import version; print(version({package!r}))"
    try:
        asked = subprocess.run([python, "-c", question], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""
