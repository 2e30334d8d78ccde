"""What the two XML formats share: parsing without entities, text, tables."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import NoReturn

import numpy as np

from mahc.errors import FormatError
from mahc.networks.files.network_format import NetworkBuilder
from mahc.plurals import count


def parse_root(text: str, tag: str, file: object) -> ET.Element:
    """The root element, which must have this tag; entities are refused before parsing."""
    if "<!ENTITY" in text:
        raise FormatError("the file declares XML entities, which are not supported: remove them", file)
    try:
        root = ET.fromstring(text)
    except ET.ParseError as mistake:
        raise FormatError(f"this is not XML: {mistake.msg}", file, mistake.position[0]) from None
    except ValueError as mistake:  # an encoding that Python does not know, a null character
        raise FormatError(f"this is not XML: {mistake}", file) from None
    if root.tag != tag:
        raise FormatError(f"the first element is <{root.tag}> where <{tag}> is needed", file)
    return root


def text_of(element: ET.Element, tag: str, what: str, file: object) -> str:
    """The text of the one child with this tag."""
    found = element.find(tag)
    if found is None or not (found.text or "").strip():
        _refuse(f"{what} has no <{tag}>", file)
    return (found.text or "").strip()


def fill_table(builder: NetworkBuilder, name: str, parents: list[str], text: str) -> None:
    """Set a table from its numbers, row by row, the last parent fastest."""
    table = builder.blank_table(name, parents)
    words = text.split()
    if len(words) != table.size:
        _refuse(
            f"the table of '{name}' has {count(len(words), 'probability')}, not {table.size}",
            builder.file,
        )
    try:
        numbers = np.array([float(word) for word in words])
    except ValueError as mistake:
        _refuse(f"the table of '{name}' holds a value that is not a number: {mistake}", builder.file)
    builder.set_table(name, parents, numbers.reshape(table.shape))


def _refuse(sentence: str, file: object) -> NoReturn:
    raise FormatError(sentence, file)
