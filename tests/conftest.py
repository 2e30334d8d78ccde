"""What all tests share: how hard hypothesis tries, and where the project's shared folder is."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "mahc",
    deadline=None,  # a shared machine may be slow; nothing here is a timed test
    max_examples=int(os.environ.get("MAHC_TEST_EXAMPLES", "60")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("mahc")
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as a shell starts what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def shared() -> Path:
    """The folder with the paper's data; tests that need it skip where it is not."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("the project's ../shared folder is not here")
    return folder
