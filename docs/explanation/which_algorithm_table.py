"""Print the table of docs/explanation/which-algorithm.md from a store: python which_algorithm_table.py STORE."""

import sys
from statistics import mean

from mahc.lab import read_store

outline, rows = read_store(sys.argv[1])
for data in outline.data:
    print(f"\n| {data}: mean F1 / SHD | {' | '.join(f'{n:,} rows' for n in outline.sizes)} | seconds, largest size |")
    print("|---" * (len(outline.sizes) + 2) + "|")
    for contestant in outline.contestants:
        cells = []
        for size in outline.sizes:
            found = [r for r in rows if (r.contestant, r.data, r.rows) == (contestant.label, data, size)]
            done = [r for r in found if r.outcome == "done"]
            note = "" if len(done) == len(found) else f" ({len(done)} of {len(found)})"
            f1, shd = mean(r.measures["f1"] for r in done), mean(r.measures["shd"] for r in done)
            cells.append(f"{f1:.3f} / {shd:.1f}{note}")
        seconds = mean(r.seconds for r in done)
        print(f"| {contestant.label} | {' | '.join(cells)} | {seconds:.3f} |")
