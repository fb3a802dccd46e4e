#!/usr/bin/env bash
# From a fresh Debian 12 to a tuned kernel: installs what is missing, builds the
# tools, tunes examples/matmul.mlir and shows what it gained.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
# From scratch, few large files are compiled faster than many small ones.
build=build/quick
export CCACHE_SLOPPINESS=pch_defines,time_macros
cmake --preset release -B "$build" -DCMAKE_UNITY_BUILD=ON -DBACO_ENABLE_TESTS=OFF \
  -DBACO_ENABLE_BENCHMARKS=OFF >/dev/null
cmake --build "$build" --target baco baco-tune-driver baco-worker baco-opt

out=build/quickstart
rm -rf "$out"
mkdir -p "$out"
"$build/bin/baco-tune-driver" examples/matmul.mlir --budget=60 --seed=1 --output-dir="$out"
