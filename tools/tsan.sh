#!/bin/sh
# Builds the core with the thread sanitizer, away from the installed one, and learns with all algorithms on four
# threads, and with several Python threads that share one scorer; any report ends the run with an error.
# usage: tools/tsan.sh   (in an environment that runs the tests; Linux, gcc)
set -eu
cd "$(dirname "$0")/.."
place=build/tsan
python=$(python -c 'import sys; print(sys.executable)')

# A throwaway environment, as in tools/sanitize.sh.
rm -rf "$place/venv"
"$python" -m venv --without-pip "$place/venv"
site=$("$place/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
"$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))' >"$site/borrowed.pth"
"$python" -m pip install --quiet --no-deps --no-build-isolation --target "$site" \
  -C cmake.define.MAHC_SANITIZE_THREADS=ON -C build-dir="$place/cmake" .

# Without random addresses: some versions of the sanitizer do not know the ranges that Linux uses for them.
fixed=""
setarch "$(uname -m)" -R true 2>/dev/null && fixed="setarch $(uname -m) -R"
export TSAN_OPTIONS="halt_on_error=0:exitcode=66:report_signal_unsafe=0:suppressions=$PWD/tools/tsan.supp"
LD_PRELOAD="$(gcc -print-file-name=libtsan.so)" $fixed "$place/venv/bin/python" tools/tsan_learn.py
