"""The tools of `mahc mcp`: each runs one command of `mahc` with --json, on files below one folder."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from glob import glob, has_magic
from pathlib import Path
from subprocess import DEVNULL
from typing import Annotated, Any

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from mahc._version import __version__
from mahc.learning.algorithm import ALGORITHMS
from mahc.scores import SCORES

INSTRUCTIONS = (
    "mahc learns the structure of Bayesian networks from tables. Begin with `audit`: it says what is in the data and "
    "which settings to read them with. Then `learn` with `out`, which the other tools take as `result` or `model`; "
    "`explain` says why an arc is there or not, `bootstrap` how stable it is, `effect` what setting a variable "
    "changes, `query` what is probable. Arcs marked reversible may point either way: do not read causes into them. "
    "Paths are relative to the folder of the server."
)

Answer = dict[str, Any]
Words = list[str]
Data = Annotated[
    str, Field(description="Data file (CSV, TSV, Parquet, Arrow, Excel) or folder of files, or the sample 'asia'.")
]
Result = Annotated[str, Field(description="The folder that `learn` wrote (its `out`), or its result.json.")]
Asked = Annotated[str, Field(description="A network file or shipped network; or, with data, what `learn` wrote.")]
Out = Annotated[str | None, Field(description="Folder for the result.")]
Overwrite = Annotated[bool, Field(description="Replace a result that is in `out`.")]
Variable = Annotated[str, Field(description="Name of a variable.")]
States = Annotated[dict[str, str] | None, Field(description="States or numbers by variable, such as {'smoke': 'yes'}.")]
Algorithm = Annotated[
    str,
    Field(description="'best' is nearest to the truth; 'mahc' is sparse.", json_schema_extra={"enum": [*ALGORITHMS]}),
]
Score = Annotated[
    str | None, Field(description=f"One of {', '.join(SCORES)}; left out, that of the algorithm and the data.")
]


@dataclass(frozen=True)
class Reading:
    """How data are read; `audit` suggests it. Left out, text is states and columns of many numbers are numbers."""

    missing: Annotated[
        str | None, Field(description="Missing values: error, state, drop, impute, pairwise, weighted, structural-em.")
    ] = None
    missing_token: Annotated[Words, Field(description="Texts that mean missing: 'NA', or 'COLUMN=99'.")] = field(
        default_factory=list
    )
    discretise: Annotated[Words, Field(description="Cuts: 'quantile:4', 'age=35,65'.")] = field(default_factory=list)
    categorical: Annotated[Words, Field(description="Columns of numbers to keep as states.")] = field(
        default_factory=list
    )
    ordinal: Annotated[Words, Field(description="Orders of states: 'grade=low,medium,high'.")] = field(
        default_factory=list
    )
    drop: Annotated[Words, Field(description="Columns to leave out.")] = field(default_factory=list)
    weights: Annotated[str | None, Field(description="Column that says how often each row counts.")] = None


@dataclass(frozen=True)
class Knowledge:
    """What is known of the graph."""

    require: Annotated[Words, Field(description="Arcs that must be there: 'A,B' is A -> B.")] = field(
        default_factory=list
    )
    forbid: Annotated[Words, Field(description="Arcs that must not be there: 'A,B' is A -> B.")] = field(
        default_factory=list
    )
    tiers: Annotated[str | None, Field(description="Order in time: 'A,B < C'.")] = None
    belief: Annotated[Words, Field(description="Probabilities of arcs: 'A -> B = 0.8'.")] = field(default_factory=list)


@dataclass(frozen=True)
class AgentTools:
    """Tools on the files below `folder`; a call takes at most `seconds`, an answer at most `letters` of JSON."""

    folder: Path
    seconds: float
    letters: int

    async def audit(self, data: Data, reading: Reading | None = None) -> Answer:
        """Say what is in the data, what is wrong with them, and which command to learn with."""
        return await self._run("audit", [self._existing(data)], asdict(reading or Reading()))

    async def learn(
        self,
        data: Data,
        algorithm: Algorithm = "best",
        score: Score = None,
        knowledge: Knowledge | None = None,
        reading: Reading | None = None,
        out: Out = None,
        overwrite: Overwrite = False,
    ) -> Answer:
        """Learn a graph: arcs with their strength, which of them are reversible, and what was noticed in the data."""
        known = asdict(knowledge or Knowledge()) | asdict(reading or Reading())
        options = {"algorithm": algorithm, "score": score, **known, "out": self._new(out), "overwrite": overwrite}
        return await self._run("learn", [self._existing(data)], options)

    async def explain(self, result: Result, tail: Variable, head: Variable) -> Answer:
        """Say in one sentence, with numbers, why the arc tail -> head is in a learned graph or not."""
        return await self._run("explain", [self._existing(result), tail, head], {})

    async def bootstrap(
        self,
        data: Data,
        resamples: Annotated[int, Field(ge=2, le=10_000)] = 100,
        seed: Annotated[int, Field(ge=0)] = 1,
        algorithm: Algorithm = "best",
        score: Score = None,
        knowledge: Knowledge | None = None,
        reading: Reading | None = None,
        out: Out = None,
        overwrite: Overwrite = False,
    ) -> Answer:
        """Learn from resamples of the rows: how often each edge and its direction come back."""
        known = asdict(knowledge or Knowledge()) | asdict(reading or Reading())
        options = {"algorithm": algorithm, "score": score, "resamples": resamples, "seed": seed, **known}
        options |= {"out": self._new(out), "overwrite": overwrite}
        return await self._run("bootstrap", [self._existing(data)], options)

    async def effect(
        self,
        model: Asked,
        cause: Variable,
        target: Variable,
        data: Annotated[str | None, Field(description="The data of the result: intervals then count rows.")] = None,
        start: Annotated[str | None, Field(description="Value of the cause to compare with.")] = None,
        end: Annotated[str | None, Field(description="Value to set the cause to.")] = None,
        given: States = None,
        seed: Annotated[int, Field(ge=0)] = 1,
    ) -> Answer:
        """Say what setting the cause changes in the target; with data, with intervals over rows and graphs."""
        options = {"from": start, "to": end, "given": pairs(given), "seed": seed, "data": self._maybe(data)}
        return await self._run("effect", [self._existing(model), cause, target], options)

    async def query(
        self,
        model: Asked,
        targets: Annotated[Words, Field(min_length=1, max_length=100, description="Variables to ask for.")],
        given: Annotated[States, Field(description="What is observed.")] = None,
        do: Annotated[States, Field(description="What is set from outside.")] = None,
        data: Annotated[str | None, Field(description="Data to fit the tables of a learned graph to.")] = None,
    ) -> Answer:
        """Ask for the distribution of variables, given observations or after interventions."""
        options = {"given": pairs(given), "do": pairs(do), "data": self._maybe(data)}
        return await self._run("query", [self._existing(model), *targets], options)

    def _maybe(self, word: str | None) -> str | None:
        return None if word is None else self._existing(word)

    def _existing(self, word: str) -> str:
        """A path below the folder; the name of a sample or a network where there is no such file."""
        path = self._below(word)
        if not path.exists() and not Path(word).suffix and len(Path(word).parts) == 1 and not has_magic(word):
            return word
        matched = [path, *map(Path, glob(str(path), recursive=True, include_hidden=True))]  # patterns of folders, too
        for one in (part for each in matched for part in (each, *each.rglob("*"))):
            if not one.resolve().is_relative_to(self.folder):
                raise ToolError(f"'{word}' holds a link that leads out of the folder of this server: leave it out")
        return str(path)

    def _new(self, word: str | None) -> str | None:
        return None if word is None else str(self._below(word))

    def _below(self, word: str) -> Path:
        if not word or word.startswith("-") or "\0" in word:
            raise ToolError(f"{word!r} is not a path: give one relative to the folder of this server")
        path = (self.folder / word).resolve()
        if not path.is_relative_to(self.folder):
            raise ToolError(f"'{word}' is outside of the folder of this server: give a path below it")
        return path

    async def _run(self, command: str, words: Words, options: Mapping[str, object]) -> Answer:
        """What a command prints as JSON, and under `messages` what it says besides."""
        line = [sys.executable, "-m", "mahc", command, "--json", *option_words(options), "--", *words]
        try:
            with anyio.fail_after(self.seconds):
                done = await anyio.run_process(line, stdin=DEVNULL, cwd=self.folder, check=False, env=_environment())
        except TimeoutError:
            raise ToolError(
                f"{command} took more than {self.seconds:g} s and was ended: use fewer rows or columns"
            ) from None
        text = done.stdout.decode("utf-8", "replace")
        messages = done.stderr.decode("utf-8", "replace").replace("mahc: ", "").splitlines()
        try:
            answer: Answer = json.loads(text)
        except json.JSONDecodeError:
            raise ToolError(" ".join(messages)[-2000:] or f"{command} printed nothing") from None
        if "error" in answer:
            raise ToolError(str(answer["error"]["message"]))
        length = len(text) + sum(map(len, messages))
        if length > self.letters:
            raise ToolError(
                f"the answer has {length:,} letters, more than {self.letters:,}: give `out`, and read the files "
                "there, or ask about fewer variables"
            )
        return answer | {"messages": messages}


def pairs(states: Mapping[str, str] | None) -> list[str]:
    """States by variable as the command line takes them.

    >>> pairs({"smoke": "yes"})
    ['smoke=yes']
    """
    return [f"{name}={state}" for name, state in (states or {}).items()]


def option_words(options: Mapping[str, object]) -> list[str]:
    """Options as words; each is one word with its value, so that no value is taken for an option.

    >>> option_words({"missing_token": ["NA", "-"], "score": None, "seed": 1, "overwrite": True})
    ['--missing-token=NA', '--missing-token=-', '--seed=1', '--overwrite']
    """
    words: list[str] = []
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [f"{option}={each}" for each in (value if isinstance(value, list) else [value])]
    return words


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONUTF8": "1", "PYTHONSAFEPATH": "1", "NO_COLOR": "1"}


def make_server(folder: Path, seconds: float, letters: int) -> MCPServer:
    """The server, with one tool per method."""
    tools = AgentTools(folder.resolve(), seconds, letters)
    server = MCPServer("mahc", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    for tool in (tools.audit, tools.learn, tools.explain, tools.bootstrap, tools.effect, tools.query):
        server.add_tool(tool)
    return server
