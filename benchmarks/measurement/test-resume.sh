#!/usr/bin/env bash
# test-resume.sh PROGRAM FOLDER: that comparisons are recorded, and that the same
# command makes only those that are missing.
set -euo pipefail
program=$1 folder=$2
records=$folder/resume-test.jsonl
rm -f "$records"
options=(--equal=4 --different=4 --final-time=8 --records="$records")

"$program" "${options[@]}" --trials=2 --load=1 > "$folder/resume-test.1.txt"
grep -q "2 trials of each kernel" "$folder/resume-test.1.txt"
grep -q "^8 comparisons in" "$folder/resume-test.1.txt"
[[ $(wc -l < "$records") == 8 ]]
for kernel in matmul stencil triad small; do
  [[ $(grep -c "\"kernel\":\"$kernel\"" "$records") == 2 ]]
done

# It was killed while it wrote the last line.
head -c -9 "$records" > "$records.cut" && mv "$records.cut" "$records"
rm -f "$folder/resume-test.md"
"$program" "${options[@]}" --markdown="$folder/resume-test.md" \
  > "$folder/resume-test.2.txt"
grep -q "^## Comparisons$" "$folder/resume-test.md"
[[ $(grep -cE "^\| (equal|longer) \| [a-z]+ \| 1 \|" "$folder/resume-test.md") == 8 ]]
grep -q "^1 comparisons in" "$folder/resume-test.2.txt"
[[ $(wc -l < "$records") == 8 ]]

echo "not a record" >> "$records"
if "$program" "${options[@]}" 2> "$folder/resume-test.3.txt"; then exit 1; fi
grep -q "has a line that is not a record of a comparison: not a record" \
  "$folder/resume-test.3.txt"
