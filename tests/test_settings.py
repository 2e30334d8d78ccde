"""Declared settings: what each check accepts, and how refusals carry the setting as data."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import pytest

from mahc.errors import InvalidSettingError, MahcError, Mention, Message, Spelling, UnknownSettingError
from mahc.setting_checks import Check, Flag, Number, OneOf, Several, Text, Whole
from mahc.settings import check_settings, declarations, make_from, setting


@dataclass(frozen=True)
class Toy:
    depth: int = setting(3, help="How deep to look.", check=Whole(1, 9))
    level: float = setting(0.5, help="A level.", check=Number(above=0, below=1))
    rule: str = setting("plain", help="A rule.", check=OneOf("plain", "fancy"))
    quick: bool = setting(False, help="Whether to hurry.", check=Flag())
    limit: int | None = setting(None, help="A limit.", check=Whole(0, 5), option="most", metavar="N")

    def __post_init__(self) -> None:
        check_settings(self)


class Shouting(Spelling):
    def name(self, setting: str) -> str:
        return f"--{setting.upper()}"

    def value(self, value: object) -> str:
        return str(value).lower()


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (Whole(1, 9), [1, 9], [0, 10, 2.0, True, "3", None]),
        (Number(above=0, below=1), [0.5], [0, 1, True, "0.5", float("nan"), None]),
        (Number(least=0), [0, 7, 0.5], [-1, float("inf"), False]),
        (OneOf("a", "b"), ["a", "b"], ["c", "", None, 1, ["a"]]),
        (Flag(), [True, False], ["no", 0, 1, None]),
        (Text(), ["x"], ["", 1, None]),
        (Several("a list of names"), [["a"], ()], ["abc", 3]),
    ],
)
def test_checks_accept_their_type_and_range_only(check: Check, good: list[object], bad: list[object]) -> None:
    assert all(check.accepts(value) for value in good)
    assert not any(check.accepts(value) for value in bad)


def test_none_is_accepted_only_where_it_is_the_default() -> None:
    assert Toy(limit=None).limit is None
    with pytest.raises(InvalidSettingError, match=r"^depth is None: give a whole number from 1 to 9$"):
        Toy(depth=None)  # type: ignore[arg-type]
    with pytest.raises(InvalidSettingError, match="limit is 6: give a whole number from 0 to 5, or leave it out"):
        Toy(limit=6)


def test_an_error_carries_the_setting_and_each_interface_spells_it() -> None:
    with pytest.raises(InvalidSettingError) as caught:
        Toy(quick="no")  # type: ignore[arg-type]
    error = caught.value
    assert (error.setting, error.value, error.allowed) == ("quick", "no", "True or False")
    assert str(error) == "quick is 'no': give True or False"
    assert error.render(Shouting()) == "--QUICK is no: give true or false"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_message_names_settings_in_the_spelling_asked_for() -> None:
    error = MahcError("a.csv: ", Message("pass ", Mention("missing", "drop"), ", or fill the values in"))
    assert str(error) == 'a.csv: pass missing="drop", or fill the values in'
    assert error.render(Shouting()) == 'a.csv: pass --MISSING="drop", or fill the values in'


def test_unknown_settings_are_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownSettingError, match=r"toy has no setting dept: did you mean depth\? \(it has depth,"):
        make_from(Toy, "toy", {"dept": 3})
    with pytest.raises(UnknownSettingError, match="toy has no setting zzz: leave it out"):
        make_from(Toy, "toy", {"zzz": 3})
    assert make_from(Toy, "toy", {"depth": 4, "limit": None}) == Toy(depth=4)


def test_declarations_keep_order_help_and_option() -> None:
    found = declarations(Toy)
    assert list(found) == ["depth", "level", "rule", "quick", "limit"]
    assert (found["limit"].option, found["limit"].metavar, found["limit"].optional) == ("most", "N", True)
    assert found["depth"].help == "How deep to look."
