#!/usr/bin/env bash
# The lowest declared versions hold: install them into an empty environment, and run tests against the installed wheel.
# (The newest versions are what pip installs everywhere else.)
# usage: tools/lowest.sh [PYTEST ARGUMENTS]
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python -m venv "$place/venv"
python -m pip install --quiet uv
python -m uv pip install --quiet --python "$place/venv/bin/python" --resolution lowest-direct '.[test,ui,mcp,excel,stats-files,duckdb]'
python -m uv pip list --quiet --python "$place/venv/bin/python" | grep -iE '^(numpy|polars|narwhals|msgspec|cyclopts|rich|pandas|pyarrow) '
"$place/venv/bin/python" -m pytest "$@"
