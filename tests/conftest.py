"""What all tests share: how hard hypothesis tries, how many processes a run takes, and the project's shared folder."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SHARED = Path(__file__).resolve().parents[2] / "shared"

settings.register_profile(
    "mahc",
    deadline=None,  # a shared machine may be slow; nothing here is a timed test
    max_examples=int(os.environ.get("MAHC_TEST_EXAMPLES", "8")),
    derandomize="MAHC_TEST_RANDOM" not in os.environ,  # the same cases in every run, unless new ones are asked for
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("mahc")
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as a shell starts what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


def names_tests(config: pytest.Config) -> bool:
    """Whether the command names files or folders; without any, the whole suite is meant."""
    return config.args_source == pytest.Config.ArgsSource.ARGS


def pytest_configure(config: pytest.Config) -> None:
    """Leave tests that are long, in a browser or on a cluster out of the whole suite, unless `-m` asks for some."""
    if not names_tests(config) and not config.option.markexpr:
        config.option.markexpr = "not long and not browser and not cluster"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """All cores for the whole suite; this process alone where files or folders are named."""
    if names_tests(config):
        return 0
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what is marked `shared` where the shared folder is not."""
    if SHARED.is_dir():
        return
    for item in items:
        if item.get_closest_marker("shared") is not None:
            item.add_marker(pytest.mark.skip(reason="the project's ../shared folder is not here"))


@pytest.fixture
def shared() -> Path:
    """The folder with the paper's data, for tests marked `shared`."""
    return SHARED
