"""Evening and night: a patient asks to be forgotten, a backup is made, and the hub restarts."""
import contextlib
import os
import re
import shutil
import signal
import sqlite3
import tempfile
import time

from house import wait
from morning import lessons
from plan import PATIENT
from trouble import history

FUSER = "fleet/fuser-main/fuser.yaml"


def search(story, text):
    """The files of all programs that hold a text: states, the broker's store and logs, but backups, the operators' lists, and
    PostgreSQL's own files, in which a deleted row stands until its vacuum."""
    found = []
    for folder, folders, names in os.walk(story.house.folder):
        folders[:] = sorted(set(folders) - {"postgres"})
        for path in (os.path.join(folder, name) for name in sorted(names)):
            if os.path.isfile(path) and not path.endswith((".backup", "tags.csv")):
                with open(path, "rb") as file:
                    if text.encode() in file.read():
                        found.append(os.path.relpath(path, story.house.folder))
    return found


def kept(story, ids):
    """The tables of the fuser's state with a row that has one of some ids, beyond what docs/clinic.md says that stays: the
    audit, numbers of last events, and that lessons were undone."""
    pattern = re.compile(rb"(?<![\w-])(" + b"|".join(re.escape(name.encode()) for name in ids) + rb")(?!\w)")
    found = set()
    with tempfile.TemporaryDirectory() as folder:
        for end in ("", "-wal"):
            if os.path.exists(f"{story.house.folder}/fuser.sqlite{end}"):
                shutil.copy(f"{story.house.folder}/fuser.sqlite{end}", folder)
        with contextlib.closing(sqlite3.connect(f"{folder}/fuser.sqlite")) as state:
            state.row_factory = sqlite3.Row
            tables = [row["name"] for row in state.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in sorted(set(tables) - {"audit"}):
                for row in state.execute(f"SELECT * FROM {table}"):
                    values = [value if isinstance(value, bytes) else str(value).encode() for value in tuple(row)]
                    is_number = table == "trackers" and row["state"] == "unknown" and row["room"] is None
                    is_undone = table == "settings" and row["key"] == "undone lessons at"
                    if pattern.search(b" ".join(values)) and not is_number and not is_undone:
                        found.add(table)
    return sorted(found)


def forget(story):
    house, air = story.house, story.air
    story.begin("a patient asks to be forgotten")
    patient = next(person for person in house.persons if person.name == PATIENT)
    names = [*patient.tags, patient.id]
    band = patient.tags[0]
    done = house.run("backup", "morning.backup", "--config", FUSER)
    files, tables = search(story, PATIENT), kept(story, names)
    story.check("until then her name is in states and at the broker", done.returncode == 0 and "fuser.sqlite" in " ".join(files)
                and history(story, band), f"{len(files)} files: {' '.join(files)[:100]}{done.stderr.strip()[-100:]}")
    story.check("and ids in the fuser's state", {"persons", "trackers", "visits"} <= set(tables), " ".join(tables))
    air.put(patient.tags, None)
    house.persons.remove(patient)
    house.reload()
    done = house.run("items", "remove", *patient.tags)
    story.check("her tags are removed from the registry", done.returncode == 0, done.stderr.strip()[-100:])
    answers = {name: house.run("purge", name, "--yes") for name in names}
    story.check("purge answers for her and each of her tags", all(done.returncode == 0 for done in answers.values()),
                "; ".join(done.stdout.strip().split("by fuser ")[-1][:60] if done.returncode == 0 else done.stderr.strip()[-80:]
                          for done in answers.values()))

    def retained():
        return [topic for topic, text in story.watcher.latest.items() if PATIENT in text.decode(errors="replace")
                or any(name in topic.split("/") or f"item_{name}" in topic for name in names) and not topic.endswith("/config")]
    took = wait(20, lambda: not retained())
    story.check("the broker retains nothing of her but the ids of her tags", took is not None, " ".join(retained()))
    story.check("the tool knows no visit", not any(history(story, name) for name in names))
    took = wait(10, lambda: not kept(story, names), 1)
    story.check("the fuser's state has her ids with their last numbers and in the audit alone", took is not None,
                " ".join(kept(story, names)))
    columns = {"events": "item", "visits": "item", "node_events": "item", "telemetry": "item"}

    def rows():
        listed = ", ".join(f"'{name}'" for name in names)
        counts = [house.database.lines(f"SELECT count(*) FROM whereabouts.{table} WHERE {column} IN ({listed})")
                  for table, column in columns.items()]
        counts.append(house.database.lines(f"SELECT count(*) FROM whereabouts.audit WHERE audit::text LIKE '%{PATIENT}%'"))
        return [int(count[0]) if count else -1 for count in counts]
    took = wait(30, lambda: not any(rows()))
    story.check("nor does PostgreSQL", took is not None, f"rows of {', '.join(columns)}, audit with her name: {rows()}")
    audit = [row for name in names for row in house.rows("audit", "--subject", name)]
    purges = [row for row in audit if row["action"] == "purge"]
    story.check("the audit has the purges, by whom, and no content", len(purges) == len(names)
                and all(row.get("user") == "anna" and "before" not in row and "after" not in row for row in purges)
                and PATIENT not in str(audit), f"{len(audit)} rows, {len(purges)} purges, name in "
                f"{[row['action'] for row in audit if PATIENT in str(row)]}")
    # The broker writes its store when it is asked to, and every half hour.
    house.running["broker"].send_signal(signal.SIGUSR1)
    took = wait(30, lambda: not search(story, PATIENT), 1)
    story.check("no file of any program has her name", took is not None, " ".join(search(story, PATIENT)))
    story.forgotten = names


def restart(story):
    """A backup, and the hub's restart: everything is as before."""
    house = story.house
    story.begin("the night")
    time.sleep(2)
    done = house.run("backup", "night.backup", "--config", FUSER)
    story.check("a backup is made beside the running programs", done.returncode == 0, done.stdout.strip()[-100:])

    os.mkdir(house.path("backups"))
    house.run("backup", "backups", "--config", FUSER)
    former = os.listdir(house.path("backups"))
    time.sleep(1.1)
    done = house.run("backup", "backups", "--keep", "1", "--config", FUSER)
    left = os.listdir(house.path("backups"))
    story.check("of two in a folder --keep 1 leaves the newer one",
                done.returncode == 0 and len(former) == len(left) == 1 and left > former, " ".join(left))

    def known():
        rooms = {topic: text for topic, text in story.watcher.latest.items() if topic.endswith("/room")}
        return rooms, history(story, "bed-02"), lessons(story), len(house.rows("audit"))
    before, events = known(), len(story.watcher.events)
    house.stop("fuser")
    house.stop("broker")
    house.start_broker()
    house.start_fuser()
    began = time.time()
    took = wait(90, lambda: story.are_heard(began) and story.share() >= story.enough)
    story.check("broker and fuser are back", took is not None)
    # Ten seconds after its connection a fuser takes back what nothing confirms.
    time.sleep(12)
    after = known()
    changed = [topic for topic in before[0] if before[0][topic] != after[0].get(topic)]
    story.check("all are in their rooms as before", len(changed) <= story.by_chance and before[0].keys() == after[0].keys(),
                f"{len(after[0])} answers; other {changed[:3]}")
    told = story.watcher.since(events)
    story.check("no move is told for it", len(told) <= story.by_chance, f"{len(told)} events")
    story.check("history, lessons and audit are as before", before[1:] == after[1:],
                f"{len(after[1])} visits of a bed, {len(after[2])} lesson, {after[3]} changes")
    last = house.database.lines("SELECT count(*) FROM whereabouts.last_seen WHERE is_there")
    story.check("PostgreSQL goes on", bool(last) and int(last[0]) > 0, f"{last} there")


def restore(story):
    """The morning's backup is put back, in which the patient still is."""
    house = story.house
    story.begin("a backup is restored")
    house.stop("fuser")
    done = house.run("restore", "morning.backup", "--config", FUSER, "--yes")
    last = done.stderr.strip().split("\n")[-1]
    story.check("it names who was purged since", done.returncode == 0 and all(name in last for name in story.forgotten),
                last[-120:])
    story.check("who is in it again", "fuser.sqlite" in " ".join(search(story, PATIENT)))
    began = time.time()
    house.start_fuser()
    took = wait(60, lambda: story.are_heard(began) and story.share() >= story.enough)
    story.check("the fuser goes on", took is not None)
    answers = [house.run("purge", name, "--yes") for name in story.forgotten]
    house.running["broker"].send_signal(signal.SIGUSR1)
    took = wait(30, lambda: not search(story, PATIENT), 1)
    story.check("after another purge no file has her name", took is not None and not any(done.returncode for done in answers),
                " ".join(search(story, PATIENT)))
    told = [topic for topic, text in story.watcher.latest.items() if PATIENT in text.decode(errors="replace")]
    story.check("and nothing of her is at the broker", not told, " ".join(told))
