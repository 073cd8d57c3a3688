# Completion of baton(1) for fish.

# The words before the cursor that are no options, without `baton`.
function __baton_words
    set -l tokens (commandline -opc)
    string match -v -- '-*' $tokens[2..]
end

# Whether the verb is exactly this.
function __baton_is
    set -l words (__baton_words)
    test (count $argv) -eq 0; or test "$words[1..$(count $argv)]" = "$argv"
end

function __baton_is_alone
    test (count (__baton_words)) -eq (count $argv); and __baton_is $argv
end

# __baton_values MEMBER VERB...: what `baton VERB... --json` says in that member, once each.
function __baton_values
    timeout 2 baton $argv[2..] --json 2>/dev/null </dev/null |
        string match -rag "\"$argv[1]\":\"([A-Za-z0-9._:-]+)\"" | sort -u
end

complete -c baton -f
complete -c baton -n 'not __baton_words | string length -q' -l version -d 'Show the version'
complete -c baton -l help -d 'Explain the verb'
complete -c baton -l json -d 'Write JSON'
complete -c baton -l socket -rF -d 'The socket of the daemon'

for verb in \
    status:'What the daemon is and does' \
    list:'What the other machines offer' \
    watch:'Follow what the other machines offer' \
    advertise:'Offer an activity' \
    continue:'Take an activity over' \
    open:'Let an app continue an activity' \
    peers:'The other machines' \
    peer:'Machines that are not found by themselves' \
    doctor:'Say what is wrong' \
    team:'Teams of this machine' \
    agent:'Start apps and show notifications' \
    metrics:'Counters for Prometheus' \
    version:'The version of this command'
    set -l parts (string split -m 1 : $verb)
    complete -c baton -n '__baton_is_alone; or __baton_is_alone help' -a $parts[1] -d $parts[2]
end
complete -c baton -n __baton_is_alone -a help -d 'Explain a verb'

complete -c baton -n '__baton_is_alone peer' -a 'list add remove'
complete -c baton -n '__baton_is_alone team' -a 'list create invite join request approve import devices revoke promote renew passphrase unlock backup restore leave'

complete -c baton -n '__baton_is_alone continue; or __baton_is_alone open' -a '(__baton_values id list)'
complete -c baton -n '__baton_is_alone doctor' -a '(__baton_values device peers)'
complete -c baton -n '__baton_is_alone peer remove' -a '(__baton_values address peer list)'
complete -c baton -n '__baton_is_alone team revoke; or __baton_is_alone team promote' \
    -a '(__baton_values name team devices) (__baton_values deviceID team devices)'
complete -c baton -n '__baton_is_alone team leave' -a '(__baton_values id team list)'
complete -c baton -n '__baton_is team approve; or __baton_is team import' -F
complete -c baton -n '__baton_is team backup; or __baton_is team restore' -F

for verb in list watch continue open advertise
    complete -c baton -n "__baton_is $verb" -l type -x -a '(__baton_values activityType list)' -d 'Type of the activity'
end
for verb in list watch continue open advertise 'peer add' 'peer remove' 'team invite' 'team approve' 'team devices' 'team revoke' 'team promote' 'team renew' 'team passphrase' 'team unlock' 'team backup'
    complete -c baton -n "__baton_is $verb" -l team -x -a '(__baton_values id team list)' -d 'ID of the team'
end
for verb in list watch continue open
    complete -c baton -n "__baton_is $verb" -l from -x -a '(__baton_values device list)' -d 'Device that offers it'
end
for verb in continue open
    complete -c baton -n "__baton_is $verb" -l latest -d 'The newest where several fit'
    complete -c baton -n "__baton_is $verb" -l wait -x -d 'Wait so long'
end
for verb in continue advertise
    complete -c baton -n "__baton_is $verb" -l stream -d 'Standard input and output as a stream'
end
complete -c baton -n '__baton_is advertise' -l title -x -d 'What people read in lists'
complete -c baton -n '__baton_is advertise' -l info -x -d 'KEY=VALUE for the userInfo'
complete -c baton -n '__baton_is advertise' -l info-json -x -d 'The userInfo as JSON'
complete -c baton -n '__baton_is advertise' -l url -x -d 'The web page'
complete -c baton -n '__baton_is advertise' -l expires -x -d 'Withdraw it after this time'
for verb in 'team join' 'team renew'
    complete -c baton -n "__baton_is $verb" -l address -x -d 'HOST[:PORT] of the machine that made the code'
end
for verb in 'team promote' 'team renew'
    complete -c baton -n "__baton_is $verb" -l yes -d 'Do not ask'
end
for verb in 'team create' 'team renew'
    complete -c baton -n "__baton_is $verb" -l passphrase -d 'Seal the team\'s key with a passphrase'
end
complete -c baton -n '__baton_is team renew' -l accept -d 'Take over what another machine has made'
complete -c baton -n '__baton_is team passphrase' -l remove -d 'Have none'
for verb in 'team create' 'team invite' 'team approve' 'team revoke' 'team promote' 'team renew' 'team passphrase' 'team unlock' \
    'team backup' 'team restore'
    complete -c baton -n "__baton_is $verb" -l passphrase-file -rF -d 'The passphrase is its first line'
end
complete -c baton -n '__baton_is team restore' -l check -d 'Only say what is in the file'
complete -c baton -n '__baton_is agent' -l no-notifications -d 'Show nothing on the desktop'
complete -c baton -n '__baton_is agent' -l log-level -x -a 'error warning notice info debug' -d 'How much is logged'
