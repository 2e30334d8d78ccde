"""Reading a JSON file that mahc wrote, with a refusal in one sentence where it is something else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mahc.errors import FormatError
from mahc.files import read_bounded_text, to_path

MAX_BYTES = 2**30


def read_json(path: str | Path, expected: str) -> Any:
    """The content of the file; `expected` ends the sentence of a FormatError, and says what to give instead."""
    try:
        return json.loads(read_bounded_text(to_path(path), MAX_BYTES), parse_constant=_refuse_constant)
    except FileNotFoundError:
        raise FormatError(f"there is no such file: {expected}", path) from None
    except OSError as problem:
        raise FormatError(f"cannot be read ({problem.strerror or problem}): {expected}", path) from None
    except json.JSONDecodeError as problem:
        raise FormatError(f"is not JSON: {expected}", path, problem.lineno) from None
    except (ValueError, RecursionError):
        raise FormatError(f"is not JSON: {expected}", path) from None


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
