"""Write docs/reference/schemas.md: the JSON Schema of every document, from its declaration.

`tools/build_site.py` calls this; the page is not kept in the repository.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mahc.documents import make_schema
from mahc.inference.mixed.model import MIXED_MODEL, SavedMixedModel
from mahc.inference.model_json import MODEL, SavedModel
from mahc.knowledge.knowledge import Knowledge
from mahc.results.files import RESULT, Derived
from mahc.results.graph_sample import SAMPLE, GraphSample
from mahc.results.outcomes import Outcome
from mahc.results.records import DataRecord, RunRecord
from mahc.ui.server.messages import ANSWERS, REQUESTS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "schemas.md"
INTRODUCTION = """\
# JSON Schemas

`tools/make_schema_page.py` makes these schemas from the declarations that also read and write the documents. Fields may
be added; a field that changes its meaning changes `format_version`, and a file of another version is refused.
"""


def list_documents() -> dict[str, dict[str, Any]]:
    """Title -> schema of every document."""
    found = {
        f"result.json (`{RESULT.name}`, version {RESULT.version})": make_schema(
            RunRecord, DataRecord, Outcome, Derived, format=RESULT
        ),
        f"confidence.json, and `confidence` of result.json (`{SAMPLE.name}`, version {SAMPLE.version})": make_schema(
            RunRecord, GraphSample, format=SAMPLE, flat="run"
        ),
        f"A model (`{MODEL.name}`, version {MODEL.version})": make_schema(SavedModel, format=MODEL),
        f"A model with numbers (`{MIXED_MODEL.name}`, version {MIXED_MODEL.version})": make_schema(
            SavedMixedModel, format=MIXED_MODEL
        ),
        "Knowledge": make_schema(Knowledge),
    }
    for kind in (*REQUESTS, *ANSWERS):
        found[f"{kind.__name__}: {(kind.__doc__ or '').strip().splitlines()[0]}"] = make_schema(kind)
    return found


def write_page() -> int:
    """Write the page; return the number of schemas."""
    sections = [
        f"## {title}\n\n```json\n{json.dumps(each, indent=2)}\n```\n" for title, each in list_documents().items()
    ]
    PAGE.write_text("\n".join([INTRODUCTION, *sections]), encoding="utf-8", newline="\n")
    return len(sections)


if __name__ == "__main__":
    print(f"{write_page()} schemas in {PAGE}")
