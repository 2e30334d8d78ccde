#!/usr/bin/env bash
# The README's two commands, word for word, in the Python of PATH: install and learn, install and test.
# usage: tools/run_readme.sh   (in an empty environment)
set -euo pipefail
cd "$(dirname "$0")/.."
first=$(sed -n 's/^    \(pip install .*mahc learn asia\)$/\1/p' README.md)
second=$(sed -n 's/^    \(pip install .*pytest\)$/\1/p' README.md)
[ -n "$first" ] && [ -n "$second" ] || { echo "the README lacks one of its two commands"; exit 1; }
echo "+ $first" && bash -c "$first"
echo "+ $second" && bash -c "$second"
