#!/usr/bin/env bash
# From a fresh Debian 12 to a tuned kernel: installs what is missing, builds,
# tunes examples/matmul.mlir and shows what it gained.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset release >/dev/null
cmake --build --preset release --target baco-tune-driver baco-worker baco-opt

out=build/quickstart
rm -rf "$out"
mkdir -p "$out"
build/release/bin/baco-tune-driver examples/matmul.mlir --budget=60 --seed=1 \
  --output-dir="$out"
echo "quickstart: the tools are in build/release/bin; cmake --build --preset release builds the others, too"
