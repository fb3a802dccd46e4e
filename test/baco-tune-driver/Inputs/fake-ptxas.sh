#!/bin/sh
# ptxas for tests: says of each kernel what ptxas -v does, or what $FAKE_PTXAS
# wants. Each kernel with FMAs takes $FAKE_REGISTERS (40) registers. Each call adds
# a line to $FAKE_CALLS.
case $* in
"-arch=sm_"[0-9][0-9]" --version")
  case $FAKE_PTXAS in
  old) echo "ptxas fatal   : Value '${1#-arch=}' is not defined for option 'gpu-name'"; exit 255 ;;
  silent) exit 0 ;;
  esac
  test -z "$FAKE_CALLS" || echo version >>"$FAKE_CALLS"
  echo "ptxas: NVIDIA (R) Ptx optimizing assembler"
  echo "Cuda compilation tools, release 1.2, V1.2.${FAKE_VERSION:-3}"
  exit 0 ;;
"-v -arch=sm_"[0-9][0-9]" /dev/stdin -o /proc/self/fd/"*) ;;
*) echo "fatal   : unexpected arguments: $*"; exit 255 ;;
esac
text=$(cat "$3")
kernels=$(echo "$text" | sed -n 's/^\.visible \.entry \([A-Za-z0-9_]*\)(.*/\1/p')
test -n "$kernels" || { echo "$3, line 1; fatal   : Missing .version directive"; exit 255; }
case $FAKE_PTXAS in
shared)
  # Only what is larger than 8 KiB, as static shared memory above 48 KiB is.
  bytes=$(echo "$text" | sed -n 's/.*\.shared .*\[\([0-9]*\)\];/\1/p' | sort -n | tail -1)
  if test "${bytes:-0}" -gt 8192; then
    echo "ptxas error   : Entry function '$kernels' uses too much shared data ($bytes bytes, 0x2000 max)" >&2
    exit 255
  fi ;;
crash) kill -SEGV $$ ;;
mute) exit 0 ;;
# An assembler that makes wrong code.
barriers) text=$(echo "$text" | sed '/bar\.sync/d') ;;
hang) echo $$ >>"$FAKE_PIDS"; exec sleep 1000 ;;
esac
test -z "$FAKE_CALLS" || echo assembly >>"$FAKE_CALLS"
# The code is the text, which the fake driver takes.
echo "$text" >"$5"
for kernel in $kernels; do
  cat >&2 <<EOF
ptxas info    : Compiling entry function '$kernel' for '${2#-arch=}'
ptxas info    : Function properties for $kernel
    16 bytes stack frame, ${FAKE_SPILLS:-0} bytes spill stores, ${FAKE_SPILLS:-0} bytes spill loads
ptxas info    : Used ${FAKE_REGISTERS:-40} registers, used 1 barriers, 4096 bytes smem
EOF
done
