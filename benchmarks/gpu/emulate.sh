#!/usr/bin/env bash
# Checks the kernels of this folder without a GPU: runs the default and drawn
# configurations of each, at reduced extents, in baco's emulator and compares the
# results with plain code. Fails if one is wrong.
# usage: emulate.sh BACO_BENCH_DRAWS [FILE] [OPTIONS], e.g. --draws=30
#
# FILE is relative to this folder; without one, all are taken.
# A line of a file, `// Reduced by: s/1024/128/g`, is the sed script that reduces
# its extents.
set -euo pipefail
if [[ $# -lt 1 ]]; then
  sed -n 's/^# usage:/usage:/p' "$0" >&2
  exit 1
fi
program=$(realpath "$1")
shift
cd "$(dirname "$0")"
only=
if [[ $# -gt 0 && $1 != -* ]]; then
  only=$1
  shift
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while read -r file; do
  script=$(sed -n 's,^// Reduced by: ,,p' "$file")
  if [[ -z $script ]]; then
    echo "$file: there is no line '// Reduced by: SCRIPT'" >&2
    exit 1
  fi
  mkdir -p "$work/$(dirname "$file")"
  sed -E "$script" "$file" >"$work/$file"
done < <(find ./$only -name '*.mlir' | sed 's,^\./,,' | sort)
cd "$work"
find . -name '*.mlir' -printf '%P\n' | sort | xargs "$program" --emulate --all "$@"
