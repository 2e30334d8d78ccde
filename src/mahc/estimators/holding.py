"""Parameters as scikit-learn holds them: kept as given by the constructor, read and changed by name."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

from mahc.errors import UnknownSettingError

Self = TypeVar("Self", bound="ParameterHolder")


class ParameterHolder:
    """The base of estimators: their parameters are those of the constructor."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name.

        Parameters
        ----------
        deep : bool
            Not used: no parameter has parameters of its own.

        Returns
        -------
        dict
            The parameters.

        Examples
        --------
        >>> import mahc
        >>> mahc.HC(search_in_degree=3).get_params()["search_in_degree"]
        3
        """
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Change parameters; an unknown one is refused.

        Parameters
        ----------
        **params
            The parameters to change.

        Returns
        -------
        ParameterHolder
            This estimator.

        Examples
        --------
        >>> import mahc
        >>> mahc.HC().set_params(search_in_degree=3)
        HC(search_in_degree=3)
        """
        for name, value in params.items():
            if name not in self._names():
                raise UnknownSettingError(type(self).__name__, name, self._names())
            setattr(self, name, value)
        return self

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        given = [f"{n}={v!r}" for n, v in self.get_params().items() if not _same(v, defaults[n].default)]
        return f"{type(self).__name__}({', '.join(given)})"


def _same(value: object, default: object) -> bool:
    return value is default or (type(value) is type(default) and value == default)
