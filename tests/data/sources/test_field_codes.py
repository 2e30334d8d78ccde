"""Coding fields by machine words is exact: checked against a dictionary."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mahc.data.sources.field_codes import FieldCoder, Fields, padded, word_view

# Prefixes of each other, and lengths around the borders of words.
field = st.one_of(
    st.binary(max_size=30).map(lambda data: data.replace(b"\0", b"\1")),
    st.integers(0, 40).map(lambda length: b"x" * length),
    st.sampled_from([b"", b"exactly8", b"exactly8exactly8", b"exactly8exactly9", b"yes", b"no"]),
)


def fields(texts: list[bytes]) -> Fields:
    data = padded(b",".join(texts))
    lengths = np.array([len(text) for text in texts], dtype=np.intp)
    starts = np.concatenate([[0], np.cumsum(lengths + 1)[:-1]]).astype(np.intp)
    return Fields(data, word_view(data), starts, starts + lengths)


@given(st.lists(st.lists(field, min_size=1, max_size=30), min_size=1, max_size=4))
def test_equal_codes_mean_equal_bytes_across_blocks(blocks: list[list[bytes]]) -> None:
    coder = FieldCoder()
    for texts in blocks:
        codes = coder.code(fields(texts))
        assert [coder.labels[code] for code in codes.tolist()] == texts
    assert len(set(coder.labels.values())) == len(coder.labels)


def test_many_values_are_told_apart() -> None:
    texts = [f"value number {n}".encode() for n in range(20_000)]
    coder = FieldCoder()
    assert len(set(coder.code(fields(texts)).tolist())) == 20_000
    again = coder.code(fields(texts[::-1]))
    assert [coder.labels[code] for code in again.tolist()] == texts[::-1]
