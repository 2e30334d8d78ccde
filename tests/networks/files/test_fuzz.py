"""Mutated network files: they are read or refused, never a crash, a hang or a flood of memory."""

from __future__ import annotations

import tracemalloc
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mahc.errors import FormatError
from mahc.networks import Network, load_network
from mahc.networks.files.network_files import FORMATS, NetworkFormat, unpack, zip_bytes

DSC = """belief network "x"
node a { type : discrete [ 2 ] = { "x", "y" }; }
node b { type : discrete [ 2 ] = { "x", "y" }; }
probability ( a ) { 0.5, 0.5; }
probability ( b | a ) { (0) : 0.5, 0.5; (1) : 0.25, 0.75; }
"""
INSERTS = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "|",
    '"',
    "/*",
    "//",
    "<",
    ">",
    "&",
    "\0",
    "\n",
    "é",
    "\ud7ff",
]
INSERTS += [
    "1e999",
    "-1",
    "nan",
    "NaN",
    "9" * 30,
    "null",
    "true",
    "[[]]",
    "table",
    "default",
    "node",
    "\\",
    "%",
]


def text_of(kind: NetworkFormat) -> str:
    return DSC if kind.render is None else kind.render(load_network("cancer"))


@st.composite
def mutants(draw: st.DrawFn, text: str) -> str:
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 12)))
        piece = draw(
            st.one_of(
                st.just(""),
                st.sampled_from(INSERTS),
                st.just(text[start:stop] * 2),
                st.text(max_size=4),
                st.just(text[-start : -start + 40 or None]),
            )
        )
        text = text[:start] + piece + text[stop:]
    return text


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.title)
@settings(max_examples=120, deadline=timedelta(seconds=2), suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_mutated_file_is_read_or_refused(kind: NetworkFormat, data: st.DataObject) -> None:
    text = data.draw(mutants(text_of(kind)))
    try:
        assert isinstance(kind.parse(text, "mutant"), Network)
    except FormatError as refusal:
        assert "mutant" in str(refusal)  # noqa: PT017


@settings(max_examples=100, deadline=timedelta(seconds=2))
@given(st.binary(max_size=60), st.integers(0, 400), st.booleans())
def test_mutated_bytes_are_unpacked_or_refused(noise: bytes, place: int, zipped: bool) -> None:
    content = text_of(FORMATS[0]).encode()
    packed = zip_bytes(content) if zipped else content
    place = min(place, len(packed))
    try:
        unpack(packed[:place] + noise + packed[place + len(noise) :], "mutant")
    except FormatError as refusal:
        assert "mutant" in str(refusal)  # noqa: PT017


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("BIF", "/* " * 200_000),
        ("BIF", '"' * 50_001),
        ("BIF", "variable x { " * 6_000),
        ("JSON", '{"a":' * 200_000),
        ("JSON", "[1," * 200_000),
        ("DSL", "net x { " + "a = { " * 10_000),
        ("XMLBIF", "<BIF>" * 100_000),
        ("NET", "potential ( x | " + "y " * 20_000),
        ("UAI", "BAYES 3000 " + "60000 " * 3_000),
    ],
)
def test_a_file_made_to_hang_or_to_fill_the_memory_does_neither(title: str, text: str) -> None:
    kind = next(kind for kind in FORMATS if kind.title == title)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError):
            kind.parse(text, "bad")
        assert tracemalloc.get_traced_memory()[1] < 400_000_000
    finally:
        tracemalloc.stop()
