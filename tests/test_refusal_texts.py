"""What a refusal suggests can be typed: valid Python in Python, options on the command line."""

import ast
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import mahc
from mahc.cli.spelling import ARGUMENTS, CommandLineSpelling
from mahc.data import ReadSettings, read_with
from mahc.errors import PYTHON, Choice, MahcError, Mention, Message
from mahc.learning.catalogue import algorithm_settings, score_settings
from mahc.learning.settings import RunSettings
from mahc.settings import declarations

SOURCE = Path(mahc.__file__).parent
# Texts that only the command line, the server that it starts or a picture shows.
OTHER_INTERFACES = ("cli", "ui", "drawing")
ABC = {"a": ["x", "y", "x", "y"], "b": ["u", "v", "v", "u"]}
NUMBERS = {"height": [1.71, 1.83, 1.64, 1.9], "sex": ["f", "m", "f", "m"]}
GAPS = {"a": ["x", "", "x", ""], "b": ["", "v", "", "u"]}
MANY = {"n": list(range(0, 400, 2)) * 2, "b": ["u", "v"] * 200}


def learn_text(text: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rows.csv").write_text(text)
        return mahc.learn(Path(folder) / "rows.csv")


REFUSALS: list[tuple[str, Callable[[], object]]] = [
    ("a real column", lambda: read_with(NUMBERS, ReadSettings())),
    ("many whole numbers", lambda: read_with(MANY, ReadSettings())),
    ("an identifier", lambda: mahc.learn({"n": list(range(0, 400, 2)), "b": ["u", "v"] * 100})),
    ("decimal commas", lambda: learn_text("n;b\n1,5;u\n2,5;v\n3,5;u\n1,75;v\n")),
    ("a word among numbers", lambda: learn_text("n,b\n1.5,u\n2.5,v\n3.25,u\nNA,v\n")),
    ("dates", lambda: mahc.learn({"d": np.array(["2020-01-01", "2020-01-02"], "datetime64[D]"), "b": ["u", "v"]})),
    ("missing values", lambda: mahc.learn(GAPS)),
    ("no complete row", lambda: mahc.learn(GAPS, missing="drop")),
    ("too few complete rows", lambda: mahc.read(GAPS, missing="state").state_as_missing().drop_incomplete()),
    ("a method of no algorithm", lambda: mahc.learn(GAPS, "fci", missing="structural-em")),
    ("a method for linear scores", lambda: mahc.learn(GAPS, objective="bdeu", missing="structural-em")),
    ("a method of learning", lambda: mahc.read(GAPS, missing="weighted")),
    ("a method of fitting", lambda: mahc.learn(GAPS, missing="em")),
    ("a name of missing", lambda: mahc.learn(GAPS, missing="ignore")),
    ("infinity", lambda: mahc.read({"n": [1.5, float("inf")]}, discretise="quantile:2")),
    ("text to discretise", lambda: mahc.read({"n": ["1.5", "x"]}, discretise={"n": "quantile:2"})),
    ("a rule", lambda: mahc.read(NUMBERS, discretise="quantiles")),
    ("a delimiter", lambda: mahc.read("x.csv", delimiter="letter")),
    ("ties", lambda: mahc.learn(ABC, ties="file")),
    ("ties that look like no other", lambda: mahc.learn(ABC, ties="xyz")),
    ("an algorithm that is no name", lambda: mahc.learn(ABC, 3)),  # type: ignore[arg-type]
    ("a setting of another algorithm", lambda: mahc.learn(ABC, "hc", alpha=0.1)),
    ("targets without a penalty", lambda: mahc.learn(ABC, objective="bdeu", knowledge={"targets": {"a": 2}})),
    (
        "orders of many variables",
        lambda: mahc.learn({f"v{k}": list("xyxy") for k in range(30)}, "exact", method="orders"),
    ),
    ("a large exact answer", lambda: mahc.Model.load("pathfinder").query("Fault", max_bytes=1)),
    ("an unknown method of asking", lambda: mahc.Model.load("asia").query("lung", method="magic")),
    ("an address", lambda: mahc.learn("folder/*.csv", on="host:1")),
    ("an unknown setting", lambda: mahc.learn(ABC, score="bic")),
    ("the scope of an effect", lambda: mahc.Model.load("asia").effect("smoke", "lung", over="all")),  # type: ignore
]


def refusal(call: Callable[[], object]) -> MahcError:
    with pytest.raises(MahcError) as caught:
        call()
    return caught.value


def parts_of(message: Message) -> Iterator[object]:
    for part in message.parts:
        yield from parts_of(part) if isinstance(part, Message) else [part]


@pytest.mark.parametrize(("name", "call"), REFUSALS, ids=[name for name, _ in REFUSALS])
def test_what_a_refusal_suggests_is_valid_python(name: str, call: Callable[[], object]) -> None:
    error = refusal(call)
    suggested = [part for part in parts_of(error.message) if isinstance(part, Mention | Choice)]
    assert suggested, str(error)
    for part in suggested:
        text = Message(part).render(PYTHON)
        if isinstance(part, Mention) and part.value is None:
            assert text.isidentifier()
            continue
        [node] = ast.parse(f"f({text})").body
        assert isinstance(node, ast.Expr)
        assert isinstance(node.value, ast.Call)
        given = node.value.keywords[0].value if isinstance(part, Mention) else node.value.args[0]
        assert _plain(ast.literal_eval(given)) == _plain(part.value)


@pytest.mark.parametrize(("name", "call"), REFUSALS, ids=[name for name, _ in REFUSALS])
def test_the_command_line_gets_options(name: str, call: Callable[[], object]) -> None:
    text = refusal(call).render(CommandLineSpelling())
    assert not re.search(rf"\b({'|'.join(settings())})=", text), text


def settings() -> set[str]:
    names = {*algorithm_settings(), *score_settings(), *ARGUMENTS}
    return names | set(declarations(ReadSettings)) | set(declarations(RunSettings))


def texts() -> Iterator[tuple[str, str]]:
    """Every text of the package that is not a docstring, without what only the command line says."""
    for file in sorted(SOURCE.rglob("*.py")):
        place = file.relative_to(SOURCE)
        if place.parts[0] in OTHER_INTERFACES:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        left_out = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr):
                left_out.add(node.value)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "PerInterface":
                left_out |= set(ast.walk(node.args[1]))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in left_out:
                yield f"{place}:{node.lineno}", node.value


@pytest.mark.long
def test_no_text_for_python_names_an_option_or_writes_a_setting_by_hand() -> None:
    # `mahc learn --out` in backquotes says which command made a file.
    found = [(place, re.sub(r"`[^`]*`", "", text)) for place, text in texts()]
    options = [each for each in found if re.search(r"(^|[ (])--[a-z]{2}", each[1])]
    texts_of_settings = [each for each in found if not each[1].lstrip().startswith(("import ", "<?xml", "%"))]
    by_hand = [
        each for each in texts_of_settings if re.search(rf"\b({'|'.join(sorted(settings()))})=[\"'\w\[]", each[1])
    ]
    assert len(found) > 1000
    assert options == []
    assert by_hand == []


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value
