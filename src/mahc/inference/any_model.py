"""What models of tables and models of numbers have in common."""

from __future__ import annotations

from typing import Any, NoReturn, Protocol

from mahc.data import ReadSettings
from mahc.data.reading_record import ReadingRecord
from mahc.errors import GraphError, Mention, UnknownNameError


class _Named(Protocol):
    @property
    def names(self) -> tuple[str, ...]: ...


class AnyModel:
    """A network with what is known of its causes and of the data that it was fitted to."""

    network: _Named
    not_causal: str | None
    reading: ReadingRecord | None

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self.network.names

    def to_pgmpy(self) -> Any:
        """Refuse: numbers have no tables; `Model` has a network for pgmpy."""
        self._refuse_tables("pgmpy")

    def to_pyagrum(self) -> Any:
        """Refuse: numbers have no tables; `Model` has a network for pyAgrum."""
        self._refuse_tables("pyAgrum")

    def _refuse_tables(self, program: str) -> NoReturn:
        raise GraphError(
            f"the model holds numbers, and a network of {program} holds tables only: learn with ",
            Mention("numbers", "cuts"),
            ", and fit again",
        )

    def _find(self, variable: object) -> int:
        """The number of a variable."""
        if not isinstance(variable, str) or variable not in self.variables:
            raise UnknownNameError("variable", str(variable), self.variables)
        return self.variables.index(variable)

    def _settings(self, given: ReadSettings | None) -> ReadSettings:
        """How new rows and evidence are read: as given, or as the data of the model were."""
        if given is not None:
            return given
        return ReadSettings() if self.reading is None else self.reading.restore({})

    def _refuse_unless_causal(self) -> None:
        if self.not_causal is not None:
            raise GraphError(self.not_causal)
