"""Noon: a gateway is killed, an access point floods, and a ward gets another name."""
import json
import os
import shutil
import signal
import time

from house import wait
from morning import air_room, lessons, words
from watcher import Watcher

# Packets a second near a flooded gateway, seconds of it, and megabytes that the agent may grow by.
FLOOD, FLOOD_SECONDS, GROWTH = 2000, 12, 8
# Seconds before and after a ward is renamed whose events are compared.
WATCHED = 6


def kill_gateway(story):
    house, plan, air = story.house, story.plan, story.air
    room = plan.rooms_of(0)[1]
    name = plan.rooms[room].id
    story.begin("a gateway dies")
    there = {tag for tag, transmitter in air.tags.items() if transmitter.room == room and tag.startswith(("pump", "bed"))}
    house.stop(name, signal.SIGKILL)
    took = wait(10, lambda: story.watcher.node(name) == "offline", 0.05)
    story.check("its status is offline", took is not None)
    row = f'whereabouts_node_online{{node="{name}"}} 0'
    took = wait(15, lambda: row in house.page("/metrics", house.tokens["viewer"])[1])
    story.check("the fuser's metrics name it", took is not None, row)
    house.write("settings.yaml", "all: {publish: registered}\n")
    offline = [line["node"] for line in house.rows("fleet", "status") if line.get("online") is False]
    story.check("whereabouts fleet status names it", offline == [name], " ".join(offline))
    events = len(story.watcher.events)
    time.sleep(10)
    ward = {plan.rooms[number].id for number in plan.rooms_of(plan.rooms[room].ward)}
    told = [story.watcher.room(tag) for tag in there]
    story.check("its pumps and beds are told in its ward", there and all(answer in ward for answer in told),
                f"{len(there)}: {', '.join(sorted(set(told)))}")
    flights = [event for event in story.watcher.since(events) if event["item"] in there and event["kind"] == "left"]
    story.check("nothing of it is told away", not flights, f"{len(flights)}")
    others = {tag.id for tag in plan.tags if tag.kind in ("pump", "bed")} - there
    story.check("other rooms are told as before", story.share(others) >= 0.97, words(story, others))
    tag = min(there)
    done = house.run("why", tag)
    story.check("whereabouts why says what speaks for its room", done.returncode == 0 and name in done.stdout,
                f"{tag}: {done.stdout.splitlines()[:1]} {done.stderr.strip()[-80:]}")
    replace_gateway(story, room)
    took = wait(30, lambda: story.watcher.node(name) == "online")
    story.check("a new machine takes its place, with keys of its own", took is not None)
    done = house.run("items", "list", config="stolen/whereabouts.yaml")
    story.check("until then the former certificate is let in", "certificate" not in done.stderr, done.stderr.strip()[-100:])
    done = house.run("revoke", name, "--former")
    story.check("whereabouts revoke --former", done.returncode == 0, done.stderr.strip()[-100:])
    took = wait(60, lambda: story.share(there) == 1)
    story.check("its pumps and beds are told there again", took is not None, words(story, there))


def replace_gateway(story, room):
    """Starts another machine in place of a gateway, with new keys and without a state. The former keys stay in `stolen`."""
    house, name = story.house, story.plan.rooms[room].id
    shutil.copytree(house.path(f"fleet/{name}"), house.path("stolen"))
    done = house.run("enroll", "--renew", name, "--broker", f"mqtts://localhost:{house.mqtt}")
    story.check("whereabouts enroll --renew", done.returncode == 0, done.stderr.strip()[-100:])
    for end in ("", "-wal", "-shm"):
        if os.path.exists(house.path(f"{name}.sqlite{end}")):
            os.remove(house.path(f"{name}.sqlite{end}"))
    anna = house.read("fleet/anna/whereabouts.yaml")
    for kind in ("pem", "key"):
        anna = anna.replace(f"anna.{kind}", f"{name}.{kind}")
    house.write("stolen/whereabouts.yaml", anna)
    house.start_gateway(room, story.air)


