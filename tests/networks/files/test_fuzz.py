"""Mutated network files: they are read or refused, never a crash, a hang or a flood of memory."""

from __future__ import annotations

import tracemalloc
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mahc.errors import FormatError
from mahc.networks import Network, load_network
from mahc.networks.files import NETWORK_FORMATS, NetworkFormat
from mahc.networks.files.gzip_text import compress, decode_text

pytestmark = pytest.mark.long

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
    return kind.render(load_network("cancer")) if kind.writable else DSC


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


@pytest.mark.parametrize("name", NETWORK_FORMATS.names())
@settings(max_examples=120, deadline=timedelta(seconds=2), suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_mutated_file_is_read_or_refused(name: str, data: st.DataObject) -> None:
    kind = NETWORK_FORMATS[name]()
    text = data.draw(mutants(text_of(kind)))
    try:
        assert isinstance(kind.parse(text, "mutant"), Network)
    except FormatError as refusal:
        assert "mutant" in str(refusal)  # noqa: PT017


@settings(max_examples=100, deadline=timedelta(seconds=2))
@given(st.binary(max_size=60), st.integers(0, 400), st.booleans())
def test_mutated_bytes_are_unpacked_or_refused(noise: bytes, place: int, zipped: bool) -> None:
    content = text_of(NETWORK_FORMATS["json"]()).encode()
    packed = compress(content) if zipped else content
    place = min(place, len(packed))
    try:
        decode_text(packed[:place] + noise + packed[place + len(noise) :], "mutant")
    except FormatError as refusal:
        assert "mutant" in str(refusal)  # noqa: PT017


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bif", "/* " * 200_000),
        ("bif", '"' * 50_001),
        ("bif", "variable x { " * 6_000),
        ("json", '{"a":' * 200_000),
        ("json", "[1," * 200_000),
        ("dsl", "net x { " + "a = { " * 10_000),
        ("xmlbif", "<BIF>" * 100_000),
        ("net", "potential ( x | " + "y " * 20_000),
        ("uai", "BAYES 3000 " + "60000 " * 3_000),
    ],
)
def test_a_file_made_to_hang_or_to_fill_the_memory_does_neither(name: str, text: str) -> None:
    kind = NETWORK_FORMATS[name]()
    tracemalloc.start()
    try:
        with pytest.raises(FormatError):
            kind.parse(text, "bad")
        assert tracemalloc.get_traced_memory()[1] < 400_000_000
    finally:
        tracemalloc.stop()
