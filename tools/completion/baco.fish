# Completion of baco's programs for fish. Commands and options are those that
# --help lists, so that none is forgotten here.

function __baco_words
    set -l words (commandline -opc)
    set -l program $words[1]
    if test (basename -- $program) = baco; and test (count $words) -gt 1
        set -a program $words[2]
    end
    set -l help ($program --help 2>/dev/null)
    if test (basename -- $words[1]) = baco; and test (count $words) -le 2
        if test (count $words) -eq 1; or contains -- $words[2] study space tensor cluster
            string match -rg '^  ([a-z][a-z-]*)' -- $help
        end
    end
    # The '=' stays, as a value follows.
    string match -arg '(--[a-z][a-z0-9-]*=?)' -- $help
end

for program in baco baco-tune-driver baco-worker
    complete -c $program -a '(__baco_words)'
end
