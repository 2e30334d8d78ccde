"""Reading data: from any source to an immutable, coded data set, or an error."""

from mahc.data.dataset import Dataset
from mahc.data.prepare.audit import Audit, ColumnReport
from mahc.data.prepare.notes import Note, Problem
from mahc.data.reading import audit, read, read_with
from mahc.data.settings import ReadSettings

__all__ = ["Audit", "Dataset", "Note", "Problem", "ReadSettings", "ColumnReport", "audit", "read", "read_with"]
