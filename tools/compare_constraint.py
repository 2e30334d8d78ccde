"""Compare PC-Stable and FCI with causal-learn and pyAgrum, for docs/explanation/constraint-peers.md.

    python tools/compare_constraint.py                                # all networks and sizes; half an hour
    python tools/compare_constraint.py --networks asia child --rows 1000 --limit 60

Each comparison runs in a separate process; one that takes longer than the limit is stopped and reported. Puts its
lines into the table between the two marks of the page, each in place of the one before, and prints it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOTE = ROOT / "docs" / "explanation" / "constraint-peers.md"
BEGIN, END = "<!-- made by tools/compare_constraint.py -->", "<!-- end -->"
HEAD = (
    "| algorithm, peer | network | rows | our edges | theirs | pairs in one only | edges with other marks | reasons | "
    "without reason |",
    "|---" * 9 + "|",
)
NETWORKS = ["asia", "child", "insurance", "alarm", "hepar2"]
KINDS = {
    "PC-Stable, causal-learn": "beside_causal_learn",
    "PC-Stable, pyAgrum": "beside_pyagrum",
    "FCI, causal-learn": "fci_beside_causal_learn",
}


def compare(kind: str, network: str, rows: int) -> None:
    """One comparison, printed as JSON."""
    sys.path.insert(0, str(ROOT / "tests"))
    import peer_comparison  # type: ignore[import-not-found]

    from mahc.networks import load_network, sample

    found = getattr(peer_comparison, KINDS[kind])(sample(load_network(network), rows, seed=1))
    print(json.dumps(asdict(found)))


def run(kind: str, network: str, rows: int, limit: float) -> str:
    """One line of the table."""
    command = [sys.executable, __file__, "--one", kind, "--networks", network, "--rows", str(rows)]
    head = f"| {kind} | {network} | {rows:,} |"
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=True)
    except subprocess.TimeoutExpired:
        return f"{head} stopped after {limit:.0f} s | | | | | |"
    found = json.loads(done.stdout.strip().splitlines()[-1])
    reasons = "; ".join(f"{count} {reason}" for reason, count in found["reasons"].items() if count)
    numbers = f"{found['ours']} | {found['theirs']} | {found['pairs']} | {found['marks']}"
    return f"{head} {numbers} | {reasons or 'no difference'} | {len(found['unexplained'])} |"


def main() -> None:
    """Compare, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=NETWORKS)
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--rows", nargs="+", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for each")
    parser.add_argument("--one", choices=list(KINDS), help="this comparison only, as JSON")
    arguments = parser.parse_args()
    if arguments.one:
        compare(arguments.one, arguments.networks[0], arguments.rows[0])
        return
    for rows in arguments.rows:
        for kind in arguments.kinds:
            for network in arguments.networks:
                line = run(kind, network, rows, arguments.limit)
                print(line, flush=True)
                write(line)


def write(line: str) -> None:
    """Put a line in its place in the table of the note."""
    before, _, rest = NOTE.read_text(encoding="utf-8").partition(BEGIN)
    table, _, after = rest.partition(END)
    lines = {place(old): old for old in table.strip().splitlines()[2:]}
    lines[place(line)] = line
    ordered = [lines[key] for key in sorted(lines)]
    NOTE.write_text("\n".join([before + BEGIN, *HEAD, *ordered, END + after]), encoding="utf-8")


def place(line: str) -> tuple[int, int, int]:
    """Where in the table a line belongs: by rows, comparison, network."""
    _, kind, network, rows, *_ = (cell.strip() for cell in line.split("|"))
    return int(rows.replace(",", "")), list(KINDS).index(kind), NETWORKS.index(network)


if __name__ == "__main__":
    main()
