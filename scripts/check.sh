#!/usr/bin/env bash
# Installs what is missing, builds everything, and runs all tests.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset release >/dev/null
cmake --build --preset release
ctest --preset release --parallel "$(nproc)"
