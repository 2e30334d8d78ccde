#!/bin/sh
# Everything that must hold beside the tests: format, lint, types, the C++ core, the README's examples.
# usage: tools/check.sh   (in an environment with the extras test and check, nanobind, scikit-build-core)
set -eu
cd "$(dirname "$0")/.."
ruff format --check .
ruff check .
mypy
sh tools/cpp_check.sh
sh tools/sanitize.sh
python tools/run_readme.py
echo "all checks passed"
