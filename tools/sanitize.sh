#!/bin/sh
# Builds the core with address and undefined-behaviour sanitizers, away from the installed one, and runs the
# engine's tests on it; any report of a sanitizer ends the run with an error.
# usage: tools/sanitize.sh [pytest arguments]   (in an environment that runs the tests; Linux, gcc)
set -eu
cd "$(dirname "$0")/.."
place=build/sanitize
python=$(python -c 'import sys; print(sys.executable)')

# A throwaway environment that borrows everything but mahc from this one: a path in a .pth file adds the
# packages there, but not the import hook of an editable mahc.
rm -rf "$place/venv"
"$python" -m venv --without-pip "$place/venv"
site=$("$place/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
"$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))' >"$site/borrowed.pth"
"$python" -m pip install --quiet --no-deps --no-build-isolation --target "$site" \
  -C cmake.define.MAHC_SANITIZE=ON -C build-dir="$place/cmake" .

export LD_PRELOAD="$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)"
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=99
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export MAHC_TEST_EXAMPLES="${MAHC_TEST_EXAMPLES:-12}"
"$place/venv/bin/python" -c '
import sys
from mahc.engine import _native
sys.exit(0 if sys.prefix in _native.__file__ else f"not the sanitized core: {_native.__file__}")'
[ $# -gt 0 ] || set -- tests/engine tests/data/sources/test_text_codes.py tests/scores tests/independence tests/algorithms/exact/test_enumeration.py \
  tests/algorithms/constraint_based tests/algorithms/score_based -m "not long and not peers"
# Only Python's own output is captured: a report goes to the terminal as it is written.
"$place/venv/bin/python" -m pytest -p no:cacheprovider --capture=sys "$@"
