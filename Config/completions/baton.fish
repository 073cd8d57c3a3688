# Completion of baton(1) for fish. `baton __complete` knows what can follow.

function __baton_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l lines (timeout 2 baton __complete -- $words[2..] "$word" 2>/dev/null </dev/null)
    set -l prefix (string match -r -- '^--[^=]*=' $word)
    switch "$lines[1]"
        case words
            string join \n -- $lines[2..]
        case files
            printf '%s\n' $prefix(__fish_complete_path (string replace -r -- '^--[^=]*=' '' $word))
        case hosts
            printf '%s\n' $prefix(__fish_print_hostnames)
    end
end

complete -c baton -f -a '(__baton_complete)'
