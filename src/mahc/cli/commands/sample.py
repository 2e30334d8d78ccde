"""`mahc sample`: data drawn from a network, with optional noise, and their true graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mahc.cli.options.groups import DATA, NETWORKS, OUTPUT, argument, option
from mahc.cli.printing import say
from mahc.errors import SettingError
from mahc.plurals import count, verb

NOISE_HELP = "cMISL, or missing, incorrect, merged, latent (or M, I, S, L) joined by +; with a rate: missing:0.1."

DO_HELP = (
    "Add the rows of an experiment, such as smoke=yes:200, or smoke:200 with a random state in each row; several "
    "variables are joined by a comma; may be repeated."
)


def command(
    network: Annotated[str, argument("NAME", "A network of `mahc networks`, or a network file.")],
    /,
    *,
    rows: Annotated[int, option("--rows", "N", "How many rows to draw.", DATA)],
    out: Annotated[Path, option("--out", "DIR", "New folder for the files.", OUTPUT)],
    seed: Annotated[int, option("--seed", "N", "The same seed gives the same bytes.", DATA, "1")] = 1,
    noise: Annotated[str | None, option("--noise", "NOISE", NOISE_HELP, DATA)] = None,
    latent: Annotated[
        list[str] | None,
        option("--latent", "VARIABLE", "Remove this variable, not a random one; may be repeated.", DATA),
    ] = None,
    do: Annotated[list[str] | None, option("--do", "EXPERIMENT", DO_HELP, DATA)] = None,
    kind: Annotated[str, option("--format", "KIND", "csv or parquet.", OUTPUT, "csv")] = "csv",
    networks: Annotated[Path | None, NETWORKS] = None,
) -> None:
    """Draw data from a network and write them with the true graph and a manifest."""
    from mahc.networks import find_network, simulate
    from mahc.networks.noise import parse_noise
    from mahc.networks.simulation_files import SimulationRequest, check_folder, check_table_kind, write_simulation

    check_folder(out)
    check_table_kind(kind)
    if latent and noise is None:
        raise SettingError("--latent needs a noise that removes variables: add --noise latent or --noise cMISL")
    if do and noise is not None:
        raise SettingError("--do and --noise cannot be combined: leave one of them out")
    spoil = None if noise is None else parse_noise(noise, tuple(latent or ()))
    known = find_network(network, networks)
    experiments = tuple(parse_experiment(text) for text in do or ())
    simulation = simulate(known, rows, seed, spoil, experiments)
    request = SimulationRequest(network, rows, seed, noise, kind, tuple(do or ()))
    manifest = write_simulation(simulation, request, out)
    say(f"{count(rows, 'row')} of {network}, {count(len(simulation.data.names), 'variable')}, seed {seed}")
    for states, number in experiments:
        say(f"  {count(number, 'row')} in which {' and '.join(states)} {verb(len(states), 'were')} set")
    for outcome in simulation.outcomes:
        say(f"  {outcome.describe(rows)}")
    say(f"Written to {out}: {', '.join([*manifest['files'].values(), 'manifest.json'])}")


def parse_experiment(text: str) -> tuple[dict[str, str | None], int]:
    """The variables that an experiment sets, with their states, and its number of rows.

    >>> parse_experiment("smoke=yes,bronc:200")
    ({'smoke': 'yes', 'bronc': None}, 200)
    """
    targets, _, rows = text.rpartition(":")
    if not targets or not rows.isdecimal() or not int(rows):
        raise SettingError(f"--do is '{text}': give the variables and a number of rows, such as smoke=yes:200")
    pairs = (word.partition("=") for word in targets.split(","))
    return {name.strip(): state.strip() if equals else None for name, equals, state in pairs}, int(rows)
