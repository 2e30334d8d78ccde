"""Workflows, issue forms, citation and recipe: by their schemas, and equal to what they repeat."""

import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from mahc import __version__

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
SCHEMAS = {
    "vendor.github-workflows": WORKFLOWS,
    "custom.github-workflows-require-timeout": [path for path in WORKFLOWS if path.stem != "release"],
    "vendor.github-issue-forms": sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml")),
    "vendor.github-issue-config": [ROOT / ".github/ISSUE_TEMPLATE/config.yml"],
    "vendor.citation-file-format": [ROOT / "CITATION.cff"],
}


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def check_schema(schema, *files):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.long
@pytest.mark.skipif(find_spec("check_jsonschema") is None, reason="needs the extra `check`")
@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_follow_their_schemas(schema):
    assert SCHEMAS[schema], schema
    checked = check_schema(schema, *SCHEMAS[schema])
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.long
@pytest.mark.skipif(find_spec("check_jsonschema") is None, reason="needs the extra `check`")
def test_a_wrong_workflow_is_noticed(tmp_path):
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(read(".github/workflows/test.yml").replace("runs-on", "run-on"), encoding="utf-8")
    assert check_schema("vendor.github-workflows", wrong).returncode == 1


@pytest.mark.long
@pytest.mark.skipif(find_spec("pre_commit") is None, reason="needs the extra `check`")
def test_pre_commit_takes_its_configuration():
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(ROOT / ".pre-commit-config.yaml")]
    subprocess.run(command, check=True)


def test_the_recipe_is_one_of_rattler_build():
    rattler_build = pytest.importorskip("rattler_build", reason="needs the extra `check`")
    text = read("conda/recipe.yaml")
    assert rattler_build.Stage0Recipe.from_yaml(text).as_single_output().package is not None
    with pytest.raises(rattler_build.RattlerBuildError):
        rattler_build.Stage0Recipe.from_yaml(text.replace("requirements:", "requirement:"))


def test_the_recipe_needs_what_the_package_needs():
    run = re.search(r"^  run:\n((?:    - .*\n)+)", read("conda/recipe.yaml"), re.MULTILINE)
    needed = {line.strip("- ").replace(" ", "") for line in run[1].splitlines()} - {"python"}
    assert needed == {one.replace(" ", "") for one in PROJECT["dependencies"]}


@pytest.mark.parametrize(
    ("file", "pattern"), [("CITATION.cff", r"^version: (.+)$"), ("conda/recipe.yaml", r'version: "(.+)"')]
)
def test_the_version_is_the_same_everywhere(file, pattern):
    assert re.search(pattern, read(file), re.MULTILINE)[1] == __version__


def test_the_workflows_run_scripts_that_exist():
    found = set()
    for path in WORKFLOWS:
        for script in re.findall(r"run: (?:bash|sh|python) ([\w./-]+)", path.read_text(encoding="utf-8")):
            assert (ROOT / script).is_file() or script == "-m", f"{path.name}: {script}"
            found.add(script)
    assert {
        "tools/lowest.sh",
        "tools/run_readme.sh",
        "tools/check.sh",
        "tools/build_site.py",
        "tools/build_wheels.py",
        ".ci/run",
    } <= found
    called = read(".ci/run")
    for script in ("tools/lowest.sh", "tools/run_readme.sh", "tools/check.sh", "tools/build_site.py"):
        assert script in called, f"CI runs {script} and .ci/run does not"


def test_the_readme_holds_the_two_commands_that_ci_runs():
    commands = re.findall(r"^    (pip install .*(?:mahc learn asia|pytest))$", read("README.md"), re.MULTILINE)
    assert commands == ["pip install . && mahc learn asia", "pip install '.[test]' && python -m pytest"]


@pytest.mark.parametrize(
    ("words", "message"),
    [(["--machine", "riscv64"], "--machine riscv64 needs --glibc"), (["--glibc", "new"], "--glibc new: needed is")],
)
def test_wheels_that_nothing_here_can_compile_are_refused(words, message):
    command = [sys.executable, str(ROOT / "tools/build_wheels.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in done.stderr
