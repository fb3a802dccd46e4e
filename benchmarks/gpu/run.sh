#!/usr/bin/env bash
# Measures what lower-variants.sh has written, on a machine with an NVIDIA GPU:
#
#   benchmarks/gpu/run.sh VARIANTS RESULTS.csv [OPTION...]
#
# with options of baco-bench-gpu. Needs the driver and, if the runner isn't built,
# a C++20 compiler (CXX, or c++).
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
    "$root"/benchmarks/gpu/{KernelList,Matmul,baco-bench-gpu}.cpp \
    "$root/lib/Device/CudaDriver.cpp" "$root/lib/Support/Outcome.cpp" -ldl \
    -o "$runner"
fi
code=0
"$runner" "$variants/kernels.list" "$@" >"$work/measured" || code=$?
[[ $code == 0 ]] || exit "$code"

# Kernel vN is line N + 1 of the configurations: {"BM":16,...}.
{
  echo "# $(date -u +%Y-%m-%d), baco-bench-gpu $*"
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem \
      --format=csv,noheader | sed 's/^/# now: /'
  fi
  awk '
    FNR == NR {
      gsub(/[{}"]/, "")
      count = split($0, fields, ",")
      names = values = ""
      for (i = 1; i <= count; ++i) {
        split(fields[i], pair, ":")
        names = names pair[1] ","
        values = values pair[2] ","
      }
      header = names
      configuration["v" FNR - 1] = values
      next
    }
    /^#/ { print; next }
    /^id,/ { print header substr($0, 4); next }
    { id = $0; sub(/,.*/, "", id); print configuration[id] substr($0, length(id) + 2) }
  ' "$variants/configurations.json" "$work/measured"
} >"$results"
