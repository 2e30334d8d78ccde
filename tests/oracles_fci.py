"""FCI in the limit, from an m-separation oracle: the rules literally, path by path."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from oracles_graphs import Ends, separating_set


class Fci:
    """Zhang's FCI on the variables `observed` of a graph that answers every question about separation."""

    def __init__(self, n: int, truth: Ends, observed: list[int]) -> None:
        self.nodes = observed
        self.ends: Ends = {}
        self.sets = {}
        for x, y in itertools.combinations(observed, 2):
            found = separating_set(n, truth, x, y, observed)
            if found is None:
                self.ends[x, y] = self.ends[y, x] = "o"
            else:
                self.sets[x, y] = self.sets[y, x] = found
        for a, b, c in self.triples():
            if not self.joined(a, c) and b not in self.sets[a, c]:
                self.ends[a, b] = self.ends[c, b] = ">"
        rules = [self.r1, self.r2, self.r3, self.r4, self.r5, self.r6, self.r7, self.r8, self.r9, self.r10]
        while any(rule() for rule in rules):
            pass

    def joined(self, a: int, b: int) -> bool:
        return (a, b) in self.ends

    def triples(self) -> list[tuple[int, int, int]]:
        return [
            (a, b, c) for a, b, c in itertools.permutations(self.nodes, 3) if self.joined(a, b) and self.joined(b, c)
        ]

    def edge(self, a: int, b: int) -> str:
        return self.ends.get((b, a), " ") + self.ends.get((a, b), " ")

    def set(self, *marks: tuple[int, int, str]) -> bool:
        changed = False
        for a, b, mark in marks:
            assert self.ends[a, b] in ("o", mark), "the rules contradict each other"
            changed |= self.ends[a, b] != mark
            self.ends[a, b] = mark
        return changed

    def r1(self) -> bool:
        return any(
            self.set((c, b, "-"), (b, c, ">"))
            for a, b, c in self.triples()
            if self.ends[a, b] == ">" and self.ends[c, b] == "o" and not self.joined(a, c)
        )

    def r2(self) -> bool:
        return any(
            self.set((a, c, ">"))
            for a, b, c in self.triples()
            if self.ends.get((a, c)) == "o"
            and (
                (self.edge(a, b) == "->" and self.ends[b, c] == ">")
                or (self.ends[a, b] == ">" and self.edge(b, c) == "->")
            )
        )

    def r3(self) -> bool:
        return any(
            self.set((d, b, ">"))
            for a, b, c in self.triples()
            if self.ends[a, b] == ">" and self.ends[c, b] == ">" and not self.joined(a, c)
            for d in self.nodes
            if self.ends.get((a, d)) == "o" and self.ends.get((c, d)) == "o" and self.ends.get((d, b)) == "o"
        )

    def r4(self) -> bool:
        for path in self.paths():
            if len(path) < 4 or self.joined(path[0], path[-1]):
                continue
            start, a, b, c = path[0], path[-3], path[-2], path[-1]
            if self.ends[c, b] != "o":
                continue
            if all(
                self.ends[p, v] == ">" and self.ends[q, v] == ">" and self.edge(v, c) == "->"
                for p, v, q in zip(path, path[1:-2], path[2:], strict=False)
            ):
                if b in self.sets[start, c]:
                    return self.set((c, b, "-"), (b, c, ">"))
                return self.set((a, b, ">"), (b, a, ">"), (c, b, ">"), (b, c, ">"))
        return False

    def r5(self) -> bool:
        for path in self.paths():
            a, b = path[0], path[-1]
            if len(path) < 4 or self.edge(a, b) != "oo" or not self.uncovered(path):
                continue
            if self.joined(a, path[-2]) or self.joined(b, path[1]):
                continue
            if all(self.edge(p, q) == "oo" for p, q in itertools.pairwise(path)):
                cycle = [*itertools.pairwise(path), (b, a)]
                return self.set(*((p, q, "-") for p, q in cycle), *((q, p, "-") for p, q in cycle))
        return False

    def r6(self) -> bool:
        return any(
            self.set((c, b, "-")) for a, b, c in self.triples() if self.edge(a, b) == "--" and self.ends[c, b] == "o"
        )

    def r7(self) -> bool:
        return any(
            self.set((c, b, "-"))
            for a, b, c in self.triples()
            if self.edge(a, b) == "-o" and self.ends[c, b] == "o" and not self.joined(a, c)
        )

    def r8(self) -> bool:
        return any(
            self.set((c, a, "-"))
            for a, b, c in self.triples()
            if self.edge(a, b) in ("->", "-o") and self.edge(b, c) == "->" and self.edge(a, c) == "o>"
        )

    def r9(self) -> bool:
        return any(
            self.set((path[-1], path[0], "-"))
            for path in self.possible_paths()
            if len(path) >= 4 and self.edge(path[0], path[-1]) == "o>" and not self.joined(path[1], path[-1])
        )

    def r10(self) -> bool:
        paths = list(self.possible_paths())
        for a, c in itertools.permutations(self.nodes, 2):
            if self.edge(a, c) != "o>":
                continue
            fit = [p for p in paths if p[0] == a and c not in p and self.edge(p[-1], c) == "->"]
            for one, two in itertools.combinations(fit, 2):
                m, w = one[1], two[1]
                if one[-1] != two[-1] and m != w and not self.joined(m, w):
                    return self.set((c, a, "-"))
        return False

    def paths(self) -> Iterator[tuple[int, ...]]:
        todo = [(v,) for v in self.nodes]
        for path in todo:
            if len(path) > 1:
                yield path
            todo += [(*path, v) for v in self.nodes if v not in path and self.joined(path[-1], v)]

    def uncovered(self, path: tuple[int, ...]) -> bool:
        return not any(self.joined(p, q) for p, q in zip(path, path[2:], strict=False))

    def possible_paths(self) -> Iterator[tuple[int, ...]]:
        for path in self.paths():
            if self.uncovered(path) and all(
                self.ends[q, p] != ">" and self.ends[p, q] != "-" for p, q in itertools.pairwise(path)
            ):
                yield path
