"""`mahc.combine`: the mean of several distributions over graphs."""

from __future__ import annotations

import math

from msgspec.structs import replace

from mahc.errors import DataError, SettingError
from mahc.graphs.edge_counts import EdgeCounts
from mahc.results.graph_sample import GraphSample, SamplePart, order_members


def combine(*samples: GraphSample) -> GraphSample:
    """Make the mean of samples of the same data; each counts the same, however many graphs it has.

    A bootstrap shows how much the graph depends on the rows, a posterior how much the rows leave open. The mean of both
    was measured to be better calibrated than either on clean data (docs/explanation/posterior.md).

    Parameters
    ----------
    *samples : GraphSample
        Two or more: bootstraps, posteriors, means.

    Returns
    -------
    GraphSample
        The mean. Its graphs (`members`) are there where all samples have theirs. Its run is that of the first, with
        the seconds of all.

    Raises
    ------
    MahcError
        Where there are fewer than two, or they are of other data or other kinds of graphs.

    Examples
    --------
    >>> import mahc
    >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90, "day": ["a", "a", "b"] * 60}
    >>> both = mahc.combine(mahc.posterior(columns, samples=60), mahc.bootstrap(columns, "boss", resamples=20))
    >>> both.edge("rain", "wet"), both.describe()  # doctest: +ELLIPSIS
    (1.0, 'the mean of 2 samples: (1) 60 sampled graphs ...; (2) 20 resamples (bootstrap, seed 1)')
    """
    if len(samples) < 2 or not all(isinstance(each, GraphSample) for each in samples):
        raise SettingError("a mean needs two samples or more: give what mahc.posterior and mahc.bootstrap returned")
    first = samples[0]
    for each in samples[1:]:
        if each.data.fingerprint != first.data.fingerprint:
            raise DataError("the samples are of other data: combine samples of the same data")
        if each.kind != first.kind:
            raise DataError(f"one sample has {first.kind}s and another {each.kind}s: combine samples of the same kind")
        if each.run.knowledge != first.run.knowledge:
            raise DataError("the samples were made with other knowledge: combine samples with the same knowledge")
    common = math.lcm(*(each.size for each in samples))
    graphs, patterns = EdgeCounts(first.variables), EdgeCounts(first.variables)
    members: dict[tuple[tuple[int, int], ...], int] = {}
    for each in samples:
        times = common // each.size
        graphs.merge(each.edge_counts.repeated(times))
        patterns.merge(each.pattern_counts.repeated(times))
        for member, dag in zip(each.members, each.dags, strict=True):
            arcs = first.numbered(dag)
            members[arcs] = members.get(arcs, 0) + times * member.weight
    early = next((each.stop_reason for each in samples if each.stop_reason.early), first.stop_reason)
    seconds = sum(each.run.seconds for each in samples)
    complete = sum(members.values()) == graphs.graphs
    return replace(
        first,
        run=replace(first.run, stop_reason=early, seconds=seconds),
        origin="combined",
        requested=graphs.graphs,
        size=graphs.graphs,
        graphs=graphs.counts,
        patterns=patterns.counts,
        members=order_members(members) if complete else (),
        diagnostics={},
        sampling=None,
        parts=tuple(SamplePart(round(each.trials), each.source, each.describe()) for each in samples),
    )
