#!/usr/bin/env bash
# Writes a table, replaces it, and gives tables that are wrong.
#
# usage: test-table.sh PROGRAM FOLDER
set -euo pipefail
program=$1
file=$2/table-test.md
rm -f "$file"

# table TITLE CELL: a table as the program reads it.
table() {
  echo "{\"program\": \"some.sh\", \"command\": \"some.sh 3\", \"title\": \"$1\",
         \"columns\": [\"seed\", \"ms\"], \"rows\": [[\"1\", \"$2\"]],
         \"notes\": [\"a note\"]}"
}
# expect TEXT FILE: fails unless the file has a line with the text.
expect() {
  grep -qF -- "$1" "$2" || { echo "expected: $1"; cat "$2"; exit 1; }
}
# expect_error TEXT TABLE: fails unless the table is refused with the text.
expect_error() {
  if "$program" "$file" <<<"$2" 2>"$file.log"; then
    echo "expected an error: $1"
    exit 1
  fi
  expect "error: $1" "$file.log"
}

"$program" --check "$file"
table one old | "$program" "$file"
table two 2.5 | "$program" "$file"
table one new | "$program" "$file"
expect "# Results of some.sh" "$file"
expect '; `some.sh 3`' "$file"
expect "| 1 | new |" "$file"
expect "| 1 | 2.5 |" "$file"
expect "* a note" "$file"
if grep -q old "$file"; then
  echo "expected: the first table is replaced"
  exit 1
fi

expect_error "a row of 1 cells in a table of 0 columns" \
  '{"program": "p", "command": "c", "title": "t", "columns": [], "rows": [["1"]]}'
expect_error "the table is not what --help describes" '{"title": "t"}'
expect_error "the table is not what --help describes" 'no JSON'
if "$program" --check /nowhere/results.md 2>"$file.log"; then
  exit 1
fi
expect "error: /nowhere/results.md: cannot be written" "$file.log"
