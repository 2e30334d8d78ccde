"""Codes of short texts straight from polars' memory: a text of up to 12 bytes is two machine words.

Polars lends its columns through the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html).
Each text is a view of 16 bytes: its length, and up to 12 bytes of it in place. To number such pairs of words takes a
fraction of the time of hashing texts.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import code_type
from mahc.data.sources.field_codes import Words

if TYPE_CHECKING:
    import polars as pl

VIEW_BYTES = 16
IN_PLACE = 12  # bytes of a text that a view holds itself
MANY = 1024  # distinct texts: beyond, the table would not stay in the processor's cache
BLOCK = 1 << 14  # rows whose words stay in the processor's cache
FIRST_LOOK = 1 << 10  # most columns show all their texts in the first rows
ATTEMPTS = 64
_SHORT_TAIL = np.uint64(24)  # bits of the second word of a text of seven bytes
_MIXER = np.uint64(0xD6E8FEB86659FD93)
_LENGTH = np.uint64(0xFFFFFFFF)
_NULL = np.uint64(0xFFFFFFFFFFFFFFFF)  # no view that is in place begins so
_VIEWS_OF_TEXT = b"vu"


class _Schema(ctypes.Structure):
    _fields_ = (
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_void_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


class _Array(ctypes.Structure):
    _fields_ = (
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.POINTER(ctypes.c_void_p)),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


class _Stream(ctypes.Structure):
    _fields_ = (
        ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Schema))),
        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Array))),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def code_short_texts(series: pl.Series) -> tuple[list[str], NDArray[np.unsignedinteger]] | None:
    """The sorted texts of a column and their codes, where none is long and they are not many; otherwise None.

    A missing value has the code after the last text.

    >>> import polars as pl
    >>> texts, codes = code_short_texts(pl.Series(["yes", None, "no", "yes"]))
    >>> texts, codes.tolist()
    (['no', 'yes'], [1, 2, 0, 1])
    >>> code_short_texts(pl.Series(["a text that is too long"])) is None
    True
    """
    coder = _Coder()
    parts = []
    for words in _words(series):
        part = None if words is None else coder.code(words)
        if part is None:
            return None
        parts.append(part)
    if sum(map(len, parts)) != len(series):
        return None
    labels = coder.labels()
    texts = sorted(text for text in labels if text is not None)
    rank = {text: code for code, text in enumerate(texts)}
    table = np.array([len(texts) if text is None else rank[text] for text in labels], code_type(len(texts) + 1))
    codes: NDArray[np.unsignedinteger] = table[np.concatenate([np.zeros(0, np.uint16), *parts])]
    return texts, codes


class _Coder:
    """Numbers pairs of words, block by block.

    A pair is made one word, without loss while no text has more than seven bytes. The word has a slot of its own in a
    small table, found by multiplication and shift. Whether the slot has the pair sought is always checked, so that the
    numbers are exact.
    """

    def __init__(self) -> None:
        self._views = np.zeros((0, 2), np.uint64)  # the pair of each number
        self._keys = np.zeros(0, np.uint64)
        self._short = True
        self._table, self._multiplier, self._shift = np.zeros(1, np.uint16), np.uint64(1), np.uint64(63)

    def code(self, views: Words) -> NDArray[np.unsignedinteger] | None:
        """A number for each view; None where there are too many to be fast."""
        parts = [self._code(views[begin : begin + BLOCK]) for begin in range(0, len(views), BLOCK)]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        return np.concatenate(known) if known else np.zeros(0, np.uint16)

    def labels(self) -> list[str | None]:
        """The text of each number; None for missing values."""
        return [_text(head, tail) for head, tail in self._views.tolist()]

    def _code(self, views: Words) -> NDArray[np.unsignedinteger] | None:
        heads, tails = views[:, 0], views[:, 1]
        if self._short and (tails >> _SHORT_TAIL).any():
            self._start_again_mixed()
        keys = heads ^ (tails << np.uint64(8) if self._short else tails * _MIXER)
        if not len(self._keys) and not self._learn(keys[:FIRST_LOOK], views):
            return None
        while True:
            slots = (keys * self._multiplier) >> self._shift
            found = self._table.take(slots.view(np.int64), mode="clip")
            unknown = self._keys.take(found, mode="clip") != keys
            if not unknown.any():
                # An odd factor can be undone: where the keys and the heads are the same, so are the tails.
                same = self._short or bool((self._views[:, 0].take(found, mode="clip") == heads).all())
                return found if same else None
            rows = np.flatnonzero(unknown)
            if not self._learn(keys[rows], views[rows]):
                return None

    def _start_again_mixed(self) -> None:
        """From now on texts have more than seven bytes: the keys of the known ones are made as theirs will be."""
        self._short = False
        self._keys = self._views[:, 0] ^ (self._views[:, 1] * _MIXER)
        self._place()

    def _learn(self, keys: Words, views: Words) -> bool:
        """Give new keys numbers; False where there are too many."""
        fresh, first = np.unique(keys, return_index=True)
        self._keys = np.concatenate([self._keys, fresh])
        self._views = np.concatenate([self._views, views[first]])
        return len(self._keys) <= MANY and self._place()

    def _place(self) -> bool:
        """Find a multiplier that gives each key a slot of its own."""
        if not len(self._keys):
            return True
        bits = max(4, 2 * (len(self._keys) - 1).bit_length())  # so many slots that most multipliers have no collision
        self._shift = np.uint64(64 - bits)
        for attempt in range(ATTEMPTS):
            self._multiplier = mix_word(attempt) | np.uint64(1)
            slots = (self._keys * self._multiplier) >> self._shift
            if len(np.unique(slots)) == len(slots):
                self._table = np.zeros(1 << bits, np.uint8 if len(self._keys) <= 256 else np.uint16)
                self._table[slots.view(np.intp)] = np.arange(len(self._keys))
                return True
        return False


def mix_word(number: int) -> np.uint64:
    """A fixed word for each number, with its bits in no order.

    >>> bool(mix_word(0) == mix_word(1))
    False
    """
    with np.errstate(over="ignore"):
        mixed = np.uint64(number + 1) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        return np.uint64(mixed ^ (mixed >> np.uint64(27)))


def _text(head: int, tail: int) -> str | None:
    if head == int(_NULL):
        return None
    raw = struct.pack("<QQ", head, tail)
    return raw[4 : 4 + (head & 0xFFFFFFFF)].decode("utf-8")


def _words(series: pl.Series) -> Iterator[Words | None]:
    """The views of each chunk as pairs of words, missing values marked; None where a text is not in its view."""
    lent: Any = series.__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = pointer(lent, b"arrow_array_stream")
    stream = _Stream.from_address(address)
    schema = _Schema()
    if stream.get_schema(address, ctypes.byref(schema)):
        yield None
        return
    known = schema.format == _VIEWS_OF_TEXT
    _RELEASE(schema.release)(ctypes.addressof(schema))
    while known:
        array = _Array()
        if stream.get_next(address, ctypes.byref(array)):
            yield None
            return
        if not array.release:  # the end
            return
        try:
            yield _chunk(array)
        finally:
            _RELEASE(array.release)(ctypes.addressof(array))
    yield None


def _chunk(array: _Array) -> Words | None:
    rows, begin = array.length, array.offset
    if not rows:
        return np.zeros((0, 2), np.uint64)
    raw = (ctypes.c_uint8 * (rows * VIEW_BYTES)).from_address(array.buffers[1] + begin * VIEW_BYTES)
    views = np.frombuffer(raw, "<u8").reshape(rows, 2)
    if array.null_count and array.buffers[0]:
        bits = (ctypes.c_uint8 * ((begin + rows + 7) // 8)).from_address(array.buffers[0])
        valid = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")[begin : begin + rows].astype(np.bool_)
        views = np.where(valid[:, None], views, np.array([_NULL, 0], np.uint64))
    lengths = views[:, 0] & _LENGTH
    if ((lengths > IN_PLACE) & (views[:, 0] != _NULL)).any():
        return None
    return views
