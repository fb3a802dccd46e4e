# Compares sizes of spaces with those of a paper; sourced by scripts. `bin` is the folder
# of a build's tools.

# expect_sizes NAME SPACE ALL FEASIBLE: fails unless the space in the file SPACE has ALL
# configurations, and FEASIBLE of them satisfy the known constraints.
expect_sizes() {
  local sizes
  sizes=$("$bin/baco" space count "$2" | awk '{ print $2 }' | xargs)
  echo "$1: $sizes"
  if [[ $sizes != "$4 $3" ]]; then
    echo "$1: expected $4 feasible configurations of $3" >&2
    exit 1
  fi
}
