"""Discretisation of real numbers, one file per rule.

A new rule is a file here with a registered class, and its name in the first import.
"""

from __future__ import annotations

from mahc.data.prepare.discretise import equal_width, quantile  # noqa: F401
from mahc.data.prepare.discretise.interval_labels import interval_labels
from mahc.data.prepare.discretise.parsing import parse_rule
from mahc.data.prepare.discretise.rule import RULES, Rule

__all__ = ["RULES", "Rule", "interval_labels", "parse_rule"]
