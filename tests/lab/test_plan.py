"""Plans: what they can contain, and one sentence for each mistake."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mahc.confidence.settings import BootstrapSettings, ConsensusSettings
from mahc.errors import MahcError
from mahc.lab.cells import make_cells
from mahc.lab.contestants import make_contestant
from mahc.lab.contestants.base import state_version
from mahc.lab.outline import TRUTH
from mahc.lab.plan_file import read_plan
from mahc.settings import declarations

GOOD = """
sizes = [200, 100]
cases = ["asia", "cancer"]
data = ["clean", "cMISL", "M", "I+L"]
[limits]
seconds = 5
[quick]
sizes = [50]
seconds = 1
[[contestants]]
label = "HC"
algorithm = "hc"
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "plan.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_shipped_plan_has_the_experiments_of_the_paper() -> None:
    plan = read_plan("paper")
    assert [case.name for case in plan.cases] == ["asia", "sports", "property", "alarm", "formed", "pathfinder"]
    assert plan.sizes == (100, 1000, 10_000, 100_000)
    assert plan.data == ("clean", "cMISL")
    assert plan.limits.seconds == 6 * 3600
    columns = ["MAHC", "HC", "TABU", "GOBNILP", "PC-Stable", "FCI", "MMHC", "SaiyanH"]
    names = [contestant.paper_name for contestant in plan.contestants]
    assert names == [*columns, "MAHC_onlyPruning", "MAHC_onlyAveraging", "", "", "", "", ""]
    climbing = {"MAHC", "HC", "TABU", "MMHC", "SaiyanH", "MAHC_onlyPruning", "MAHC_onlyAveraging"}
    for contestant in plan.contestants[:-1]:  # like with like: the paper's programs break ties by the order of columns
        like_paper = contestant.paper_name in climbing
        assert (contestant.ties, contestant.shuffle_columns) == (
            ("file-order", True) if like_paper else ("data", False)
        )
    assert [contestant.algorithm for contestant in plan.contestants[10:-1]] == ["mahc", "hc", "tabu", "boss"]
    assert plan.contestants[-1].label == TRUTH
    assert [contestant.label for contestant in plan.contestants if contestant.best_so_far] == ["Exact"]
    quick = read_plan("paper", quick=True)
    assert (quick.sizes, quick.limits.seconds) == ((100, 1000, 10_000), 60)
    assert quick.limits.memory_mebibytes == plan.limits.memory_mebibytes


def test_small_samples_come_first_and_every_sample_has_its_truth(tmp_path: Path) -> None:
    plan = read_plan(write(tmp_path, GOOD))
    cells = make_cells(plan)
    assert len(cells) == plan.outline().cells == 2 * 2 * 4 * 2
    assert [cell.rows for cell in cells] == [100] * 16 + [200] * 16
    assert sum(cell.contestant.label == TRUTH for cell in cells) == 16
    assert len({cell.key for cell in cells}) == len(cells)
    assert make_cells(plan) == cells


def test_arguments_replace_what_the_plan_says(tmp_path: Path) -> None:
    plan = read_plan(write(tmp_path, GOOD), quick=True, seeds=(3, 4))
    assert (plan.sizes, plan.seeds, plan.limits.seconds) == ((50,), (3, 4), 1)
    assert read_plan("paper", seeds=[7]).seeds == (7,)  # a plan with seeds in it
    (tmp_path / "networks").mkdir()
    assert read_plan("paper", networks=str(tmp_path / "networks")).networks == tmp_path / "networks"
    for seeds in ((-1,), (1, 1), (), ("1",)):
        with pytest.raises(MahcError, match="seeds is"):
            read_plan("paper", seeds=seeds)  # type: ignore[arg-type]


def test_a_contestant_may_name_its_score(tmp_path: Path) -> None:
    plain = make_cells(read_plan(write(tmp_path, GOOD)))[0]
    scored = read_plan(write(tmp_path, GOOD + 'objective = "qnml"\n'))
    assert scored.contestants[0].settings_text().endswith("objective qnml")
    cell = make_cells(scored)[0]
    assert cell.key != plain.key
    with pytest.raises(MahcError, match="unknown score 'qnm': did you mean 'qnml'"):
        read_plan(write(tmp_path, GOOD + 'objective = "qnm"\n'))


