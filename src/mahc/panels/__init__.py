"""Panels: subjects seen at several times, learned as a network of time slices."""

from mahc.panels.learning import PanelValidation, learn_panel, validate_panel
from mahc.panels.network import PanelNetwork
from mahc.panels.slices import Panel, read_panel

__all__ = ["Panel", "PanelNetwork", "PanelValidation", "learn_panel", "read_panel", "validate_panel"]
