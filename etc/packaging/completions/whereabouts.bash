# Completion of whereabouts, whereabouts-agent and whereabouts-fuser in Bash. Made by etc/dev/docs from the command tables; do not edit.

_whereabouts() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words= paths= options= index
    local command=${COMP_WORDS[0]##*/}
    # Bash cuts a line at '=': --config=FILE are three words.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((index = 1; index < COMP_CWORD; index++)); do
        case "$command ${COMP_WORDS[index]}" in
            'whereabouts-agent setup' | 'whereabouts watch' | 'whereabouts items' | 'whereabouts items list' | \
            'whereabouts items add' | 'whereabouts items remove' | 'whereabouts items import' | \
            'whereabouts items export' | 'whereabouts items sync' | 'whereabouts batteries' | 'whereabouts learn' | \
            'whereabouts why' | 'whereabouts history' | 'whereabouts purge' | 'whereabouts audit' | \
            'whereabouts forget' | 'whereabouts sites' | 'whereabouts fleet' | 'whereabouts fleet status' | \
            'whereabouts fleet diff' | 'whereabouts fleet apply' | 'whereabouts fleet upgrade' | \
            'whereabouts range' | 'whereabouts decode' | 'whereabouts acl' | 'whereabouts enroll' | \
            'whereabouts revoke' | 'whereabouts advertise' | 'whereabouts doctor' | 'whereabouts backup' | \
            'whereabouts restore' | 'whereabouts simulate' | 'whereabouts locate')
                command+=" ${COMP_WORDS[index]}" ;;
        esac
    done
    COMPREPLY=()
    case "$command $previous" in
        *' --source' | *' --speed' | *' --node' | *' --room' | *' --broker' | *' --username' | *' --site' | \
        *' --changes' | *' --for' | *' --name' | *' --tag' | *' --ibeacon' | *' --altbeacon' | *' --eddystone' | \
        *' --address' | *' --expected-interval' | *' --power' | *' --nearest' | *' --fuser' | *' --walk' | \
        *' --undo' | *' --stop' | *' --discard' | *' --region' | 'whereabouts history --from' | *' --to' | \
        *' --before' | *' --since' | *' --until' | *' --subject' | *' --timeout' | *' --canary' | \
        *' --canary-node' | *' --baseline' | *' --wait' | *' --ring' | *' --limit' | *' --operator' | \
        *' --administrator' | *' --viewer' | *' --home-assistant' | *' --offers' | *' --admin' | *' --user' | \
        *' --broker-host' | *' --days' | *' --adapter' | *' --interval' | *' --tx-power' | *' --uuid' | \
        *' --major' | *' --minor' | *' --company' | *' --mfg' | *' --namespace' | *' --instance' | *' --url' | \
        *' --battery-mv' | *' --temperature' | *' --advertisements' | *' --uptime' | *' --keep' | *' --as' | \
        'whereabouts simulate --from')
            : a value that no list can hold ;;
        *' --config' | *' --record' | *' --ca-file' | *' --password-file' | *' --sites' | *' --irk-file' | \
        *' --eid-file' | *' --fmdn-file' | *' --bthome-file' | 'whereabouts items sync --from' | *' --file' | \
        *' --items' | *' --passwords' | 'whereabouts enroll --list' | *' --fleet' | *' --passphrase-file' | \
        *' --home' | *' --sightings' | *' --learn-sightings' | *' --learn-truth')
            paths=1 ;;
        *' --log-level')
            words='error warning notice info debug' ;;
        *)
            case "$command" in
            'whereabouts-agent')
                words='setup' options='--config --check --log-level --source --speed --record --help --version' ;;
            'whereabouts-agent setup')
                options='--config --node --room --broker --ca-file --username --password-file --yes --untested --help --version' ;;
            'whereabouts-fuser')
                options='--config --check --log-level --help --version' ;;
            'whereabouts')
                words='watch items batteries learn why history purge audit forget sites fleet range decode acl enroll revoke advertise doctor backup restore simulate locate' options='--help --version' ;;
            'whereabouts watch')
                options='--config --broker --site --sites --changes --for --json --help --version' ;;
            'whereabouts items')
                words='list add remove import export sync' options='--help --version' ;;
            'whereabouts items list')
                options='--config --broker --site --sites --removed --json --help --version' ;;
            'whereabouts items add')
                options='--name --tag --ibeacon --altbeacon --eddystone --address --irk-file --eid-file --fmdn-file --bthome-file --expected-interval --power --replace --nearest --for --yes --json --config --broker --site --sites --help --version' ;;
            'whereabouts items remove')
                options='--config --broker --site --sites --json --help --version' ;;
            'whereabouts items import')
                paths=1 options='--config --broker --site --sites --dry-run --json --help --version' ;;
            'whereabouts items export')
                options='--config --broker --site --sites --yaml --csv --json --help --version' ;;
            'whereabouts items sync')
                options='--config --broker --site --sites --from --dry-run --json --help --version' ;;
            'whereabouts batteries')
                options='--config --broker --site --sites --urgent --json --help --version' ;;
            'whereabouts learn')
                options='--config --broker --site --sites --fuser --for --walk --list --json --undo --stop --discard --help --version' ;;
            'whereabouts why')
                options='--config --broker --site --sites --fuser --json --help --version' ;;
            'whereabouts history')
                options='--config --broker --site --sites --fuser --node --region --from --to --csv --json --help --version' ;;
            'whereabouts purge')
                options='--config --broker --site --sites --fuser --before --yes --json --help --version' ;;
            'whereabouts audit')
                options='--config --broker --site --sites --fuser --since --until --subject --csv --json --help --version' ;;
            'whereabouts forget')
                words='node fuser' options='--config --broker --site --sites --json --help --version' ;;
            'whereabouts sites')
                words='find' options='--sites --timeout --json --help --version' ;;
            'whereabouts fleet')
                words='status diff apply upgrade' options='--help --version' ;;
            'whereabouts fleet status')
                options='--config --broker --site --sites --file --json --help --version' ;;
            'whereabouts fleet diff')
                options='--config --broker --site --sites --file --json --help --version' ;;
            'whereabouts fleet apply')
                options='--config --broker --site --sites --file --canary --canary-node --baseline --wait --yes --json --help --version' ;;
            'whereabouts fleet upgrade')
                options='--config --broker --site --sites --canary --canary-node --baseline --wait --yes --ring --limit --json --help --version' ;;
            'whereabouts range')
                options='--config --broker --site --sites --source --node --speed --items --json --once --for --all --help --version' ;;
            'whereabouts decode')
                paths=1 options='--hex --help --version' ;;
            'whereabouts acl')
                paths=1 options='--operator --administrator --viewer --home-assistant --offers --admin --json --dynamic-security --nats --bind-client-ids --passwords --help --version' ;;
            'whereabouts enroll')
                options='--broker --list --fuser --user --broker-host --password --request --days --json --renew --fleet --passphrase-file --help --version' ;;
            'whereabouts revoke')
                options='--former --json --fleet --passphrase-file --help --version' ;;
            'whereabouts advertise')
                options='--adapter --for --interval --tx-power --print --json --uuid --major --minor --power --company --mfg --namespace --instance --url --battery-mv --temperature --advertisements --uptime --help --version' ;;
            'whereabouts doctor')
                options='--config --json --help --version' ;;
            'whereabouts backup')
                paths=1 options='--config --broker --with-secrets --passphrase-file --keep --json --help --version' ;;
            'whereabouts restore')
                paths=1 options='--config --broker --as --replace-configuration --passphrase-file --broker-only --dry-run --yes --json --help --version' ;;
            'whereabouts simulate')
                paths=1 options='--truth --from --for --json --help --version' ;;
            'whereabouts locate')
                options='--home --sightings --learn-sightings --json --learn-truth --help --version' ;;
            esac
            [[ $current != -* && -n $words$paths ]] || words=$options paths= ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [[ -n $paths ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -F _whereabouts whereabouts whereabouts-agent whereabouts-fuser