def test_only_what_a_result_depends_on_is_in_its_key(tmp_path: Path) -> None:
    def keys(text: str) -> set[str]:
        return {cell.key for cell in make_cells(read_plan(write(tmp_path, text)))}

    usual = keys(GOOD)
    assert keys(GOOD.replace("seconds = 5", "seconds = 50")) == usual  # is_still_valid decides what limits do
    assert keys(GOOD + 'learning_class = "score-based"') == usual
    changed = keys(GOOD + "settings = {search_in_degree = 2}")
    assert len(changed & usual) == len(usual) // 2  # the truth's cells are as they were


def test_a_memory_limit_may_have_a_unit(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(GOOD.replace("seconds = 5", 'seconds = 5\nmemory_mebibytes = "2GiB"'))
    assert read_plan(file).limits.memory_mebibytes == 2048


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("sizes =", "sices =", "plan.toml: unknown key 'sices': did you mean 'sizes'?"),
        ("[limits]", "[limit]", "unknown key 'limit': did you mean 'limits'?"),
        ("seconds = 5", "secnds = 5", "unknown key in limits 'secnds': did you mean 'seconds'?"),
        ("seconds = 5", "seconds = 0", "limits: seconds is 0: give a number above 0"),
        ("seconds = 5", "memory_mebibytes = true", "memory_mebibytes is True: give a whole number"),
        ("seconds = 5", 'memory_mebibytes = "4G"', "memory_mebibytes is '4G': give a whole number of MiB from 256"),
        ("seconds = 5", 'memory_mebibytes = "9MB"', "memory_mebibytes is '9MB': give a whole number of MiB from 256"),
        ("[200, 100]", "[200, 200]", "sizes is [200, 200]: 200 is given twice"),
        ("[200, 100]", '["many"]', "sizes is 'many': give whole numbers from 1"),
        ("[200, 100]", "[]", "sizes is []: give a list in brackets with at least one entry"),
        ('"clean", ', '"claen", ', "data is 'claen': unknown noise 'claen'"),
        ('"hc"', '"hd"', "contestants 1 ('HC'): unknown algorithm 'hd': did you mean 'hc'?"),
        ('"hc"', '"hc"\nsettings = {alpha = 1}', "algorithm 'hc' has no setting alpha"),
        (
            '"hc"',
            '"hc"\nties = "file"',
            "contestants 1 ('HC'): ties is 'file': did you mean 'file-order'?",
        ),
        ('"hc"', '"hc"\nshuffle_columns = 1', "contestants 1: shuffle_columns is 1: give true or false"),
        ('"hc"', '"hc"\nfolder = "."', "unknown key in contestants 1 'folder'"),
        ('"hc"', '"hc"\nsettings = {search_in_degree = "x"}', "settings.search_in_degree is 'x': give a whole"),
        ('"hc"', '"hc"\npeer = "pyagrum-hc"', "contestants 1 ('HC') has the keys algorithm and peer: give exactly one"),
        ('algorithm = "hc"', 'algoritm = "hc"', "unknown key in contestants 1 'algoritm': did you mean 'algorithm'?"),
        ('algorithm = "hc"', "", "contestants 1 ('HC') does not say what runs: give exactly one of the keys"),
        ("[200, 100]", "[0, -5]", "sizes is 0: give whole numbers from 1 to 1,000,000,000, such as [100, 1000]"),
        ("sizes", 'seeds = "1-3"\nsizes', "give a list in brackets with at least one entry, such as [1, 2, 3]"),
        ('"hc"', '"hc"\nlabl = "x"', "unknown key in contestants 1 'labl': did you mean 'label'?"),
        ('label = "HC"', f'label = "{TRUTH}"', "another contestant has this label"),
        ('algorithm = "hc"', 'peer = "pyagrum"', "unknown peer 'pyagrum': did you mean 'pyagrum-"),
        ('algorithm = "hc"', 'callable = "mine.py"', 'write "module:function" or "file.py:function"'),
        ('algorithm = "hc"', 'callable = "mine.py:learn"', "'mine.py' is not found from"),
        ('algorithm = "hc"', 'callable = "no_such.module:learn"', "'no_such.module' is not found from"),
        ('algorithm = "hc"', 'command = ["prog", "{data}"]', "the program needs {output}"),
        ('algorithm = "hc"', 'peer = "pyagrum-hc"\nbest_so_far = true', "only an algorithm of mahc returns"),
        ('["asia", "cancer"]', '["asia", "asia"]', "another case has this name"),
        ("sizes", "networks = 'none'\nsizes", "does not exist: correct it in the plan, or in networks"),
        ("sizes", "[[", "not TOML"),
        ("sizes", f"a = {'[' * 20_000}\nsizes", "nested too deeply"),
        ("[200, 100]", f"[{'9' * 5000}]", "not a plan: Exceeds the limit"),
        ("[200, 100]", f"[{'9' * 400}]", "sizes"),
        ("sizes", "a = 2024-02-31\nsizes", "not "),
        ("seconds = 1", "second = 1", "unknown key in quick 'second': did you mean 'seconds'?"),
        ('label = "HC"', 'label = "a\\nb"', r"label is 'a\nb': it contains a line break"),
        ('label = "HC"', 'label = "ground truth"', "another contestant has this label"),
        ('"asia"', '"a\\u0000.bif"', "network is 'a\\x00.bif': it contains a line break or another control character"),
        ('algorithm = "hc"', 'command = ["\\u0000", "{data}", "{output}"]', "a command cannot contain"),
        ('"M", ', '"M", "missing", ', "data is 'missing': it is the same as 'M'"),
        ('algorithm = "hc"', 'consensus = "hd"', "contestants 1 ('HC'): unknown algorithm 'hd': did you mean 'hc'?"),
        ('algorithm = "hc"', 'consensus = ["hc", "hc/bd"]', "unknown score 'bd'"),
        ('algorithm = "hc"', 'consensus = ["hc", "hc"]', "'hc' is given twice"),
        ('algorithm = "hc"', "consensus = []", "give a list in brackets with at least one entry"),
        ('algorithm = "hc"', "consensus = 3", "consensus is 3: give a list"),
        ('algorithm = "hc"', 'consensus = "hc"\nresamples = 0', "resamples is 0: give a whole number from 1"),
        (
            'algorithm = "hc"',
            'consensus = ["hc", "mahc"]\nresamples = false',
            "resamples is false: give",
        ),
        ('algorithm = "hc"', 'consensus = "hc"\nresample = 9', "unknown key in contestants 1 'resample': did you mean"),
        ('algorithm = "hc"', 'consensus = "hc"\nhow = "third"', "how is 'third': give one of 'bootstrap', 'half'"),
        ('algorithm = "hc"', 'consensus = "hc"\nthreshold = 1', "threshold is 1: give a number from 0 to below 1"),
        ('algorithm = "hc"', 'consensus = "hc"\nthreshold = 0.1\nleast = 2', "least and threshold say the same"),
        ('algorithm = "hc"', 'consensus = "hc"\nseed = -1', "seed is -1: give a whole number from 0"),
        ('algorithm = "hc"', 'consensus = "hc"\nalgorithm_seed = 1', "algorithm_seed = 1 is for algorithms that have"),
        ('algorithm = "hc"', 'consensus = "boss"\nsettings = {seed = 1}', "is the key algorithm_seed: give it there"),
        ('algorithm = "hc"', 'consensus = "hc"\nsettings = {alpha = 1}', "has no setting alpha"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(MahcError) as mistake:
        read_plan(write(tmp_path, GOOD.replace(old, new, 1)))
    assert said in str(mistake.value)
    assert "plan.toml" in str(mistake.value)
    assert "\n" not in str(mistake.value)


def test_files_that_are_not_plans_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MahcError, match=r"no shipped plan has this name \(accuracy, .*paper\)"):
        read_plan("papr")
    with pytest.raises(MahcError, match=r"did you mean 'paper'\?"):
        read_plan("pape")
    with pytest.raises(MahcError, match="no such file"):
        read_plan(tmp_path / "none.toml")
    with pytest.raises(MahcError, match="cannot be read: it is a folder"):
        read_plan(tmp_path)
    with pytest.raises(MahcError, match=r"no table \[quick\]"):
        read_plan(write(tmp_path, GOOD.replace("[quick]\nsizes = [50]\nseconds = 1\n", "")), quick=True)
    with pytest.raises(MahcError, match=r"unknown key in quick 'size'"):
        read_plan(write(tmp_path, GOOD.replace("sizes = [50]", "size = [50]")), quick=True)


def test_code_that_cannot_be_read_is_refused_and_a_program_need_not_be_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text("def learn(path): return []")
    text = GOOD.replace('algorithm = "hc"', 'callable = "mine.py:learn"')
    assert read_plan(write(tmp_path, text)).contestants[0].version().startswith("sha256:")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(MahcError, match=r"mine.py' cannot be read: change its permissions"):
        read_plan(write(tmp_path, text))

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert state_version("2", [tmp_path / "mine.py"]) == "2 unreadable"


def test_a_missing_network_is_the_reason_of_its_cells(tmp_path: Path) -> None:
    text = GOOD.replace('["asia", "cancer"]', '["asia", "sports", "here.json"]')
    cells = make_cells(read_plan(write(tmp_path, text)))
    unavailable_reason = {cell.case.name: cell.unavailable_reason for cell in cells}
    assert unavailable_reason["asia"] is None
    assert "unknown network 'sports'" in str(unavailable_reason["sports"])
    assert "'networks', in the plan or as an option" in str(unavailable_reason["sports"])
    assert "here.json" in str(unavailable_reason["here"])


def test_latents_that_the_network_does_not_have_are_refused(tmp_path: Path) -> None:
    text = GOOD.replace('cases = ["asia", "cancer"]\n', "") + '[[cases]]\nname = "asia"\nlatents = ["dsyp"]\n'
    with pytest.raises(MahcError, match="latents has 'dsyp'"):
        make_cells(read_plan(write(tmp_path, text)))


@pytest.mark.shared
def test_the_other_networks_are_read_from_a_folder(shared: Path) -> None:
    cells = make_cells(read_plan("paper", networks=shared / "networks"))
    assert {cell.unavailable_reason for cell in cells} == {None}


def test_the_plan_of_accuracy_is_read_and_shuffles_the_columns_of_others() -> None:
    plan = read_plan("accuracy")
    assert len(plan.cases) == 17
    others = [contestant for contestant in plan.contestants if contestant.learning_class == "other packages"]
    assert others
    assert all("shuffled columns" in contestant.settings_text() for contestant in others)


def test_a_contestant_says_how_it_treats_missing_values(tmp_path: Path) -> None:
    plan = read_plan(str(write(tmp_path, GOOD + 'missing = "weighted"\n')))
    (contestant, _) = plan.contestants
    assert contestant.missing == "weighted"
    (plain, _) = read_plan(str(write(tmp_path, GOOD))).contestants
    assert plain.missing is None
    assert contestant.identity() != plain.identity()  # their results are not mixed up in a store


@pytest.mark.parametrize("value", ["ignore", "em"])
def test_an_unknown_way_to_treat_missing_values_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(MahcError, match=f"HC.*missing.*{value}") as refused:
        read_plan(str(write(tmp_path, GOOD + f'missing = "{value}"\n')))
    assert "\n" not in str(refused.value)


def test_the_shipped_plan_missing_compares_all_methods() -> None:
    plan = read_plan("missing")
    methods = {contestant.label: contestant.missing for contestant in plan.contestants if contestant.label != TRUTH}
    assert {"drop", "impute", "pairwise", "weighted", "structural-em"} <= set(methods.values())
    assert plan.data == ("clean", "mcar:0.1", "mar:0.1", "mnar:0.1", "mcar:0.3", "mar:0.3", "mnar:0.3")


def test_a_consensus_has_the_settings_of_a_bootstrap_as_keys(tmp_path: Path) -> None:
    known = {**declarations(BootstrapSettings), **declarations(ConsensusSettings)}
    head = GOOD.split("[[contestants]]")[0] + '[[contestants]]\nlabel = "both"\nconsensus = "boss"\n'
    values = {
        "resamples": 7,
        "seed": 3,
        "how": "half",
        "algorithm_seed": 5,
        "least": 2,
        "threshold": 0.25,
        "rule": "f1",
    }
    assert values.keys() == known.keys()  # a setting that is added there is a key of plans
    seen = set()
    for key, value in values.items():
        (contestant, _) = read_plan(write(tmp_path, f"{head}{key} = {json.dumps(value)}\n")).contestants
        assert getattr(contestant, key) == value
        seen.add(json.dumps(contestant.identity(), sort_keys=True))
        assert make_contestant(json.loads(json.dumps(contestant.to_dict()))) == contestant
    (usual, _) = read_plan(write(tmp_path, head)).contestants
    seen.add(json.dumps(usual.identity(), sort_keys=True))
    assert len(seen) == len(values) + 1  # a cell runs again when one of them changes


def test_the_shipped_plan_consensus_has_the_cases_of_the_paper_and_pairs() -> None:
    plan, paper = read_plan("consensus"), read_plan("paper")
    assert plan.cases == paper.cases
    assert (plan.sizes, plan.data, len(plan.seeds)) == ((100, 1000, 10_000), ("clean", "cMISL"), 5)
    labels = [contestant.label for contestant in plan.contestants if contestant.label != TRUTH]
    singles = [label for label in labels if "," not in label]
    assert set(labels) == {*singles, *(f"{label}, consensus" for label in singles)}
