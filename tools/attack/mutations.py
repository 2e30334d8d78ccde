"""Damaged files: a sound one with a few mutations, each from the seed and the number of the case."""

from __future__ import annotations

import random

MOST_MUTATIONS = 6
PIECES = [
    *(b"{", b"}", b"(", b")", b"[", b"]", b";", b",", b"|", b'"', b"'", b"<", b">", b"&", b"=", b":", b"#", b"\\"),
    *(b"\0", b"\n", b"\r", b"\t", b"\x1b]0;x\x07", b"\xff\xfe", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\xf0\x9f\x98\x80"),
    *(
        b"1e999",
        b"-1",
        b"nan",
        b"-inf",
        b"9" * 30,
        b"9" * 5000,
        b"0",
        b"null",
        b"true",
        b"[[]]",
        b"{}",
        b'""',
        b"[" * 3000,
    ),
    *(b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"1.7e308", b"2024-02-31", b"__class__", b"../../x"),
]


def mutate(content: bytes, seed: int, case: int) -> bytes:
    """The mutant of this number; the same seed and number give the same bytes.

    >>> mutate(b"a,b", 1, 7) == mutate(b"a,b", 1, 7)
    True
    """
    chance = random.Random(f"{seed} {case}")
    for _ in range(chance.randint(1, MOST_MUTATIONS)):
        start = chance.randint(0, len(content))
        stop = min(len(content), start + chance.choice([0, 1, 2, 12, 100]))
        other = chance.randint(0, len(content))
        piece = chance.choice(
            [
                b"",
                chance.choice(PIECES),
                content[start:stop] * 2,
                chance.randbytes(chance.randint(1, 8)),
                content[other : other + chance.randint(1, 60)],
            ]
        )
        content = content[:start] + piece + content[stop:]
    return content
