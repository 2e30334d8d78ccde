"""PC-Stable and FCI beside causal-learn and pyAgrum, and the reason of every difference: docs/constraint-peers.md.

    python tools/compare_constraint.py                                # all networks and sizes; half an hour
    python tools/compare_constraint.py --networks asia child --rows 1000 --limit 60

Each comparison runs in a process of its own; one that takes longer than the limit is stopped and says so. Replaces
the table between the two marks in docs/constraint-peers.md, and prints it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOTE = ROOT / "docs" / "constraint-peers.md"
BEGIN, END = "<!-- made by tools/compare_constraint.py -->", "<!-- end -->"
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
    parser.add_argument("--networks", nargs="+", default=["asia", "child", "insurance", "alarm", "hepar2"])
    parser.add_argument("--rows", nargs="+", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for each")
    parser.add_argument("--one", choices=list(KINDS), help="this comparison only, as JSON")
    asked = parser.parse_args()
    if asked.one:
        compare(asked.one, asked.networks[0], asked.rows[0])
        return
    lines = [
        "| algorithm, peer | network | rows | our edges | theirs | pairs in one only | edges with other marks | "
        "reasons | without reason |",
        "|---" * 9 + "|",
    ]
    for rows in asked.rows:
        for kind in KINDS:
            for network in asked.networks:
                lines.append(run(kind, network, rows, asked.limit))
                print(lines[-1], flush=True)
                write(lines)


def write(lines: list[str]) -> None:
    """Put the table in its place in the note."""
    text = NOTE.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    NOTE.write_text("\n".join([before + BEGIN, *lines, END + after]), encoding="utf-8")


if __name__ == "__main__":
    main()
