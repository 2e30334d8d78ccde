"""Reading data: from any source to an immutable, coded data set, or an error."""

from mahc.data.columns import Continuous, Discrete, Interventions, Kind
from mahc.data.dataset import Dataset
from mahc.data.prepare.audit import Audit, ColumnReport
from mahc.data.prepare.notes import Note, Problem
from mahc.data.prepare.suggestions import Fix, group_fixes
from mahc.data.reading import audit, read, read_rows, read_with, suggest_settings
from mahc.data.settings import ReadSettings

__all__ = [
    "Audit",
    "ColumnReport",
    "Continuous",
    "Dataset",
    "Discrete",
    "Fix",
    "Interventions",
    "Kind",
    "Note",
    "Problem",
    "ReadSettings",
    "audit",
    "group_fixes",
    "read",
    "read_rows",
    "read_with",
    "suggest_settings",
]
