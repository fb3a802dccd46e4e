#!/usr/bin/env bash
# Writes a kernel of benchmarks/gpu at the extents of its line "// Reduced by: SCRIPT".
# usage: reduce-extents.sh FILE
set -euo pipefail
script=$(sed -n 's,^// Reduced by: ,,p' "$1")
[[ -n $script ]]
sed -E "$script" "$1"
