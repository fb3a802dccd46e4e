# Completion of baco's programs for bash. Commands and options are those that
# --help lists, so that none is forgotten here.

# Prints what may follow `$@`, a program and perhaps one of its commands.
_baco_words() {
  local help
  help=$("$@" --help 2>/dev/null) || return
  if [[ $# -eq 1 || $2 == @(study|space|tensor|cluster) ]]; then
    grep -oE '^  [a-z][a-z-]*' <<<"$help"
  fi
  # The '=' stays, as a value follows.
  grep -oE -- '--[a-z][a-z0-9-]*=?' <<<"$help" | sort -u
}

_baco() {
  local word=${COMP_WORDS[COMP_CWORD]} place=$COMP_CWORD
  local -a program=("$1")
  if [[ ${1##*/} == baco && $place -gt 1 ]]; then
    program+=("${COMP_WORDS[1]}")
  elif [[ ${1##*/} != baco ]]; then
    place=2
  fi
  # A name belongs behind the command; files are the shell's business.
  [[ $word == -* || $place -eq 1 || ($place -eq 2 && ${#program[@]} -eq 2) ]] || return
  COMPREPLY=($(compgen -W "$(_baco_words "${program[@]}")" -- "$word"))
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  return 0
}

complete -o default -F _baco baco baco-tune-driver baco-worker
