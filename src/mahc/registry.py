"""Registries of named plug-ins: scores, algorithms, formats, noises, measures, discretisation rules."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from mahc.errors import UnknownNameError

T = TypeVar("T")


class Registry(Generic[T]):
    """Named plug-ins of one kind; each registers itself with a decorator in its own file.

    >>> SHAPES: Registry[type] = Registry("shape")
    >>> @SHAPES.register("square")
    ... class Square: ...
    >>> SHAPES.names()
    ['square']
    >>> SHAPES["square"] is Square
    True
    """

    def __init__(self, kind: str, package: str | None = None) -> None:
        """`package` is the package whose import registers the plug-ins; it is imported at the first look-up."""
        self.kind = kind
        self._package = package
        self._entries: dict[str, T] = {}
        self._expected: dict[str, str] = {}
        self._aliases: dict[str, str] = {}

    def expect(self, name: str, module: str) -> None:
        """Declare `name` without loading it: importing `module`, at the first look-up, registers it."""
        self._expected[name] = module

    def alias(self, name: str, target: str) -> None:
        """Let `name` stand for the plug-in `target` in look-ups; lists of names do not have it."""
        self._aliases[name] = target

    def register(self, name: str) -> Callable[[T], T]:
        """Register the decorated plug-in as `name`; each name once."""
        if name in self._entries:
            raise ValueError(f"{self.kind} '{name}' is already registered")

        def add(entry: T) -> T:
            self._entries[name] = entry
            return entry

        return add

    def _load(self) -> None:
        package, self._package = self._package, None
        if package is not None:
            importlib.import_module(package)

    def __getitem__(self, name: str) -> T:
        self._load()
        name = self._aliases.get(name, name)
        if name not in self._entries and name in self._expected:
            importlib.import_module(self._expected[name])
        try:
            return self._entries[name]
        except KeyError:
            raise UnknownNameError(self.kind, name, [*self.names(), *self._aliases]) from None

    def __contains__(self, name: object) -> bool:
        self._load()
        return name in self._entries or name in self._expected or name in self._aliases

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def names(self) -> list[str]:
        """The names, sorted."""
        self._load()
        return sorted(self._entries.keys() | self._expected.keys())
