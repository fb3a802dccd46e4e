#!/bin/sh
# ATF's compile script: the tuning parameters become macros.
# usage: compile.sh FOLDER
here=$(dirname "$0")
exec "${CC:-cc}" -O3 -DTILE_I="$BACO_PARAM_TILE_I" -DTILE_J="$BACO_PARAM_TILE_J" \
  -DSTEPS="$BACO_PARAM_STEPS" "$here/jacobi.c" -o "$1/jacobi" -lm