def flood(story):
    house, plan, air = story.house, story.plan, story.air
    rooms = plan.rooms_of(1)[:2]
    names = [plan.rooms[room].id for room in rooms]
    story.begin("an access point floods")
    watcher = Watcher(house, "bert", [f"windows/+/+/{name}" for name in names])
    before = {name: house.resident(name) for name in (*names, "fuser")}
    cpu, began = house.cpu(names), time.monotonic()
    for room in rooms:
        air.flood(room, FLOOD)
    time.sleep(FLOOD_SECONDS / 2)
    share, of, wrong = story.observe(FLOOD_SECONDS / 2)
    cpu = (house.cpu(names) - cpu) / (time.monotonic() - began)
    grown = {name: house.resident(name) - megabytes for name, megabytes in before.items()}
    for room in rooms:
        air.flood(room, 0)
    rate = air.flooded / FLOOD_SECONDS
    story.check("rooms are told right meanwhile", share >= story.enough,
                f"{share:.1%} of {of}, {wrong}; at {rate:.0f} foreign addresses a second, {cpu / len(names):.2f} cores an agent")
    story.check("memory is bounded", max(grown.values()) <= GROWTH,
                ", ".join(f"{name} {megabytes:+.1f} MB" for name, megabytes in grown.items()))
    items = {tag.id for tag in plan.tags}
    published = {topic.split("/")[2] for topic in watcher.counts if topic.startswith("windows/")}
    story.check("no stranger is published", published and published <= items, f"{len(published)} beacons, all registered")
    watcher.end()
    alerts = [topic for topic, text in story.watcher.latest.items() if topic.endswith("/alert") and b"cloned" in text]
    story.check("nobody is suspected of a clone", not alerts, " ".join(alerts))

def rename_ward(story):
    house, plan, air = story.house, story.plan, story.air
    story.begin("a ward is renamed")
    moves = air.rest()
    # Messages on their way arrive; then the house is as calm as it gets.
    time.sleep(5)
    calm = len(story.watcher.events)
    time.sleep(WATCHED)
    calm = len(story.watcher.since(calm))
    before = history(story, "bed-01")
    taught = lessons(story)
    events = len(story.watcher.events)
    ward = plan.rooms[0].ward
    house.wards[ward] = "Stroke unit"
    for number in plan.rooms_of(ward):
        room = plan.rooms[number]
        house.names[room.id] = room.name.replace(plan.ward(ward), "Stroke unit")
    took = house.reload()
    story.check("the fuser reads its file anew", took is not None)
    room = plan.rooms[0]

    def follows():
        documents = [text for topic, text in story.watcher.latest.items() if f"room_{room.id}/" in topic]
        return any(house.names[room.id] in text.decode() for text in documents)
    # Each item's document has the names of rooms, and a fuser publishes fifty documents a second.
    took = wait(10 + len(air.tags) / 25, follows)
    story.check("Home Assistant's names follow", took is not None, house.names[room.id])
    time.sleep(WATCHED)
    moved = story.watcher.since(events)
    story.check("no move is told for it", len(moved) <= calm + story.by_chance,
                f"{len(moved)} events of {len(air.tags)} tags, {calm} in as long before")
    after = history(story, "bed-01")
    story.check("history and lessons survive", before and after and before == after and taught == lessons(story) and taught,
                f"{len(after)} visits, {len(taught)} lesson of {air_room(story, 'bed-01')}")
    air.resume(moves)

def history(story, item, *words):
    """The visits of an item: room, begin and end."""
    done = story.house.run("history", item, *words, "--json")
    answer = json.loads(done.stdout) if done.returncode == 0 else {}
    return [(visit["room"], visit["from_unix"], visit.get("to_unix")) for visit in answer.get("visits", [])]
