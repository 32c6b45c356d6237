# Completion of whereabouts, whereabouts-agent and whereabouts-fuser in Fish. Made by etc/dev/docs from the command tables; do not edit.

# Tells whether the command before the cursor is the one that is named.
function __whereabouts_at
    set -l words (commandline -opc)
    set -l command (path basename $words[1])
    for word in $words[2..]
        switch "$command $word"
            case 'whereabouts-agent setup' \
                'whereabouts watch' \
                'whereabouts items' \
                'whereabouts items list' \
                'whereabouts items add' \
                'whereabouts items remove' \
                'whereabouts items import' \
                'whereabouts items export' \
                'whereabouts items sync' \
                'whereabouts batteries' \
                'whereabouts learn' \
                'whereabouts why' \
                'whereabouts history' \
                'whereabouts purge' \
                'whereabouts audit' \
                'whereabouts forget' \
                'whereabouts sites' \
                'whereabouts fleet' \
                'whereabouts fleet status' \
                'whereabouts fleet diff' \
                'whereabouts fleet apply' \
                'whereabouts fleet upgrade' \
                'whereabouts range' \
                'whereabouts decode' \
                'whereabouts acl' \
                'whereabouts enroll' \
                'whereabouts revoke' \
                'whereabouts advertise' \
                'whereabouts doctor' \
                'whereabouts backup' \
                'whereabouts restore' \
                'whereabouts simulate' \
                'whereabouts locate'
                set command "$command $word"
        end
    end
    test "$command" = "$argv"
end

complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent' -f -a setup -d 'Ask for this gateway\'s name, room and broker, test each, and write the configuration.'
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent' -l config -d 'the agent\'s configuration' -r -F
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent' -l check -d 'check the configuration, print every fault, and end'
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent' -l log-level -d 'the least important lines that are logged; default info' -x -a 'error warning notice info debug'
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent' -l source -d 'hci:ADAPTER, replay:FILE[,FILE…], replay:- or simulate:SCENARIO, in place of the configuration\'s' -x
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent' -l speed -d 'the speed of a replay or simulation: a multiple of real time, or max' -x
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent' -l record -d 'record what is received: at most 64 MiB, in FILE and, before that, FILE.1' -r -F
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent' -l help -d 'show the arguments'
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent' -l version -d 'show the version'
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -f
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l config -d 'the agent\'s configuration; default /etc/whereabouts/agent.yaml' -r -F
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l node -d 'the gateway\'s id' -x
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l room -d 'the room that it stands in; default: its id' -x
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l broker -d 'the broker, such as mqtt://broker.lan, or mqtts://broker.lan with TLS' -x
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l ca-file -d 'the authority of the broker\'s certificate, in place of the system\'s' -r -F
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l username -d 'the user\'s name at the broker' -x
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l password-file -d 'the file with the user\'s password; - reads it from standard input, and keeps it in a file' -r -F
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l yes -d 'ask nothing: what is missing is an error'
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l untested -d 'write without a test of broker and adapter'
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l help -d 'show the arguments'
complete -c whereabouts-agent -n '__whereabouts_at whereabouts-agent setup' -l version -d 'show the version'
complete -c whereabouts-fuser -n '__whereabouts_at whereabouts-fuser' -f
complete -c whereabouts-fuser -n '__whereabouts_at whereabouts-fuser' -l config -d 'the fuser\'s configuration' -r -F
complete -c whereabouts-fuser -n '__whereabouts_at whereabouts-fuser' -l check -d 'check the configuration, print every fault, and end'
complete -c whereabouts-fuser -n '__whereabouts_at whereabouts-fuser' -l log-level -d 'the least important lines that are logged; default info' -x -a 'error warning notice info debug'
complete -c whereabouts-fuser -n '__whereabouts_at whereabouts-fuser' -l help -d 'show the arguments'
complete -c whereabouts-fuser -n '__whereabouts_at whereabouts-fuser' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a watch -d 'Show the rooms of items and persons, and each change, live from the broker.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a items -d 'Register beacons: list, add, remove, import, export, sync.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a batteries -d 'List which batteries to change, the most urgent first.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a learn -d 'Teach a room: carry an item about in it until the time is over, or until ^C ends the lesson.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a why -d 'Explain why an item or a person is reported in its room.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a history -d 'Show where an item was: from when, until when, how long, in which room; or what happened at a node.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a purge -d 'Have the fusers that are online forget an item: its visits, lessons, kept events and retained topics.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a audit -d 'Show who changed what, when and from where: what the fusers that are online have recorded.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a forget -d 'Clear what the broker retains of a node or a fuser that is gone for good.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a sites -d 'List several houses with their figures, or find something in all of them.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a fleet -d 'Change settings and versions of a house, a few nodes first: status, diff, apply, upgrade.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a range -d 'Show which beacons are near, the nearest first, from a broker or a source.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a decode -d 'Print a JSON line for each advertisement.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a acl -d 'Print the least rights of each program and person at the broker.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a enroll -d 'Make a key and a certificate, or a password, for each gateway, with its configuration.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a revoke -d 'Revoke the certificates and passwords of a node, a fuser or a user.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a advertise -d 'Advertise as a beacon until ^C or for a time; with --print, print the bytes instead.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a doctor -d 'Report what is wrong on this gateway, and how to mend it.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a backup -d 'Back up the state and the configuration of this machine\'s programs, and the house\'s registry.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a restore -d 'Put back a backup: the state, the configuration where there is none, and what the broker lacks.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a simulate -d 'Print the true places of all items in a simulated house, as CSV.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -f -a locate -d 'Print the room of each tag for each second of a recording, as CSV.'
complete -c whereabouts -n '__whereabouts_at whereabouts' -l help -d 'show the commands'
complete -c whereabouts -n '__whereabouts_at whereabouts' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts watch' -f
complete -c whereabouts -n '__whereabouts_at whereabouts watch' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts watch' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts watch' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts watch' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts watch' -l changes -d 'end after so many changes' -x
complete -c whereabouts -n '__whereabouts_at whereabouts watch' -l for -d 'end so long after the first answer was shown, such as 30s; without one after as long, at least 20s' -x
complete -c whereabouts -n '__whereabouts_at whereabouts watch' -l json -d 'print an object a line: at; item, name, state, room, previous, confidence; or node or fuser, status'
complete -c whereabouts -n '__whereabouts_at whereabouts watch' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts watch' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts items' -f -a list -d 'List the registered items.'
complete -c whereabouts -n '__whereabouts_at whereabouts items' -f -a add -d 'Register a beacon as an item, for every node and fuser.'
complete -c whereabouts -n '__whereabouts_at whereabouts items' -f -a remove -d 'Remove an item from the registry, everywhere.'
complete -c whereabouts -n '__whereabouts_at whereabouts items' -f -a import -d 'Register all items of a file: CSV, BeaconData.json, an export, or items.yaml. A file with a fault changes nothing.'
complete -c whereabouts -n '__whereabouts_at whereabouts items' -f -a export -d 'Print the registry, as a file that import reads.'
complete -c whereabouts -n '__whereabouts_at whereabouts items' -f -a sync -d 'Put back what the broker lost of the registry: entries, and marks of removed items.'
complete -c whereabouts -n '__whereabouts_at whereabouts items' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts items' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts items list' -f
complete -c whereabouts -n '__whereabouts_at whereabouts items list' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items list' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items list' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items list' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items list' -l removed -d 'list removed items as well, with the time of removal'
complete -c whereabouts -n '__whereabouts_at whereabouts items list' -l json -d 'print a JSON array'
complete -c whereabouts -n '__whereabouts_at whereabouts items list' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts items list' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -f
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l name -d 'its name for people' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l tag -d 'a word that regions may watch it by' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l ibeacon -d 'an iBeacon' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l altbeacon -d 'an AltBeacon' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l eddystone -d 'an Eddystone-UID' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l address -d 'a device address that doesn\'t change' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l irk-file -d 'a phone or watch by its identity resolving key, which stays in the file' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l eid-file -d 'an Eddystone-EID beacon by its identity key and clock, which stay in the file' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l fmdn-file -d 'a Find Hub tag by its identity key and clock, which stay in the file' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l bthome-file -d 'with --address: a BTHome device\'s bind key, which stays in the file' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l expected-interval -d 'the time between its advertisements, such as 5s' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l power -d 'its measured power at one metre, corrected' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l replace -d 'change an item that is registered already'
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l nearest -d 'take the strongest unregistered beacon at a node' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l for -d 'with --nearest: how long the node listens, 1s to 1m; default 5s' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l yes -d 'with --nearest: take the strongest without asking'
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l json -d 'print an object: id, identities'
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts items add' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts items remove' -f
complete -c whereabouts -n '__whereabouts_at whereabouts items remove' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items remove' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items remove' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items remove' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items remove' -l json -d 'print an object a line: id, effect'
complete -c whereabouts -n '__whereabouts_at whereabouts items remove' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts items remove' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts items import' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items import' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items import' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items import' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items import' -l dry-run -d 'print what would be registered, and write nothing'
complete -c whereabouts -n '__whereabouts_at whereabouts items import' -l json -d 'print an object a line: id, effect, identities'
complete -c whereabouts -n '__whereabouts_at whereabouts items import' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts items import' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts items export' -f
complete -c whereabouts -n '__whereabouts_at whereabouts items export' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items export' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items export' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items export' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items export' -l yaml -d 'an items file; this is the default'
complete -c whereabouts -n '__whereabouts_at whereabouts items export' -l csv -d 'comma-separated values'
complete -c whereabouts -n '__whereabouts_at whereabouts items export' -l json -d 'everything, dates and removed items too'
complete -c whereabouts -n '__whereabouts_at whereabouts items export' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts items export' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts items sync' -f
complete -c whereabouts -n '__whereabouts_at whereabouts items sync' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items sync' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items sync' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts items sync' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items sync' -l from -d 'an export that holds the entries, besides the items file' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts items sync' -l dry-run -d 'print what would be written, and write nothing'
complete -c whereabouts -n '__whereabouts_at whereabouts items sync' -l json -d 'print an object a line: id, effect (entry, tombstone of a removed item, or cleared)'
complete -c whereabouts -n '__whereabouts_at whereabouts items sync' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts items sync' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts batteries' -f
complete -c whereabouts -n '__whereabouts_at whereabouts batteries' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts batteries' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts batteries' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts batteries' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts batteries' -l urgent -d 'only those that will hardly last another week'
complete -c whereabouts -n '__whereabouts_at whereabouts batteries' -l json -d 'print a JSON array'
complete -c whereabouts -n '__whereabouts_at whereabouts batteries' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts batteries' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -f
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l fuser -d 'the fuser to ask; default: the one that serves the item or that the file names, or the only one online' -x
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l for -d 'how long, 5s to 30m; 60s where it isn\'t given, 30s a room of a walk' -x
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l walk -d 'be guided through all rooms with an item' -x
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l list -d 'what was taught, how well rooms are told apart, and what to teach again'
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l json -d 'print a JSON object: the list, the lesson, or undone; not with --walk'
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l undo -d 'forget a lesson' -x
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l stop -d 'end an item\'s lesson that somebody left running, and keep it' -x
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l discard -d 'end an item\'s lesson and forget it' -x
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts learn' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts why' -f
complete -c whereabouts -n '__whereabouts_at whereabouts why' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts why' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts why' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts why' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts why' -l fuser -d 'the fuser to ask; default: the one that serves the item or that the file names, or the only one online' -x
complete -c whereabouts -n '__whereabouts_at whereabouts why' -l json -d 'print a JSON object'
complete -c whereabouts -n '__whereabouts_at whereabouts why' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts why' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts history' -f
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l fuser -d 'the fuser to ask; default: the one that serves the item or that the file names, or the only one online' -x
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l node -d 'what happened at a node: events in order, and what is missing' -x
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l region -d 'with --node: of one region alone' -x
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l from -d 'visits that lasted then or later: such as 2026-11-21, \'2026-11-21 08:25\', 2026-11-21T08:25:43Z, 2h (ago) or Unix seconds' -x
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l to -d 'visits that had begun by then' -x
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l csv -d 'print CSV'
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l json -d 'print a JSON object'
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts history' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -f
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -l fuser -d 'this fuser alone; default: all that are online' -x
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -l before -d 'only what lies before: such as 2026-11-21, \'2026-11-21 08:25\', 2026-11-21T08:25:43Z, 2h (ago) or Unix seconds' -x
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -l yes -d 'do not ask before'
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -l json -d 'print an object a line: item, fuser, visits, events, lessons, messages, waits'
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts purge' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -f
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l fuser -d 'this fuser alone; default: all that are online, each change once' -x
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l since -d 'changes of then or later: such as 2026-11-21, \'2026-11-21 08:25\', 2026-11-21T08:25:43Z, 2h (ago) or Unix seconds' -x
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l until -d 'changes before then' -x
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l subject -d 'changes of this item, person, node or fuser alone' -x
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l csv -d 'print CSV'
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l json -d 'print an object a line: fuser, number, at, user, proof, action, before, after and others'
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts audit' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts forget' -f -a 'node fuser'
complete -c whereabouts -n '__whereabouts_at whereabouts forget' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts forget' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts forget' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts forget' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts forget' -l json -d 'print an object: node or fuser, messages'
complete -c whereabouts -n '__whereabouts_at whereabouts forget' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts forget' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts sites' -f -a 'find'
complete -c whereabouts -n '__whereabouts_at whereabouts sites' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts sites' -l timeout -d 'seconds for all sites together; default 8' -x
complete -c whereabouts -n '__whereabouts_at whereabouts sites' -l json -d 'print an object a line: id, name, page, status (online, silent, unreachable), since, problem, fusers_online, fusers, nodes_online, nodes, items, items_present, items_away, persons, persons_present, persons_away, alerts, last_message, left_out; found: site, site_name, page, id, name, person, state, room, since, confidence'
complete -c whereabouts -n '__whereabouts_at whereabouts sites' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts sites' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet' -f -a status -d 'List the nodes and fusers: online, version, settings against the file, health, problems.'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet' -f -a diff -d 'Print what `fleet apply` would change, a setting a line.'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet' -f -a apply -d 'Give nodes and fusers the settings of the file: a few nodes first, the others if the house stays healthy.'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet' -f -a upgrade -d 'Have the nodes install a version: a few first, then ring by ring if the house stays healthy.'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet status' -f
complete -c whereabouts -n '__whereabouts_at whereabouts fleet status' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet status' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet status' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet status' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet status' -l file -d 'the desired settings; default: settings.yaml here' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet status' -l json -d 'print an object a line: node, online, version, usual_version, settings (desired, other, not managed, unknown), differences, reports_per_s, gap, problems; of a fuser: fuser, state (serving, standby, starting, silent), version, usual_version, settings, differences, shards, problems; and of a rollout: rollout, by, host, version, running, nodes, fusers'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet status' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet status' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet diff' -f
complete -c whereabouts -n '__whereabouts_at whereabouts fleet diff' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet diff' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet diff' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet diff' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet diff' -l file -d 'the desired settings; default: settings.yaml here' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet diff' -l json -d 'print an object a line: node or fuser, key, now, wanted, online'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet diff' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet diff' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -f
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l file -d 'the desired settings; default: settings.yaml here' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l canary -d 'the number of nodes to begin with; default: 2' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l canary-node -d 'a node to begin with, in place of the first by name' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l baseline -d 'how long to measure before; default: 1m' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l wait -d 'how long to watch after each stage; default: 10m' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l yes -d 'do not ask before'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l json -d 'print an object a line: step (interrupted, restored, baseline, silent, set, good, worse, returned, pending, done), nodes, fusers if there are any, words, or of worse faults (measure, node, fuser or room, before, after)'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet apply' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -f
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l canary -d 'the number of nodes to begin with; default: 2' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l canary-node -d 'a node to begin with, in place of the first by name' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l baseline -d 'how long to measure before; default: 1m' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l wait -d 'how long to watch after each stage; default: 10m' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l yes -d 'do not ask before'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l ring -d 'the nodes of each further stage, of all; default: 25' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l limit -d 'how long a node may take to come back with it; default: 10m' -x
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l json -d 'print an object a line: step (plan, baseline, silent, asked, set, good, worse, stopped, pending, unable, done), nodes, fusers if there are any, words, or of worse faults (measure, node, fuser or room, before, after)'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts fleet upgrade' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts range' -f
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l config -d 'the agent\'s or the fuser\'s file, for its broker' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l broker -d 'the broker, such as mqtt://127.0.0.1:1883' -x
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l site -d 'the broker and the topics of this site of the file of sites' -x
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l sites -d 'the file of sites; default: sites.yaml beside WHEREABOUTS_CONFIG, else in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l source -d 'hci:ADAPTER, replay:FILE[,FILE…] or simulate:SCENARIO, heard here without a broker' -x
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l node -d 'of a broker or a simulated house: hear with this node alone' -x
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l speed -d 'the speed of a replay or simulation: a multiple of real time, or max' -x
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l items -d 'registered items, for their names' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l json -d 'an object a line: for each window, or with --once for each row'
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l once -d 'print one table after the first full interval in which a beacon is heard, or after ten, and end'
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l for -d 'end after so long, such as 30s; with --once print the table then' -x
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l all -d 'also transmitters that are known by their address alone'
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts range' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts decode' -l hex -d 'FILE is text: advertising data or an HCI event a line'
complete -c whereabouts -n '__whereabouts_at whereabouts decode' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts decode' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l operator -d 'a user who may register, teach, silence and ask' -x
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l administrator -d 'a user who may do that, and purge, forget, read the audit, and change settings and versions of nodes' -x
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l viewer -d 'a user who may read rooms, alerts, the registry and states, and change nothing' -x
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l home-assistant -d 'Home Assistant\'s user: may read what it shows, and its buttons command' -x
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l offers -d 'a user who may read offers, which hold secrets' -x
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l admin -d 'a user who manages the plugin, with --dynamic-security' -x
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l json -d 'print an object a line in place of an acl_file: user, rules of right and topic'
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l dynamic-security -d 'print the JSON of mosquitto\'s plugin in place of an acl_file'
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l nats -d 'print the authorization of nats-server, by certificates, in place of an acl_file'
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l bind-client-ids -d 'with --dynamic-security: a program\'s user connects with its program\'s client id alone'
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l passwords -d 'a file of mosquitto_passwd, for the clients of --dynamic-security' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts acl' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -f
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l broker -d 'the broker, as gateways reach it' -x
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l list -d 'further gateways: a line each, with the room after the id' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l fuser -d 'a fuser; its user is fuser-NAME' -x
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l user -d 'a person or another program' -x
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l broker-host -d 'a name or address of the broker, for a certificate of its own' -x
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l password -d 'passwords in place of certificates'
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l request -d 'keys and requests, for another authority to sign'
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l days -d 'how long certificates hold, default 730' -x
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l json -d 'print an object a line: name, folder'
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l renew -d 'new keys for who is enrolled already; configurations stay'
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l fleet -d 'where the fleet\'s keys lie, default fleet; keep it safe' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l passphrase-file -d 'what protects the authority\'s key' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts enroll' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts revoke' -f
complete -c whereabouts -n '__whereabouts_at whereabouts revoke' -l former -d 'only those before the latest, as after --renew'
complete -c whereabouts -n '__whereabouts_at whereabouts revoke' -l json -d 'print an object a line: name, certificates, passwords'
complete -c whereabouts -n '__whereabouts_at whereabouts revoke' -l fleet -d 'where the fleet\'s keys lie, default fleet; keep it safe' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts revoke' -l passphrase-file -d 'what protects the authority\'s key' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts revoke' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts revoke' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -f
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l adapter -d 'auto, a number such as hci0, or an address; default auto' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l for -d 'end so long after it went on the air, such as 30s' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l interval -d 'from one packet to the next, 20ms to 10240ms; default 100ms' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l tx-power -d 'transmit power; default: chosen by the controller' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l print -d 'print the AD structures in hexadecimal, and send nothing'
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l json -d 'print an object instead: length, data, and the frame as decode shows it'
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l uuid -d 'ibeacon, altbeacon: whose beacons these are' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l major -d 'ibeacon, altbeacon: which group' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l minor -d 'ibeacon, altbeacon: which of the group' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l power -d 'as received at 1 m (default -59); Eddystone: at 0 m (default -18)' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l company -d 'altbeacon: company identifier; default 0xffff, for tests' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l mfg -d 'altbeacon: the maker\'s own byte; default 0' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l namespace -d 'eddystone-uid: 20 digits' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l instance -d 'eddystone-uid: 12 digits' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l url -d 'eddystone-url: http(s), 17 bytes when compressed' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l battery-mv -d 'eddystone-tlm; default: not supported' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l temperature -d 'eddystone-tlm, in °C; default: not supported' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l advertisements -d 'eddystone-tlm: frames sent since the start; default 0' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l uptime -d 'eddystone-tlm: seconds since the start; default 0' -x
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts advertise' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts doctor' -f
complete -c whereabouts -n '__whereabouts_at whereabouts doctor' -l config -d 'the agent\'s or the fuser\'s file, or a person\'s' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts doctor' -l json -d 'print a JSON object a line: check, verdict, reason, mend, and perhaps kind and values'
complete -c whereabouts -n '__whereabouts_at whereabouts doctor' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts doctor' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts backup' -l config -d 'the agent\'s or the fuser\'s file, or both; default: those in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts backup' -l broker -d 'the broker; default: that of the fuser\'s configuration' -x
complete -c whereabouts -n '__whereabouts_at whereabouts backup' -l with-secrets -d 'add keys, passwords and tokens, encrypted'
complete -c whereabouts -n '__whereabouts_at whereabouts backup' -l passphrase-file -d 'the passphrase in one line, for --with-secrets' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts backup' -l keep -d 'in a folder, keep the new one and the newest others, N in all' -x
complete -c whereabouts -n '__whereabouts_at whereabouts backup' -l json -d 'print an object: file, bytes, parts, left_out'
complete -c whereabouts -n '__whereabouts_at whereabouts backup' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts backup' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l config -d 'the place of the agent\'s or the fuser\'s file, or both; one alone restores that program; default: in /etc/whereabouts' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l broker -d 'the broker; default: that of the fuser\'s configuration' -x
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l as -d 'another name of the fuser or the node that is restored' -x
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l replace-configuration -d 'replace the configuration and the files that it names'
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l passphrase-file -d 'the passphrase, for the secrets in the backup' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l broker-only -d 'publish what the broker lacks, and change no file here'
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l dry-run -d 'print what would change, and change nothing'
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l yes -d 'do not ask before'
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l json -d 'print an object a line: the preview (backup, made, version, states of program, name, path, replaces and in_use, files, folders, left_out, broker), then restored'
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts restore' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts simulate' -l truth -d 'print start_s,end_s,item,room; the only thing it prints so far'
complete -c whereabouts -n '__whereabouts_at whereabouts simulate' -l from -d 'begin, in simulated Unix seconds; default: now in the house' -x
complete -c whereabouts -n '__whereabouts_at whereabouts simulate' -l for -d 'how many simulated seconds; default 3600' -x
complete -c whereabouts -n '__whereabouts_at whereabouts simulate' -l json -d 'print an object a line: start, end, item, room'
complete -c whereabouts -n '__whereabouts_at whereabouts simulate' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts simulate' -l version -d 'show the version'
complete -c whereabouts -n '__whereabouts_at whereabouts locate' -f
complete -c whereabouts -n '__whereabouts_at whereabouts locate' -l home -d 'rooms and receivers, JSON' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts locate' -l sightings -d 'packets: t_s,session,tag,receiver,rssi_dbm' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts locate' -l learn-sightings -d 'packets to learn from' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts locate' -l json -d 'print an object a line in place of CSV: t_s, session, tag, room, confidence'
complete -c whereabouts -n '__whereabouts_at whereabouts locate' -l learn-truth -d 'their rooms: session,tag,t_start,t_end,room' -r -F
complete -c whereabouts -n '__whereabouts_at whereabouts locate' -l help -d 'show the arguments'
complete -c whereabouts -n '__whereabouts_at whereabouts locate' -l version -d 'show the version'
