"""The parts of a picture, for tests."""

from __future__ import annotations

from xml.etree import ElementTree

SPACE = "{http://www.w3.org/2000/svg}"


def edge_groups(picture):
    """Tooltip -> the drawn edge."""
    root = ElementTree.fromstring(picture)
    legend = [group for group in root.iter(SPACE + "g") if group.get("class") == "legend"]
    inside = {id(element) for part in legend for element in part.iter()}
    return {
        group.find(SPACE + "title").text: group
        for group in root.iter(SPACE + "g")
        if group.find(SPACE + "path") is not None and id(group) not in inside
    }


def texts(picture):
    return [text.text for text in ElementTree.fromstring(picture).iter(SPACE + "text")]
