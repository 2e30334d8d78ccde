"""Results for causal tools: a model of DoWhy, and the arrays that EconML takes."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset
from mahc.data.dataset import refuse_fractions
from mahc.data.prepare.matching import place_state
from mahc.errors import DataError, InvalidSettingError, MahcError, UnknownNameError
from mahc.graphs.names import as_group
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.results.learned import Learned

MOST_ROWS = 10**7  # weighted rows are written out
Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EconmlArrays:
    """What the estimators of EconML take: `estimator.fit(a.Y, a.T, X=a.X, W=a.W)`.

    Parameters
    ----------
    Y : array
        The target: its numbers, or 1 where it has the state asked for and 0 elsewhere.
    T : array
        The cause: its numbers, or its states as 0, 1 and so on.
    X : array or None
        The variables by which the effect may differ; None if there are none.
    W : array or None
        The rest of the adjustment set; None if there is none.
    X_names, W_names : tuple of str
        The columns: a variable of numbers, or a variable and one of its states but the first.
    adjustment_set : tuple of str
        The set that makes the effect identified.

    Examples
    --------
    >>> EconmlArrays(np.zeros(2), np.zeros(2), None, None, (), (), ()).adjustment_set
    ()
    """

    Y: NDArray[Any]
    T: NDArray[Any]
    X: Values | None
    W: Values | None
    X_names: tuple[str, ...]
    W_names: tuple[str, ...]
    adjustment_set: tuple[str, ...]


def dowhy_model(
    learned: Learned, data: Dataset, cause: str, target: str, contrast: tuple[str, str] | None, state: str | None
) -> Any:
    """`Learned.to_dowhy`, on data that were read as those of the result."""
    _check(learned, data, cause, target)
    dowhy = _load("dowhy", 'pip install "mahc[dowhy]"')
    pandas = _load("pandas", "pip install pandas")
    refuse_fractions(data, "DoWhy")
    weights = data.weights
    if weights is not None and data.size > MOST_ROWS:
        raise DataError(f"the weights stand for {count(data.size, 'row')}: DoWhy takes rows, at most {MOST_ROWS:,}")
    fixed = {cause: _treatment(data, cause, contrast), target: _outcome(data, target, state)}
    if fixed[cause] is None:
        raise DataError(f"'{cause}' has more than two states: DoWhy needs two states or numbers, so merge its states")
    frame = {}
    for name in learned.variables:
        numbers = fixed[name] if name in fixed else _numbers_of(data, name)
        if numbers is None:
            column = data.discrete_by_name[name]
            numbers = pandas.Categorical.from_codes(column.codes.astype(np.int64), list(column.labels))
        frame[name] = numbers
    table = pandas.DataFrame(frame)
    if weights is not None:
        table = table.loc[np.repeat(np.arange(data.rows), weights)].reset_index(drop=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return dowhy.CausalModel(data=table, treatment=cause, outcome=target, graph=learned.dag.to_networkx())


def econml_arrays(
    learned: Learned,
    data: Dataset,
    cause: str,
    target: str,
    contrast: tuple[str, str] | None,
    state: str | None,
    given: str | Iterable[str] | None,
    modifiers: str | Iterable[str],
) -> EconmlArrays:
    """`Learned.to_econml`, on data that were read as those of the result."""
    _check(learned, data, cause, target)
    if data.weights is not None:
        raise DataError("the data have weights: EconML takes them as sample_weight, so read the rows without weights")
    own = tuple(as_group(modifiers))
    chosen = _adjustment_set(learned, cause, target, given, own)
    rest = [name for name in chosen if name not in own]
    (x, x_names), (w, w_names) = _columns(data, own), _columns(data, rest)
    treatment = _treatment(data, cause, contrast)
    if treatment is None:
        treatment = data.discrete_by_name[cause].codes.astype(np.int64)
    return EconmlArrays(_outcome(data, target, state), treatment, x, w, x_names, w_names, chosen)


def _adjustment_set(
    learned: Learned, cause: str, target: str, given: str | Iterable[str] | None, modifiers: Sequence[str]
) -> tuple[str, ...]:
    found = learned.pattern.adjustment_sets(cause, target)
    if not found.sets:
        raise MahcError(f"the effect of {cause} on {target} is not identified: {found.reason}")
    if given is None:
        chosen = {*(found.sets[0] if found.optimal is None else found.optimal), *modifiers}
    else:
        chosen = {*as_group(given), *modifiers}
    if not found.is_valid(chosen):
        listed = ", ".join(sorted(chosen)) or "no variable"
        raise MahcError(f"adjusting for {listed} does not give the effect of {cause} on {target}: leave given out")
    return tuple(sorted(chosen))


def _check(learned: Learned, data: Dataset, cause: str, target: str) -> None:
    for name in (cause, target):
        if name not in learned.variables:
            raise UnknownNameError("variable", str(name), learned.variables)
    if cause == target:
        raise InvalidSettingError("target", target, "it is the cause: name two variables")
    if learned.kind == "PAG":
        raise MahcError(f"{learned.algorithm} learned a PAG, so hidden common causes are possible: use a DAG or CPDAG")
    data.require_complete()


def _numbers_of(data: Dataset, name: str) -> NDArray[Any] | None:
    """Numbers as they are, two states as 0 and 1; None for more states."""
    column = data.columns[data.index(name)]
    if column.state_count is None:
        return column.as_numbers()
    return column.as_array().astype(np.int64) if column.state_count <= 2 else None


def _treatment(data: Dataset, cause: str, contrast: tuple[str, str] | None) -> NDArray[Any] | None:
    """As `_numbers_of`; with a contrast, 0 for its first state and 1 for its second."""
    found = _numbers_of(data, cause)
    if contrast is None:
        return found
    labels = data.discrete_by_name[cause].labels if cause in data.discrete_by_name else ()
    if len(labels) != 2 or isinstance(contrast, str) or sorted(map(str, contrast)) != sorted(labels):
        states = f"'{cause}' has {', '.join(labels)}" if labels else f"'{cause}' holds numbers"
        raise InvalidSettingError("contrast", contrast, f"{states}: give its two states, the baseline first")
    treated: NDArray[np.int64] = (data.discrete_by_name[cause].codes == labels.index(str(contrast[1]))).astype(np.int64)
    return treated


def _outcome(data: Dataset, name: str, state: str | None) -> NDArray[Any]:
    column = data.columns[data.index(name)]
    if column.state_count is None:
        if state is not None:
            raise InvalidSettingError("state", state, f"'{name}' holds numbers: leave it out")
        return column.as_numbers()
    labels = data.discrete_by_name[name].labels
    place = len(labels) - 1 if state is None else place_state(name, labels, state)
    found: NDArray[np.int64] = (column.as_array() == place).astype(np.int64)
    return found


def _columns(data: Dataset, names: Sequence[str]) -> tuple[Values | None, tuple[str, ...]]:
    """Numbers, and a 0/1 column for each state but the first; None where there are no variables."""
    found, titles = [], []
    for name in names:
        column = data.columns[data.index(name)]
        if column.state_count is None:
            found.append(column.as_numbers())
            titles.append(name)
            continue
        for code, label in enumerate(data.discrete_by_name[name].labels):
            if code:
                found.append((column.as_array() == code).astype(np.float64))
                titles.append(f"{name}={label}")
    return (np.column_stack(found) if found else None), tuple(titles)


def _load(module: str, install: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError:
        raise MahcError(f"this needs {module}, which is not installed: {install}") from None
