#!/usr/bin/env bash
# Measures what lower-variants.sh has written, on a machine with an NVIDIA GPU:
#
#   benchmarks/gpu/measure.sh VARIANTS RESULTS.csv [OPTION...]
#
# with options of baco-bench-gpu. Needs the driver and, if the runner isn't built,
# a C++20 compiler (CXX, or c++). With NVIDIA's assembler in PTXAS, kernels are
# assembled before, side by side, which the driver does one after another; those
# that it refuses are left to the driver.
set -euo pipefail
if [[ $# -lt 2 ]]; then
  sed -n 's/^#   benchmarks/usage: benchmarks/p' "$0" >&2
  exit 1
fi
variants=$1 results=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
# The runner to use, if it is elsewhere.
runner=${BACO_BENCH_GPU:-$root/build/release/bin/baco-bench-gpu}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ ! -x $runner ]]; then
  runner=$work/baco-bench-gpu
  "${CXX:-c++}" -std=c++20 -O2 -I"$root/include" \
    "$root"/benchmarks/gpu/{KernelList,Limits,Matmul,baco-bench-gpu}.cpp \
    "$root/lib/Device/CudaDriver.cpp" "$root"/lib/Support/{NvidiaGpu,Outcome}.cpp -ldl \
    -o "$runner"
fi
list=$variants/kernels.list
if [[ -n ${PTXAS:-} ]]; then
  assemble() { # FILE
    "$PTXAS" -arch="$(sed -n 's/^\.target \([^, ]*\).*/\1/p' "$variants/$1")" \
      "$variants/$1" -o "$work/$1" 2>/dev/null || cp "$variants/$1" "$work/$1"
  }
  export -f assemble
  export PTXAS variants work
  awk '!/^#/ { print $2 }' "$list" | xargs -P "$(nproc)" -I{} bash -c 'assemble {}'
  cp "$list" "$work/kernels.list"
  list=$work/kernels.list
fi
code=0
"$runner" "$list" "$@" >"$work/measured" || code=$?
[[ $code == 0 ]] || exit "$code"

# Kernel vN is line N + 1 of the configurations: {"BM":16,...}.
{
  echo "# $(date -u +%Y-%m-%d), baco-bench-gpu $*"
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem \
      --format=csv,noheader | sed 's/^/# now: /'
  fi
  awk '
    FILENAME ~ /configurations.json$/ {
      gsub(/[{}"]/, "")
      count = split($0, fields, ",")
      names = values = ""
      for (i = 1; i <= count; ++i) {
        split(fields[i], pair, ":")
        names = names pair[1] ","
        values = values pair[2] ","
      }
      header = names "cost,"
      configuration["v" FNR - 1] = values
      next
    }
    { id = $0; sub(/,.*/, "", id); rest = substr($0, length(id) + 2) }
    FILENAME ~ /costs.csv$/ { configuration[id] = configuration[id] rest ","; next }
    /^#/ { print; next }
    id == "id" { print header rest; next }
    { print configuration[id] rest }
  ' "$variants/configurations.json" "$variants/costs.csv" "$work/measured"
} >"$results"
