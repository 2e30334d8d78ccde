"""The process of one cell: it is started, held to its time and memory limits, and its result is read."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from mahc.errors import FormatError, Mention, SettingError
from mahc.files import read_bounded_text
from mahc.lab.cells import Cell
from mahc.lab.outline import Row
from mahc.lab.processes import Limits, kill_group, kill_tree, private_memory
from mahc.lab.worker import DISK_FULL, LEARNING, MEASURING, REQUEST, RESULT, memory_sentence, time_sentence

MAX_RESULT_BYTES = 2**24

OTHER_SECONDS = 600.0  # for drawing the data, and again for computing the measures
LEAST_GRACE, GRACE_SHARE = 5.0, 0.1  # extra time for a learner to stop by itself at its limit
MEMORY_EVERY = 0.05
STDERR = "stderr"
LAST_BYTES, MOST_LETTERS = 1 << 16, 500  # of a process's stderr, and of a reason
MEMORY_ERRORS = ("MemoryError", "bad_alloc", "memory allocation of", "Cannot allocate memory")


class CellProcess:
    """A running cell; call `poll` until it returns the row."""

    def __init__(self, cell: Cell, limits: Limits, networks: Path | None, folder: Path) -> None:
        self.cell = cell
        self.limits = limits
        self.began = time.monotonic()
        self._folder = folder
        self._peak = 0.0
        self._checked = 0.0
        self._stage, self._stage_began = "", self.began
        self._ended_because: tuple[str, str] | None = None
        try:
            folder.mkdir(parents=True)
            (folder / REQUEST).write_text(json.dumps(cell.request(limits, networks)), encoding="utf-8")
            self._process = self._start()
        except OSError as problem:
            shutil.rmtree(folder, ignore_errors=True)
            raise SettingError(
                f"cannot start a cell in '{folder.parent}': {problem.strerror}; all finished rows are kept: "
                "solve this, or lower ",
                Mention("jobs"),
                ", and run it again",
            ) from None

    def _start(self) -> subprocess.Popen[bytes]:
        with (self._folder / STDERR).open("wb") as stderr:
            # A new process group: Ctrl-C reaches the runner alone, and the whole group can be ended at once.
            return subprocess.Popen(
                # -P: files in the current folder cannot hide modules of Python.
                [sys.executable, "-P", "-m", "mahc.lab.worker", str(self._folder.absolute())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env=self.limits.environment(),
                start_new_session=True,
            )

    def poll(self) -> Row | None:
        """The row once the process has ended; until then None, and the limits are enforced."""
        if self._process.poll() is None:
            self._enforce()
            return None
        row = self._conclude()
        self._clear()
        return row

    def stop(self) -> None:
        """End it without a row."""
        self._kill()
        self._clear()

    def _enforce(self) -> None:
        now = time.monotonic()
        for stage in (LEARNING, MEASURING):
            if self._stage < stage and (self._folder / stage).exists():  # the names are in the order of the stages
                self._stage, self._stage_began = stage, now
        if now - self._checked >= MEMORY_EVERY:
            self._checked = now
            self._peak = max(self._peak, private_memory(self._process.pid, self.limits.memory_mebibytes))
        if self._peak > self.limits.memory_mebibytes:
            self._ended_because = ("memory_limit", memory_sentence(self.limits))
        elif now - self._stage_began > self._allowed():
            self._ended_because = ("time_limit", self._late_sentence())
        if self._ended_because is not None:
            self._kill()

    def _allowed(self) -> float:
        if self._stage != LEARNING:
            return OTHER_SECONDS
        return self.limits.seconds + max(LEAST_GRACE, GRACE_SHARE * self.limits.seconds)

    def _late_sentence(self) -> str:
        if self._stage == LEARNING:
            return time_sentence(self.limits)
        work = "the measures" if self._stage == MEASURING else "drawing the data"
        return f"{work} took more than {OTHER_SECONDS:g} s"

    def _kill(self) -> None:
        if self._process.poll() is None:  # otherwise its id may belong to another process by now
            kill_tree(self._process.pid)
            self._process.wait()

    def _conclude(self) -> Row:
        kill_group(self._process.pid)  # processes that it left running
        found = self._read_result()
        if found:
            pruned, pattern = found.pop("pruned_per_level", None), found.pop("pattern", None)
            found.setdefault("peak_memory_mebibytes", self._peak or None)
            return self.cell.row(
                found.pop("outcome"),
                self._clean_reason(found.pop("reason")),
                pruned_per_level=None if pruned is None else tuple(pruned),
                pattern=None if pattern is None else tuple(map(tuple, pattern)),
                traceback=self._clean_trace(found.pop("traceback", "")),
                **found,
            )
        outcome, reason = self._ended_because or self._diagnose()
        return self.cell.row(outcome, reason, peak_memory_mebibytes=self._peak or None)

    def _read_result(self) -> dict[str, Any]:
        try:
            found = json.loads(read_bounded_text(self._folder / RESULT, MAX_RESULT_BYTES))
        except (OSError, ValueError, RecursionError, FormatError):  # there is none, or a contestant overwrote it
            return {}
        return found if isinstance(found, dict) else {}

    def _diagnose(self) -> tuple[str, str]:
        text = _read_end(self._folder / STDERR)
        if self._process.returncode == DISK_FULL:
            store, label = self._folder.parent.parent, self.cell.contestant.label
            raise SettingError(
                f"the disk of '{store}' is full, or the disk that {label} wrote to: free some space and run the same "
                "command again; all finished rows are kept"
            )
        if any(error in text for error in MEMORY_ERRORS):
            return "memory_limit", memory_sentence(self.limits)
        code = self._process.returncode
        how = f"ended with code {code}"
        if code < 0:
            names = {each.value: each.name for each in signal.Signals}
            how = f"ended by the signal {names.get(-code, -code)}"
        last = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
        return "crashed", self._clean_reason(f"the process {how}" + (f": {last[:300]}" if last else ""))

    def _clean_reason(self, reason: str) -> str:
        # One printable line, without the temporary folder, so that it is the same in every run.
        line = " ".join(reason.replace(f"{self._folder.absolute()}{os.sep}", "").split())
        shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
        return shown if len(shown) <= MOST_LETTERS else f"{shown[:MOST_LETTERS]}..."

    def _clean_trace(self, text: str) -> str:
        lines = text.replace(f"{self._folder.absolute()}{os.sep}", "").splitlines()
        return "\n".join(
            "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
            for line in lines
        )

    def _clear(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _read_end(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            opened.seek(max(0, file.stat().st_size - LAST_BYTES))
            return opened.read().decode(errors="replace")
    except OSError:  # a contestant may have removed it
        return ""
