#!/bin/sh
# The C++ core: formatted as .clang-format says, and free of warnings, which are errors here.
# usage: tools/cpp_check.sh   (in an environment with the extra `check`, nanobind, cmake and a compiler)
set -eu
cd "$(dirname "$0")/.."
python=$(python -c 'import sys; print(sys.executable)')

find src/mahc/engine/cpp src/mahc/data/cpp \( -name '*.cpp' -o -name '*.hpp' -o -name '*.inl' \) -exec clang-format --dry-run --Werror {} +

# nanobind's headers are third-party code: as system headers they give no warnings.
mkdir -p build
cmake -S . -B build/strict -DMAHC_STRICT=ON -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE="$python" \
  -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" \
  -DCMAKE_CXX_FLAGS="-isystem $("$python" -m nanobind --include_dir)" >build/strict.log 2>&1 ||
  { cat build/strict.log; exit 1; }
cmake --build build/strict --parallel
