"""From enrolment to the morning's shift: the programs start, Tuesday is lived once, nurses come, and somebody teaches a room."""
import calendar
import time

from house import wait
from story import SETTLED

# Seconds: the hour of Tuesday that is lived, a stay of the pump there, and how much faster than today.
TUESDAY, STAY, HURRY = 9 * 3600, 60, 10
PUMP = "pump-17"


def last_tuesday():
    """The last Tuesday but today, nine o'clock, in Unix seconds."""
    today = time.gmtime()
    days = (today.tm_wday - 1) % 7 or 7
    return calendar.timegm((today.tm_year, today.tm_mon, today.tm_mday, 0, 0, 0)) - days * 86_400 + TUESDAY


def enrol(story):
    house = story.house
    story.begin("enrolment")
    house.enroll()
    issued = house.read("fleet/authority/issued.csv").count("\n")
    story.check("each gateway, the fuser and four people have a certificate and rights", issued >= len(story.plan.rooms) + 6,
                f"{issued} lines issued, {house.read('fleet/broker/acl').count('topic ')} rights")
    house.start_database()
    house.start_broker()
    house.start_fuser()
    story.watch()
    took = wait(30, lambda: house.page("/healthz", "")[0] == 200)
    story.check("the fuser serves its page", took is not None)
    house.write("tags.csv", story.plan.table)
    done = house.run("items", "import", "tags.csv", user="nora")
    story.check("a viewer may not register the list", done.returncode != 0, done.stderr.strip().splitlines()[-1][:110])
    done = house.run("items", "import", "tags.csv", user="bert")
    story.check("an operator may", done.returncode == 0, done.stdout.strip().splitlines()[-1])
    entries = []

    def recorded():
        entries[:] = [row for row in house.rows("audit") if row["action"] == "item" and row["user"] == "bert"]
        return len(entries) == len(story.plan.tags)
    took = wait(20, recorded, 1)
    story.check("the audit has each entry, and by whom", took is not None, f"{len(entries)} of {len(story.plan.tags)}")


def live_tuesday(story):
    """Half a ward lives some minutes of Tuesday on the clock of its packets, as a replay does."""
    house, start = story.house, last_tuesday()
    story.begin("Tuesday")
    air = story.open(start, HURRY)
    rooms = story.plan.rooms_of(0)[:5]
    for room in rooms:
        house.start_gateway(room, air)
    took = wait(60, lambda: story.watcher.room(PUMP) not in ("", "unknown"))
    story.check("the pump is found", took is not None)
    story.tuesday = []
    for room in rooms[:3]:
        story.tuesday.append((air.now(), story.name(room)))
        air.put([PUMP], room)
        time.sleep(STAY / HURRY)
        wait(20, lambda: story.watcher.room(PUMP) == story.name(room))
    story.tuesday_end = air.now()
    story.check("the pump goes through three rooms", story.watcher.room(PUMP) == story.name(rooms[2]),
                f"{time.strftime('%a %d %b %H:%M', time.gmtime(start))} to {time.strftime('%H:%M', time.gmtime(air.now()))} UTC, "
                f"{HURRY} times as fast")
    air.end()
    for room in rooms:
        house.stop(story.plan.rooms[room].id)
    # A house keeps the clock of gateways that it heard in the last ten seconds.
    time.sleep(11)


def begin_shift(story):
    house, plan = story.house, story.plan
    story.begin("morning")
    air = story.open()
    for room in range(len(plan.rooms)):
        house.start_gateway(room, air)
    began = time.time()
    took = wait(120, lambda: story.are_heard(began))
    story.check("the fuser hears all gateways", took is not None, f"{len(plan.rooms)} agents")
    still = {tag.id for tag in plan.tags if tag.kind in ("pump", "bed")}
    took = wait(90, lambda: story.share(still) >= 0.97)
    story.check("97 % of pumps and beds are told right", took is not None, words(story, still))
    for number, nurse in enumerate(story.nurses):
        rooms = plan.rooms_of(number % len(house.wards))
        air.put(nurse.tags, rooms[number % len(rooms)])
    people = {tag for nurse in story.nurses for tag in nurse.tags}
    took = wait(90, lambda: story.share(people, 0) >= 0.95)
    story.check("95 % of the nurses' tags are told right once they are in", took is not None, words(story, people, 0))
    def strayed():
        return [nurse for nurse in story.nurses
                if story.watcher.room(nurse.id) != story.name(air.tags[nurse.tags[0]].room)]

    # A person follows its tags within seconds.
    took = wait(30, lambda: len(strayed()) <= 0.1 * len(story.nurses))
    story.check("and nurses as persons", took is not None, f"{len(story.nurses) - len(strayed())} of {len(story.nurses)}")
    for number, nurse in enumerate(story.nurses):
        air.wander(nurse.tags, plan.rooms_of(number % len(house.wards)), 60)
    done = house.run("learn", "bed-01", air_room(story, "bed-01"), "--for", "6s", user="bert")
    story.check("an operator teaches a room", done.returncode == 0 and len(lessons(story)) == 1, air_room(story, "bed-01"))


def go_on(story):
    """The ordinary shift."""
    story.begin("shift")
    before, began = story.house.cpu(story.house.running), time.monotonic()
    share, of, wrong = story.observe(story.options.minutes * 60)
    seconds = time.monotonic() - began
    cpu = (story.house.cpu(story.house.running) - before) / seconds
    story.check(f"{story.enough:.0%} of all that have been in a room for {SETTLED} s are told right", share >= story.enough,
                f"{share:.1%} of {of} answers; {wrong}; all programs {cpu:.2f} cores, fuser "
                f"{story.house.resident('fuser'):.0f} MB, an agent {story.house.resident(story.plan.rooms[0].id):.1f} MB")


def air_room(story, tag):
    return story.name(story.air.tags[tag].room)


def lessons(story):
    answer = story.house.rows("learn", "--list")
    return answer[0].get("lessons", []) if answer else []


def words(story, tags, settled=SETTLED):
    right, of, wrong = story.compare(tags, settled)
    return f"{right} of {of}" + (f", not {wrong[:2]}" if wrong else "")
