"""Dask and Spark: who runs the passes where the data are a cluster's, or a cluster is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mahc.cluster.choosing import package_of
from mahc.cluster.columns import column_names
from mahc.cluster.meter import PassProgress
from mahc.cluster.pass_log import log_passes
from mahc.cluster.pieces import find_pieces
from mahc.cluster.runner import Runner
from mahc.data.settings import ReadSettings
from mahc.errors import InvalidSettingError, MahcError, Mention, Message, choices


def make_runner(
    on: object,
    data: Any,
    progress: Callable[[PassProgress], None] | None = None,
    settings: ReadSettings | None = None,
    *,
    ordered: bool = False,
) -> tuple[Runner, list[str]]:
    """The runner of an engine, and the names of the columns.

    `on` is a `distributed.Client`, a Spark session, an address (dask://host:8786, spark://host:7077,
    spark://local[2]), a Runner, or None if the data are a data frame of the engine. With `ordered`, pieces of files are
    in the order of the files.
    """
    if package_of(data) == "dask":
        from mahc.cluster.dask_runner import connect_dask, frame_pieces

        client = connect_dask(on)
        return _dask(client, frame_pieces(data, client), on, progress), [str(name) for name in data.columns]
    if package_of(data) == "pyspark":
        from mahc.cluster.spark_runner import SparkRunner

        return SparkRunner(data, progress), [str(name) for name in data.columns]
    if package_of(on) == "distributed" or str(on).startswith(("dask://", "tcp://", "tls://")):
        from mahc.cluster.dask_runner import connect_dask

        pieces = find_pieces(data, settings)
        column_names(pieces, settings or ReadSettings())
        runner = _dask(connect_dask(on), pieces, on, progress)
        return log_passes(runner, sum(piece.size for piece in pieces)), list(pieces[0].column_types())
    if package_of(on) == "pyspark" or str(on).startswith("spark://"):
        from mahc.cluster.spark_runner import SparkRunner, frame_of_pieces, open_with_spark

        opened, found = open_with_spark(on, data, settings or ReadSettings(), ordered=ordered)
        if found is None:
            return SparkRunner(opened, progress), [str(name) for name in opened.columns]
        _, every = column_names(found, settings or ReadSettings())
        own = SparkRunner(frame_of_pieces(opened, found), progress, found)
        return log_passes(own, sum(piece.size for piece in found)), every
    if isinstance(on, str):
        raise refuse_address(on)
    raise MahcError(
        Mention("on"), f" is a {type(on).__name__}: give a distributed.Client, a Spark session or an address"
    )


def refuse_address(on: str) -> InvalidSettingError:
    """The refusal of a text that is no address of a cluster."""
    return InvalidSettingError("on", on, Message("give ", choices(("dask://host:8786", "spark://host:7077"), " or ")))


def _dask(client: Any, pieces: Any, on: object, progress: Callable[[PassProgress], None] | None) -> Runner:
    from mahc.cluster.dask_runner import DaskRunner

    return DaskRunner(client, pieces, owned=isinstance(on, str), progress=progress)


def need(package: str, extra: str) -> None:
    """Refuse in one sentence where an extra is not installed."""
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise MahcError(f"{package} is not installed: pip install 'mahc[{extra}]'")
