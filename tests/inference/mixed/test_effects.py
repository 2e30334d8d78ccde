"""Effects in models with numbers: against rows drawn from the model with its causes set, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import mahc
from mahc.cli.main import run
from mahc.errors import MahcError
from mahc.graphs import DAG
from mahc.inference import MixedModel

GRAPH = DAG(["age", "sex", "dose", "effect", "ill"], [("age", "dose"), ("sex", "dose"), ("age", "effect")])
GRAPH = DAG(GRAPH.names, [*GRAPH.arcs, ("dose", "effect"), ("effect", "ill"), ("sex", "ill")])


@pytest.fixture(scope="module")
def data() -> dict[str, list[float] | list[str]]:
    draw = np.random.default_rng(1)
    age, sex = draw.normal(50, 10, 600), draw.integers(0, 2, 600)
    dose = 0.1 * age + sex + draw.normal(0, 1, 600)
    effect = dose**2 + 0.2 * age + draw.normal(0, 3, 600)
    ill = effect + 5 * sex + draw.normal(0, 5, 600) > 45
    columns = {"age": age.tolist(), "dose": dose.tolist(), "effect": effect.tolist()}
    return {**columns, "sex": ["fm"[k] for k in sex.tolist()], "ill": ["no" if not k else "yes" for k in ill]}


@pytest.fixture(scope="module")
def model(data: dict[str, list[float]]) -> MixedModel:
    return MixedModel.fit(GRAPH, data)


def drawn(model: MixedModel, cause: str, value: object, target: str, rows: int = 40_000) -> np.ndarray:
    """The target in rows drawn forwards, the cause being set: the slow way."""
    network = model.network
    node = network.names.index(cause)
    random = np.random.default_rng(5)
    inner: dict[int, np.ndarray] = {}
    for v in network.order:
        if v == node:
            inner[v] = np.repeat(model._value(v, value, model._settings(None), "do"), rows)
        else:
            inner[v] = network.draw_node(v, [inner[p] for p in network.parents[v]], rows, random)
    place = network.names.index(target)
    column = network.variables[place].column(inner[place])
    return np.asarray(column.as_array())


def test_means_and_probabilities_are_those_of_rows_with_the_cause_set(model: MixedModel) -> None:
    found = model.effect("dose", "effect", values=[4.0, 7.0])
    for value in (4.0, 7.0):
        slow = drawn(model, "dose", value, "effect")
        assert found.expected(value) == pytest.approx(slow.mean(), abs=4 * slow.std() / 200 + 4 * found.error(value))
    assert found.difference(7.0) == pytest.approx(found.expected(7.0) - found.expected(4.0))
    assert found.per_unit(7.0) == pytest.approx(found.difference(7.0) / 3)
    assert found.difference(4.0, 7.0) == -found.difference(7.0, 4.0)
    found = model.effect("sex", "ill")
    assert found.target_states == ("no", "yes")
    for sex in ("f", "m"):
        share = (drawn(model, "sex", sex, "ill") == 1).mean()
        assert found.expected(sex, "yes") == pytest.approx(share, abs=0.01 + 4 * found.error(sex, "yes"))
        assert found.error(sex, "yes") > 0
    assert found.difference("m", state="yes") + found.difference("m", state="no") == pytest.approx(0)


def test_what_does_not_come_from_the_cause_has_no_effect(model: MixedModel) -> None:
    found = model.effect("ill", "dose")
    assert found.difference("yes") == pytest.approx(0, abs=4 * found.difference_error("yes"))
    assert repr(found) == repr(model.effect("ill", "dose"))
    assert model.effect("effect", "age").difference(model.effect("effect", "age").values[2]) == 0


def test_quartiles_are_compared_if_nothing_is_said(model: MixedModel, data: dict[str, list[float]]) -> None:
    found = model.effect("age", "effect")
    assert np.allclose(np.array(found.values, float), np.quantile(data["age"], [0.25, 0.5, 0.75]), atol=0.5)
    assert "per unit" in repr(found)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"over": "class"}, "need tables"),
        ({"values": [3.0]}, "two values at least"),
        ({"values": [3.0, "x"]}, "finite number"),
        ({"cause": "effect"}, "on itself"),
        ({"cause": "Dose"}, "unknown variable 'Dose'"),
    ],
)
def test_what_cannot_be_answered_is_refused(model: MixedModel, asked: dict[str, object], words: str) -> None:
    with pytest.raises(MahcError, match=words):
        model.effect(**{"cause": "dose", "target": "effect", **asked})  # type: ignore[arg-type]
    with pytest.raises(MahcError, match="units"):
        model.most_probable()
    found = model.effect("sex", "effect")
    with pytest.raises(MahcError, match="no unit"):
        found.per_unit("m")
    with pytest.raises(MahcError, match="name one of f, m"):
        found.expected("x")
    with pytest.raises(MahcError, match="name one of no, yes"):
        model.effect("sex", "ill").expected("m", "maybe")


def test_the_command(tmp_path: Path, data: dict[str, list[float]], capsys: pytest.CaptureFixture[str]) -> None:
    learned = mahc.learn(data, "hc", numbers="smooth", knowledge={"required_arcs": GRAPH.arcs})
    learned.save(tmp_path / "result.json")
    learned.fit(data).save(tmp_path / "model.json")
    words = ["effect", str(tmp_path / "model.json"), "dose", "effect", "--from", "7", "--to", "4"]
    with pytest.raises(SystemExit) as end:
        run(words)
    assert end.value.code == 0
    assert "compared with do(dose=7)" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        run([*words, "--json"])
    rows = json.loads(capsys.readouterr().out)["effects"]
    assert [row["do"] for row in rows] == [7.0, 4.0]
    assert rows[1]["difference"] < 0 < rows[1]["per_unit"]
    with pytest.raises(SystemExit) as end:
        run([*words[:-2]])
    assert end.value.code == 2
    assert "give both --from and --to, or neither" in capsys.readouterr().err
