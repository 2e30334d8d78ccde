"""The options of questions to a model: which model, how it is fitted, what is given and set, how it is answered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from mahc.cli.options.data_options import Options, plain_texts, with_options
from mahc.cli.options.fitting_data import load_fitting_data
from mahc.cli.options.groups import ALGORITHM, DATA, argument, option
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import tell
from mahc.data.settings import MISSING_EM
from mahc.errors import SettingError, UnknownNameError
from mahc.inference.answering import QuerySettings
from mahc.inference.deadline import limited_to
from mahc.opening import closing_opened
from mahc.settings import declarations
from mahc.sources import find_model, find_names

MODEL_HELP = "A network file or name; or, with --data, a result.json, the folder of `mahc learn --out`, a graph file."
ModelArgument = Annotated[str, argument("MODEL", MODEL_HELP)]
DataOption = Annotated[Path | None, option("--data", "DATA", "Data to fit the tables of a result or graph to.", DATA)]
PriorOption = Annotated[
    float, option("--prior", "N", "Equivalent sample size of the Dirichlet prior of the tables.", ALGORITHM, "1")
]
GivenOption = Annotated[
    list[str] | None, option("--given", "NAME=VALUE", "An observed state or number; may be repeated.", DATA)
]
DoOption = Annotated[
    list[str] | None, option("--do", "NAME=VALUE", "A state or number set from outside; may be repeated.", DATA)
]
SoftOption = Annotated[
    list[str] | None,
    option("--soft", "NAME=STATE:L,...", "Likelihoods of states, such as xray=yes:0.9,no:0.1; may be repeated.", DATA),
]


@with_options(lambda: plain_texts(declarations(QuerySettings)), ALGORITHM)
class QueryOptions(Options):
    """How a query is answered."""

    def settings(self) -> QuerySettings:
        """The options as settings."""
        return QuerySettings(**self.given())  # type: ignore[arg-type]


def load_model(
    word: str, data: Path | None, prior: float, reading: ReadingOptions, time_limit: float | None = None
) -> Any:
    """The model of a network, or of a result or graph with the data that its tables are fitted to."""
    reading.settings()  # refuses what is wrong in itself
    dataset, missing = None, "error"
    if data is not None:
        dataset, by_em = load_fitting_data(word, find_names(word), data, reading, time_limit)
        missing = MISSING_EM if by_em else "error"
    with limited_to(time_limit), closing_opened(dataset):
        model, note = find_model(word, dataset, prior, missing)
    if note is not None:
        tell(f"note: {note}")
    return model


def parse_states(words: Sequence[str] | None, variables: Sequence[str], setting: str) -> dict[str, str]:
    """NAME=STATE words as a dict; a name or state may hold equals signs itself."""
    found: dict[str, str] = {}
    for word in words or ():
        name, state = _split(word, variables, setting)
        if name in found:
            raise SettingError(f"{setting} names '{name}' twice: name it once")
        found[name] = state
    return found


def parse_likelihoods(words: Sequence[str] | None, variables: Sequence[str]) -> dict[str, dict[str, str]]:
    """NAME=STATE:L,STATE:L words as a dict of dicts."""
    found: dict[str, dict[str, str]] = {}
    for word in words or ():
        name, rest = _split(word, variables, "--soft")
        if name in found:
            raise SettingError(f"--soft names '{name}' twice: name it once")
        pairs = [part.rpartition(":") for part in rest.split(",")]
        if not all(colon and state for state, colon, _ in pairs):
            raise SettingError(f"--soft is '{word}': write it as NAME=STATE:NUMBER,STATE:NUMBER")
        found[name] = {state: number for state, _, number in pairs}
    return found


def _split(word: str, variables: Sequence[str], setting: str) -> tuple[str, str]:
    places = [place for place, letter in enumerate(word) if letter == "="]
    if not places:
        raise SettingError(f"{setting} is '{word}': write it as NAME=VALUE")
    for place in places:
        if word[:place] in variables:
            return word[:place], word[place + 1 :]
    raise UnknownNameError("variable", word[: places[0]], variables)
