# What the scripts that tune with several seeds share; they source it.

# fail MESSAGE
fail() {
  echo "$(basename "$0"): error: $1" >&2
  exit 1
}

# read_options BUDGET ARGUMENT...: sets check (0 or 1), budget (BUDGET unless
# given), markdown (a file or nothing), seeds, build, options (what is left),
# work (a folder that is removed in the end) and command (for the table).
read_options() {
  check=0 budget=$1 markdown=
  shift
  command="$(basename "$0")"
  for argument in "$@"; do
    [[ $argument == --markdown=* ]] || command+=" $argument"
  done
  while [[ ${1:-} == --* ]]; do
    case $1 in
    --check) check=1 ;;
    --budget=*) budget=${1#*=} ;;
    --markdown=*) markdown=${1#*=} ;;
    *) fail "unknown option '$1'; there are --check, --budget=N and --markdown=FILE" ;;
    esac
    shift
  done
  seeds=${1:-10}
  [[ $seeds =~ ^[1-9][0-9]*$ ]] || fail "SEEDS must be a positive number, not '$seeds'"
  build=${2:-build/release}
  options=("${@:3}")
  [[ -x $build/bin/baco-bench-table ]] || fail "there is no program '$build/bin/baco-bench-table'"
  if [[ -n $markdown ]]; then
    "$build/bin/baco-bench-table" --check "$markdown"
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
}

# finish REACHED...: adds the table $work/table.json to the file of --markdown.
# With --check, fails unless each of the numbers is at least 8 of 10 seeds.
finish() {
  if [[ -n $markdown ]]; then
    "$build/bin/baco-bench-table" "$markdown" <"$work/table.json"
  fi
  if ((check)); then
    for reached in "$@"; do
      ((reached * 10 >= seeds * 8)) || exit 1
    done
  fi
}
