"""`mahc experiment report`: from a store to the folder of its report."""

from __future__ import annotations

from pathlib import Path

from mahc.cli.printing import say
from mahc.experiment.facts import ContestantFacts, StoreFacts
from mahc.experiment.store import read_store
from mahc.paper import Contestant, NetworkFacts, Outline, Results, write_report
from mahc.paper.numbers import learning_classes
from mahc.paper.wording import completeness, failures


def report(store: Path, out: Path) -> None:
    """Write the tables and figures of the paper for the rows of this store, the paper's own numbers beside them."""
    facts, rows = read_store(store)
    results = Results(rows, outline_of(facts))
    write_report(results, out)
    say(f"{completeness(results)} {failures(results, 'in failed.csv')}")
    say(f"Report: {out / 'index.html'}")


def outline_of(facts: StoreFacts) -> Outline:
    """What the report expects, in the order of the plan."""
    return Outline(
        facts.plan_name,
        tuple(map(_contestant, facts.contestants)),
        facts.cases,
        facts.data,
        facts.sizes,
        facts.seeds,
        tuple(
            (one.name, NetworkFacts(one.nodes, one.arcs, one.max_in_degree, one.free_parameters))
            for one in facts.networks
        ),
        facts.seconds_limit,
    )


def _contestant(facts: ContestantFacts) -> Contestant:
    named = Contestant.named(facts.label)
    paper_name = facts.paper_name or named.paper_name
    # The paper's own word for the class, so that the classes of Figure 3 are the paper's.
    own = facts.learning_class
    learning_class = learning_classes().get(paper_name, own[:1].upper() + own[1:])
    return Contestant(facts.label, paper_name, learning_class, facts.settings_text, facts.version)
