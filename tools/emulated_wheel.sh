#!/usr/bin/env bash
# Run a wheel for aarch64 on a Linux machine with another processor: Debian's Python for arm64 under qemu-user, in a
# folder of its own. Nothing is installed, but apt must be there. Prints the graph of asia, and runs tests if named.
# usage: tools/emulated_wheel.sh WHEEL [PYTEST ARGUMENTS]
set -euo pipefail
wheel=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
case $wheel in
  *-abi3-*_aarch64.whl) suite=trixie version=3.13 ;;
  *-cp311-cp311-*_aarch64.whl) suite=bookworm version=3.11 ;;
  *) echo "$wheel: needed is a wheel for aarch64 of Python 3.11 or abi3, from build_wheels.py --machine aarch64" >&2; exit 2 ;;
esac
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

unpacked() {  # SUITE ARCHITECTURE FOLDER PACKAGES: Debian's packages and all that they need
  local state=$3.apt
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$3"
  : >"$state/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $1 main" >"$state/sources"
  cat >"$state/conf" <<END
APT::Architecture "$2";
APT::Architectures { "$2"; };
APT::Sandbox::User "$(id -un)";
Dir::State "$state";
Dir::State::status "$state/status";
Dir::Cache "$state/cache";
Dir::Etc::SourceList "$state/sources";
Dir::Etc::SourceParts "/dev/null";
END
  APT_CONFIG=$state/conf apt-get -qq update
  APT_CONFIG=$state/conf apt-get -qq -y --no-install-recommends --download-only install "${@:4}"
  for package in "$state"/cache/archives/*.deb; do dpkg -x "$package" "$3"; done
  [ -e "$3/lib" ] || ln -s usr/lib "$3/lib"  # /usr is merged from trixie on
}

unpacked bookworm "$(dpkg --print-architecture)" "$place/qemu" qemu-user-static
unpacked "$suite" arm64 "$place/root" "python$version" libstdc++6
python=("$place/qemu/usr/bin/qemu-aarch64-static" "$place/root/usr/bin/python$version")

platforms=(--platform manylinux2014_aarch64)
for minor in $(seq 17 28); do platforms+=(--platform "manylinux_2_${minor}_aarch64"); done
python3 -m pip install --quiet --target "$place/site" --only-binary :all: --implementation cp \
  --python-version "$version" "${platforms[@]}" "$wheel$([ $# -eq 0 ] || echo '[test]')"

export QEMU_LD_PREFIX=$place/root PYTHONPATH=$place/site
"${python[@]}" -c 'import platform; print(platform.machine(), platform.python_version())'
"${python[@]}" -m mahc learn asia
"${python[@]}" tools/emulated_kernels.py
[ $# -eq 0 ] || "${python[@]}" -m pytest -n 0 -p no:cacheprovider "$@"
