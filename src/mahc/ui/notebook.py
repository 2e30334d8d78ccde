"""`learned.view()`: the page in a notebook, as a widget where anywidget is installed, otherwise the picture."""

from __future__ import annotations

import json
from typing import Any

from mahc.graphs.pictures import PICTURES
from mahc.opening import open_again
from mahc.results.learned import PAGES, Learned
from mahc.ui.bundle import bundle, read_static
from mahc.ui.document import make_document
from mahc.ui.report import require_same_data


class Picture:
    """The graph as SVG, for notebooks without the extra `notebook`."""

    def __init__(self, svg: str, note: str) -> None:
        self.svg = svg
        self.note = note

    def _repr_html_(self) -> str:
        return f"<div>{self.svg}<p>{self.note}</p></div>"

    def __repr__(self) -> str:
        return self.note


@PAGES.register("view")
def make_view(learned: Learned, data: object = None) -> Any:
    """The widget of a result, or its picture where anywidget is not installed."""
    try:
        import anywidget  # noqa: F401
    except ImportError:
        note = "For the interactive view install the extra: pip install 'mahc[notebook]'"
        return Picture(PICTURES["svg_or_note"](learned.graph) or "", note)
    dataset = None if data is None else open_again(data, learned.data.reading)
    if dataset is not None:
        require_same_data(learned, dataset)
    return widget_class()(document=json.dumps(make_document(learned, dataset), allow_nan=False))


def widget_class() -> Any:
    """The class of the widget; made when first used, because anywidget is an extra."""
    import anywidget
    import traitlets

    class View(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        """The interactive view of one result."""

        _esm = bundle("widget.js") + "export default { render: entry.render };\n"
        _css = read_static("style.css")
        document = traitlets.Unicode("{}").tag(sync=True)

    return View
