#!/usr/bin/env bash
# Installs what baco needs on Debian 12 and checks the versions. Says what it
# does; does nothing when everything is there. Run as root, or with sudo.
#
# usage: scripts/setup.sh [--all] [--check]   --all: what is optional, too
#                                             --check: only report what is missing
set -euo pipefail

packages=(
  mlir-22-tools libmlir-22-dev llvm-22-dev llvm-22-tools # MLIR 22, lit, FileCheck
  clang-22 lld-22 libomp-22-dev cmake ninja-build ccache # build
  libeigen3-dev liblbfgspp-dev                           # linear algebra, L-BFGS
  nlohmann-json3-dev libsqlite3-dev zlib1g-dev           # formats, journal
  libgtest-dev libclang-rt-22-dev python3                # tests, sanitizers
  clang-format-22 clang-tidy-22                          # .ci/check-format, check-tidy
  libisl-dev libpolly-22-dev                             # polyhedral model
  libopenblas-dev libblis-dev libatlas-base-dev gcc g++  # benchmarks/
  libdnnl-dev libxsmm-dev                                # the same
)

optional=(
  pybind11-dev python3-dev python3-numpy                 # the module for Python
  yosys nextpnr-ice40                                    # examples/programs/fir
  libnats-dev nats-server openssl                        # --engine=nats, its tests
  dpkg-dev                                               # cpack -G DEB
  mkdocs                                                 # scripts/docs-site.sh
  python3-jsonschema                                     # tests of docs/schemas
  help2man fish                                          # pages of the manual, tests of completion
)

checks=0
for option in "$@"; do
  case $option in
  --all) packages+=("${optional[@]}") ;;
  --check) checks=1 ;;
  *)
    echo "setup: unknown option '$option'" >&2
    exit 1
    ;;
  esac
done

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $state == "install ok installed" ]] || missing+=("$package")
done

if [[ ${#missing[@]} -eq 0 ]]; then
  echo "setup: all ${#packages[@]} packages are installed"
elif [[ $checks -eq 1 ]]; then
  echo "setup: missing: ${missing[*]}" >&2
  exit 1
else
  run=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || {
      echo "setup: run as root, or install: ${missing[*]}" >&2
      exit 1
    }
    run=(sudo)
  fi
  echo "setup: installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  "${run[@]}" apt-get update -qq
  "${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

prefix=/usr/lib/llvm-22
version=$("$prefix/bin/llvm-config" --version)
case $version in
22.*) echo "setup: LLVM and MLIR $version in $prefix" ;;
*)
  echo "setup: $prefix holds LLVM $version, but baco needs 22" >&2
  exit 1
  ;;
esac
for tool in mlir-opt clang++ lld lit FileCheck mlir-tblgen; do
  [[ -x $prefix/bin/$tool ]] || {
    echo "setup: $prefix/bin/$tool is missing: reinstall ${packages[*]:0:6}" >&2
    exit 1
  }
done
