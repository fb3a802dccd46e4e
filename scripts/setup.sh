#!/usr/bin/env bash
# Installs what baco needs on Debian 12 and checks the versions. Says what it
# does; does nothing when everything is there. Run as root, or with sudo.
#
# usage: scripts/setup.sh [--package | --all] [--check]
#   --package: what a Debian package of baco has, too, and npm's echarts, into
#              third_party
#   --all:     what is optional, too
#   --check:   only report what is missing
set -euo pipefail

packages=(
  mlir-22-tools libmlir-22-dev llvm-22-dev llvm-22-tools # MLIR 22, lit, FileCheck
  clang-22 lld-22 libomp-22-dev cmake ninja-build ccache # build
  libeigen3-dev liblbfgspp-dev                           # linear algebra, L-BFGS
  nlohmann-json3-dev libsqlite3-dev zlib1g-dev           # formats, journal
  libgtest-dev libgmock-dev libclang-rt-22-dev python3   # tests, sanitizers
  clang-format-22 clang-tidy-22                          # .ci/check-format, check-tidy
  libisl-dev libpolly-22-dev                             # polyhedral model
  libboost-context-dev                                   # the emulator's fibers
  libopenblas-dev libblis-dev libatlas-base-dev gcc g++  # benchmarks/
  libdnnl-dev libxsmm-dev                                # the same
)

packaged=(
  pybind11-dev python3-dev                               # the module for Python
  libcpp-httplib-dev libssl-dev pkg-config               # --live
  dpkg-dev file help2man                                 # cpack -G DEB, pages of the manual
)

optional=(
  python3-numpy                                          # journals as arrays
  yosys nextpnr-ice40                                    # examples/programs/fir
  libnats-dev nats-server openssl                        # --engine=nats, its tests
  mkdocs                                                 # scripts/docs-site.sh
  python3-jsonschema                                     # tests of docs/schemas
  fish                                                   # tests of completion
  qemu-user libc6-dev-arm64-cross libgcc-12-dev-arm64-cross # tests of code for AArch64
  ocl-icd-libopencl1 pocl-opencl-icd                     # OpenCL on the CPU, for tests
  libclblast-dev ocl-icd-opencl-dev                      # benchmarks/opencl
  chromium chromium-driver python3-selenium              # tests of baco report's page
)

# The library of plots in the page of baco report, by npm, at one version. CMake
# embeds it where it is.
echarts="echarts-6.1.0"
echarts_sha512=ab4c9a14f8200bd15476c587e1b95abd15859b176b22875b92828d02326e74023a080f6034fc47b55d917193447a9655964e32bc16243a46e4e87215a48c8764
echarts_folder=$(cd "$(dirname "$0")/.." && pwd)/third_party/echarts

charts=0
checks=0
for option in "$@"; do
  case $option in
  --all | --package)
    charts=1
    packages+=("${packaged[@]}")
    [[ $option == --package ]] || packages+=("${optional[@]}")
    # Other packages of Node.js bring npm along.
    command -v npm >/dev/null || packages+=(npm)
    ;;
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
  apt-cache show mlir-22-tools >/dev/null 2>&1 || {
    echo "setup: apt has no MLIR 22: add bookworm-security, where it is, to /etc/apt/sources.list" >&2
    exit 1
  }
  "${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# Takes the library out of its archive once that is the one we know.
install_echarts() {
  local folder
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' RETURN
  (cd "$folder" && npm pack --loglevel=error "${echarts/-/@}" >/dev/null) || return
  echo "$echarts_sha512  $folder/$echarts.tgz" | sha512sum --check --quiet - || return
  tar -xzf "$folder/$echarts.tgz" -C "$folder" package/dist/echarts.min.js package/LICENSE package/NOTICE
  mkdir -p "$echarts_folder"
  cp "$folder"/package/{dist/echarts.min.js,LICENSE,NOTICE} "$echarts_folder"
  echo "$echarts" >"$echarts_folder/version"
}

if [[ $charts -eq 1 ]]; then
  if [[ $(cat "$echarts_folder/version" 2>/dev/null) == "$echarts" ]]; then
    echo "setup: $echarts is in $echarts_folder"
  elif [[ $checks -eq 1 ]]; then
    echo "setup: missing: $echarts in $echarts_folder" >&2
    exit 1
  else
    echo "setup: getting $echarts"
    install_echarts || {
      echo "setup: cannot get $echarts by npm; without it baco report writes no page" >&2
      exit 1
    }
  fi
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
