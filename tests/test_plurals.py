"""Numbers agree with their nouns: "1 row", "2 rows", in every text of the package."""

import ast
import re
from pathlib import Path

import pytest

import mahc

pytestmark = pytest.mark.long

SOURCE = Path(mahc.__file__).parent
NOUNS = re.findall(
    r"\w+",
    """
    arc answer byte cell character class column configuration contestant cycle degree digit dimension draw edge
    error experiment fault field file finding fold graph group hour independence interval kind label level
    likelihood line list minute move name number observation one orientation other pair parameter parent part
    piece prediction probability problem process reason record resample result row sample second seed set state
    step string test thread tier time token value variable warning weight word
    """,
)
PLURALS = "|".join(noun[:-1] + "ies" if noun.endswith("y") else f"{noun}s" for noun in NOUNS)
# After a number: at most two words, then a plural.
AFTER_NUMBER = re.compile(rf"(?: [a-z][a-z-]*){{0,2}} (?:{PLURALS})\b")
# Constants, which are never 1, and expressions that are texts or sums of texts.
NOT_A_COUNT = re.compile(r"[A-Z_]+|(noun|verb|count|join|show)\(.*|setting|role|self\.noise|data|names\[other\]")


def plurals_after_a_number(tree: ast.Module) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        for previous, value, text in zip([None, *node.values], node.values, node.values[1:], strict=False):
            if not isinstance(value, ast.FormattedValue) or not isinstance(text, ast.Constant):
                continue
            spec = "" if value.format_spec is None else ast.unparse(value.format_spec)[2:-1]
            if spec.strip(","):
                continue  # a share or a mean, such as .0% or .1f
            written, after = ast.unparse(value.value), str(text.value)
            before = previous.value if isinstance(previous, ast.Constant) else ""
            if str(before).endswith(("2^", "declares ", "more than ")):
                continue  # a power, the word of a file, a limit
            if AFTER_NUMBER.match(after) and not NOT_A_COUNT.fullmatch(written):
                found.append((node.lineno, f"{{{written}}}{after[:40]}"))
    return found


def test_a_plural_in_a_text_depends_on_its_number() -> None:
    found = {
        f"{file.relative_to(SOURCE)}:{line}": text
        for file in sorted(SOURCE.rglob("*.py"))
        for line, text in plurals_after_a_number(ast.parse(file.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_the_search_for_plurals_finds_them() -> None:
    texts = """f"{n:,} rows", f"{len(a)} of {b} states", f"{count(n, 'row')} of rows", f"{MOST} rows", f"{n} row" """
    assert [text for _, text in plurals_after_a_number(ast.parse(texts))] == ["{n} rows", "{b} states"]
