"""`mahc experiment report`: from a store to the folder of its report."""

from __future__ import annotations

from pathlib import Path

import typer

from mahc.errors import MahcError
from mahc.experiment.facts import ContestantFacts, StoreFacts
from mahc.experiment.paper_numbers import learning_classes
from mahc.experiment.report import Contestant, NetworkFacts, Outline, Results, write_report
from mahc.experiment.report.wording import completeness, failures
from mahc.experiment.store import read_facts, read_rows
from mahc.networks.library import find_network


def report(store: Path, out: Path) -> None:
    """Write the tables and figures of the paper for the rows of this store, the paper's own numbers beside them."""
    results = Results(read_rows(store), outline_of(read_facts(store)))
    write_report(results, out)
    typer.echo(f"{completeness(results)} {failures(results)}")
    typer.echo(f"Report: {out / 'index.html'}")


def outline_of(facts: StoreFacts) -> Outline:
    """What the report expects, in the order of the plan."""
    return Outline(
        facts.plan_name,
        tuple(map(_contestant, facts.contestants)),
        facts.cases,
        facts.data,
        facts.sizes,
        facts.seeds,
        tuple((case, known) for case in facts.cases if (known := _network(case)) is not None),
        facts.seconds_limit,
    )


def _contestant(facts: ContestantFacts) -> Contestant:
    named = Contestant.named(facts.label)
    paper_name = facts.paper_name or named.paper_name
    # The paper's own word for the class, so that the classes of Figure 3 are the paper's.
    learning_class = learning_classes().get(paper_name, facts.learning_class)
    return Contestant(facts.label, paper_name, learning_class, facts.settings_text, facts.version)


def _network(case: str) -> NetworkFacts | None:
    try:
        network = find_network(case)
    except MahcError:
        return None  # a case of the user's own that is not at hand now: its rows say what they can
    parents = [len(variable) for variable in network.dag.parent_sets]
    return NetworkFacts(len(parents), sum(parents), max(parents, default=0), network.free_parameters)
