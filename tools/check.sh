#!/bin/sh
# Everything that must hold: format, lint, types, layers, tests with doctests, the C++ core. The long tests run the README and the pages of the site.
# MAHC_TESTS_DONE=1 leaves the tests out (CI has run them already, with the README's command).
# usage: tools/check.sh   (in an environment with the extras test and check, nanobind, scikit-build-core)
set -eu
cd "$(dirname "$0")/.."
ruff format --check .
ruff check .
mypy
lint-imports
[ -n "${MAHC_TESTS_DONE:-}" ] || { python -m pytest && python -m pytest -m long; }
sh tools/cpp_check.sh
sh tools/sanitize.sh
sh tools/tsan.sh
echo "all checks passed"
