"""Data in: whole, coded and immutable, or refused with one sentence."""

from mahc.data.dataset import Dataset
from mahc.data.prepare.audit import Audit, Verdict
from mahc.data.prepare.decisions import Decision, Problem
from mahc.data.reading import audit, read, read_with
from mahc.data.settings import ReadSettings

__all__ = ["Audit", "Dataset", "Decision", "Problem", "ReadSettings", "Verdict", "audit", "read", "read_with"]
