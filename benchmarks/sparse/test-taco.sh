#!/usr/bin/env bash
# Compares with TACO where a tool of that name is found: a script that knows one
# kernel.
# usage: test-taco.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() {
  "$program" --small --case='rmat(' --row="$1" >"$work/log"
}
expect() { # PATTERN
  grep -q -- "$1" "$work/log" ||
    { echo "no '$1' in:" && cat "$work/log" && exit 1; }
}

# Where it isn't installed, it isn't mentioned.
if ! command -v taco >/dev/null; then
  run spmv
  if grep TACO "$work/log"; then exit 1; fi
fi

mkdir "$work/bin"
cat >"$work/bin/taco" <<'END'
#!/usr/bin/env bash
if [[ $# != 3 || $1 != 'y(i) = B(i,k) * x(k)' ]]; then
  echo "Error: expression not known"
  exit 6
fi
[[ $2 == -write-source=* && $3 == -f=B:ds ]] || exit 1
cat >"${2#*=}" <<CODE
#include <complex.h>
#include <stdint.h>
typedef struct {
  int32_t order, *dimensions, csize, *mode_ordering;
  int *mode_types;
  uint8_t ***indices, *vals, *fill_value;
  int32_t vals_size;
} taco_tensor_t;
int compute(taco_tensor_t *y, taco_tensor_t *b, taco_tensor_t *x) {
  int32_t *pos = (int32_t *)b->indices[1][0];
  int32_t *crd = (int32_t *)b->indices[1][1];
  if (y->dimensions[0] != b->dimensions[0] ||
      x->dimensions[0] != b->dimensions[1])
    return 1;
  for (int32_t i = 0; i < b->dimensions[0]; ++i) {
    double sum = ${FIRST:-0};
    for (int32_t p = pos[i]; p < pos[i + 1]; ++p)
      sum += ((double *)b->vals)[p] * ((double *)x->vals)[crd[p]];
    ((double *)y->vals)[i] = sum;
  }
  return 0;
}
CODE
END
chmod +x "$work/bin/taco"
export PATH=$work/bin:$PATH
run spmv
expect ' TACO  *agrees$'
expect ' TACO, gcc  *agrees$'
# What the tool can't do is said, and doesn't end the program.
run sddmm
expect " TACO  *$work/bin/taco failed: Error: expression not known"
expect ' expert  *agrees$'
# Its results are compared.
if FIRST=1 run spmv; then exit 1; fi
expect 'error: wrong result: .* by TACO$'
