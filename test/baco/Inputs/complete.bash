# complete.bash FILE WORD...: prints what FILE makes of the last WORD.
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMPREPLY=()
_baco "$1" 2>/dev/null
echo "${COMPREPLY[@]}."
