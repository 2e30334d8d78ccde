"""Circumstances under which data are given: settings of reading, knowledge, pieces, limits, saved results.

Each says what a person gives and, where there is one, the plain way to the same answer: the same rows prepared by
hand. `table.toml` says for every circumstance and every subject whether the pair works.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import mahc
from mahc.data.settings import MISSING_EM, MISSING_METHODS
from mahc.networks import load_network, sample
from mahc.networks.simulation_files import to_frame

ROWS = 300
COLUMNS = ["smoke", "lung", "bronc", "dysp"]
CUTS = {"age": "quantile:3"}


def rows() -> pd.DataFrame:
    """Complete rows of four columns of text."""
    return to_frame(sample(load_network("asia"), ROWS, 5)).to_pandas()[COLUMNS].astype(object)


def with_gaps() -> pd.DataFrame:
    """The same with missing values in three columns."""
    frame, generator = rows(), np.random.default_rng(1)
    for name in COLUMNS[:3]:
        frame.loc[generator.random(ROWS) < 0.06, name] = None
    return frame


def with_tokens() -> pd.DataFrame:
    """The same with a word where a value is missing."""
    return with_gaps().fillna("not asked")


def weighted() -> pd.DataFrame:
    """Rows with a column of weights."""
    return rows().assign(w=[1 + row % 3 for row in range(ROWS)])


def repeated() -> pd.DataFrame:
    """Each row as often as its weight says."""
    frame = weighted()
    return frame.loc[frame.index.repeat(frame["w"])].drop(columns="w").reset_index(drop=True)


def from_experiments(targets: tuple[object, ...] = ("", "lung", "smoke|bronc", "")) -> pd.DataFrame:
    """Rows with a column that names what an experiment set."""
    return rows().assign(set=[targets[row % 4] for row in range(ROWS)])


def with_codes() -> pd.DataFrame:
    """Rows with a column of many whole numbers, which are codes."""
    smokes = (rows()["smoke"] == "yes").to_numpy()
    return rows().assign(code=[10 * (row % 13) + 200 * smoke for row, smoke in enumerate(smokes)])


def with_ages() -> pd.DataFrame:
    """Rows with a column of real numbers."""
    smokes = (rows()["smoke"] == "yes").to_numpy()
    return rows().assign(age=30 + np.random.default_rng(3).normal(0, 8, ROWS) + 10 * smokes)


def cut_ages() -> pd.DataFrame:
    """The numbers as the texts of their intervals."""
    return to_frame(mahc.read(with_ages(), discretise=CUTS)).to_pandas().astype(object)


def misspelt() -> pd.DataFrame:
    """Rows in which some states differ in case and blanks only."""
    frame = rows()
    frame.loc[frame.index % 5 == 0, "smoke"] = frame["smoke"].str.upper() + " "
    return frame


def with_unused() -> pd.DataFrame:
    """Rows with a category that no row has."""
    frame = rows()
    kind = pd.CategoricalDtype([*sorted(frame["lung"].unique()), "never"])
    return frame.assign(lung=frame["lung"].astype(kind))


def with_identifier() -> pd.DataFrame:
    """Rows with a column that must be left out."""
    return rows().assign(patient=[f"p{row}" for row in range(ROWS)])


def write_parquet(frame: pd.DataFrame, folder: Path) -> Path:
    """One Parquet file."""
    frame.to_parquet(folder / "rows.parquet")
    return folder / "rows.parquet"


def write_european(frame: pd.DataFrame, folder: Path) -> Path:
    """A file as European programs write them."""
    path = folder / "rows.csv"
    path.write_text(frame.to_csv(sep=";", decimal=",", index=False, quotechar="'"), encoding="latin-1")
    return path


def write_pieces(frame: pd.DataFrame, folder: Path) -> Path:
    """A folder of files."""
    place = folder / "pieces"
    place.mkdir()
    for number, part in enumerate(np.array_split(np.arange(len(frame)), 3)):
        frame.iloc[part].to_parquet(place / f"{number}.parquet")
    return place


def european() -> pd.DataFrame:
    """Rows with real numbers and a letter that ASCII does not have."""
    return with_ages().replace({"smoke": {"yes": "fumé"}})


def european_plain() -> pd.DataFrame:
    """The same rows with cut numbers."""
    return cut_ages().replace({"smoke": {"yes": "fumé"}})


@dataclass(frozen=True)
class Circumstance:
    """What is given, and the rows that must lead to the same answer (None where there is no plain way)."""

    name: str
    frame: Callable[[], pd.DataFrame] = rows
    reading: dict[str, Any] = field(default_factory=dict)
    plain: Callable[[], pd.DataFrame] | None = None
    knowledge: dict[str, Any] = field(default_factory=dict)
    limits: dict[str, Any] = field(default_factory=dict)
    place: Callable[[pd.DataFrame, Path], Path] | None = None  # writes the rows; Python is given the path then
    array: bool = False  # Python is given an array
    reloaded: bool = False  # results and models are saved and loaded before they are used

    def path(self, folder: Path) -> Path:
        """The rows as a file or folder."""
        return (self.place or write_parquet)(self.frame(), folder)

    def data(self, folder: Path) -> Any:
        """The rows as Python is given them."""
        if self.array:
            return self.frame().to_numpy()
        return self.frame() if self.place is None else self.path(folder)


KNOWLEDGE: dict[str, dict[str, Any]] = {
    "required_arcs": {"required_arcs": [["lung", "smoke"]]},
    "required_edges": {"required_edges": [["lung", "bronc"]]},
    "beliefs": {"beliefs": ["lung -> bronc = 0.9"]},
    "forbidden_arcs": {"forbidden_arcs": [["smoke", "bronc"]]},
    "forbidden_edges": {"forbidden_edges": [["smoke", "bronc"]]},
    "tiers": {"tiers": [["dysp"], ["bronc"], ["smoke", "lung"]]},
    "strict_tiers": {"tiers": [["dysp", "bronc"], ["smoke", "lung"]], "strict_tiers": True},
    "targets": {"targets": {"lung": 2.0}},
    "all_relevant": {"all_relevant": True},
    "max_parents": {"max_parents": {"dysp": 0}},
    "contexts": {"contexts": ["lung"]},
}
EUROPEAN = {"delimiter": ";", "decimal": ",", "quote": "'", "encoding": "latin-1", "discretise": CUTS}

CIRCUMSTANCES = [
    Circumstance("plain", plain=rows),
    Circumstance("missing drop", with_gaps, {"missing": "drop"}, lambda: with_gaps().dropna().reset_index(drop=True)),
    Circumstance("missing state", with_gaps, {"missing": "state"}, lambda: with_gaps().fillna("missing")),
    *(Circumstance(f"missing {each}", with_gaps, {"missing": each}) for each in (*MISSING_METHODS, MISSING_EM)),
    Circumstance(
        "missing_tokens",
        with_tokens,
        {"missing": "drop", "missing_tokens": ["not asked"]},
        lambda: with_gaps().dropna().reset_index(drop=True),
    ),
    Circumstance("weights", weighted, {"weights": "w"}, repeated),
    Circumstance("interventions", from_experiments, {"interventions": "set"}),
    Circumstance(
        "changed mechanisms",
        lambda: from_experiments((0, 2, 3, 0)),
        {"interventions": "set", "interventions_coded": True, "mechanism": "changed"},
    ),
    Circumstance("folder with interventions", from_experiments, {"interventions": "set"}, place=write_pieces),
    Circumstance("saved and reloaded, interventions", from_experiments, {"interventions": "set"}, reloaded=True),
    Circumstance(
        "categorical",
        with_codes,
        {"categorical": ["code"]},
        lambda: with_codes().assign(code=[f"c{code}" for code in with_codes()["code"]]),
    ),
    Circumstance("ordinal", rows, {"ordinal": {"lung": ["no", "yes"]}}, rows),
    # Not every subject takes numbers: here the setting has to reach the reader, no more.
    Circumstance(
        "continuous",
        lambda: with_codes().rename(columns={"code": "patient"}),
        {"continuous": ["patient"], "drop": ["patient"]},
        rows,
    ),
    Circumstance("discretise", with_ages, {"discretise": CUTS}, cut_ages),
    Circumstance("merge_states", misspelt, {"merge_states": True}, rows),
    Circumstance("keep_unused_states", with_unused, {"keep_unused_states": True}),
    Circumstance("drop", with_identifier, {"drop": ["patient"]}, rows),
    Circumstance("columns", with_identifier, {"columns": COLUMNS}, rows),
    Circumstance("names", rows, {"names": COLUMNS}, rows, array=True),
    Circumstance("delimiter, decimal, quote, encoding", european, EUROPEAN, european_plain, place=write_european),
    Circumstance("folder", plain=rows, place=write_pieces),
    Circumstance(
        "folder with gaps",
        with_gaps,
        {"missing": "drop"},
        lambda: with_gaps().dropna().reset_index(drop=True),
        place=write_pieces,
    ),
    Circumstance("folder imputed", with_gaps, {"missing": "impute"}, place=write_pieces),
    Circumstance("folder with weights", weighted, {"weights": "w"}, repeated, place=write_pieces),
    Circumstance(
        "gaps and weights", lambda: with_gaps().assign(w=weighted()["w"]), {"missing": "impute", "weights": "w"}
    ),
    Circumstance("saved and reloaded", plain=rows, reloaded=True),
    Circumstance("saved and reloaded, imputed", with_gaps, {"missing": "impute"}, reloaded=True),
    Circumstance("saved and reloaded, cut", with_ages, {"discretise": CUTS}, cut_ages, reloaded=True),
    Circumstance("time_limit", plain=rows, limits={"time_limit": 60}),
    Circumstance("memory", plain=rows, limits={"memory_mebibytes": 512}),
    *(Circumstance(f"knowledge {name}", knowledge=known) for name, known in KNOWLEDGE.items()),
]
