"""Afternoon: a nurse leaves, an inspector asks, and the shift ends."""
import time

from house import PEOPLE, wait
from morning import PUMP
from plan import NURSE, UUID
from trouble import history
from watcher import Watcher


def leave(story):
    """The nurse's user, token, badge and person go; another nurse gets her keys."""
    house, air = story.house, story.air
    story.begin("a nurse leaves")
    gone = next(person for person in house.persons if person.name == NURSE)
    heir = next(person for person in house.persons if person.is_nurse and person is not gone)
    badge, keys = gone.tags
    standing = Watcher(house, "nora", ["items/+/room"])
    done, status = house.run("items", "list", user="nora"), house.page("/api/items", house.tokens["viewer"])[0]
    took = wait(10, lambda: len(standing.latest) > 0)
    story.check("until then she may look", done.returncode == 0 and status == 200 and took is not None,
                f"{len(standing.latest)} rooms, the page {status} {done.stderr.strip()[-100:]}")
    token = house.tokens.pop("viewer")
    house.persons.remove(gone)
    heir.tags.append(keys)
    air.put([badge], None)
    air.put([keys], air.tags[heir.tags[0]].room)
    story.check("the fuser reads its file anew", house.reload() is not None)
    took = wait(10, lambda: house.page("/api/items", token)[0] == 401)
    story.check("the page refuses her token", took is not None)
    tag = next(tag for tag in story.plan.tags if tag.id == keys)
    done = [house.run("items", "remove", badge, user="bert"),
            house.run("items", "add", keys, "--name", f"Keys of {heir.name}", "--tag", "keys", "--ibeacon",
                      f"{UUID},{tag.major},{tag.minor}", "--replace", user="bert")]
    story.check("an operator removes her badge and gives her keys to another", all(command.returncode == 0 for command in done),
                "; ".join(command.stderr.strip()[-80:] for command in done if command.returncode))

    def traces():
        return [topic for topic in story.watcher.latest if gone.id in topic]
    took = wait(15, lambda: not traces())
    story.check("her person is gone from the broker and from Home Assistant", took is not None, " ".join(traces()))
    events = len(story.watcher.events)
    moves = air.rest()
    story.check("whereabouts revoke", house.run("revoke", "nora").returncode == 0)
    house.grant({name: option for name, option in PEOPLE.items() if name != "nora"})
    house.stop("broker")
    stopped = time.time()
    house.start_broker()
    gone_file = "fleet/revoked/nora/whereabouts.yaml"

    time.sleep(2)
    done = house.run("items", "list", config=gone_file)
    story.check("the broker refuses her certificate", done.returncode == 1 and "certificate" in done.stderr,
                done.stderr.strip().split(": ", 2)[-1][:110])
    done = house.run("items", "list", config="stolen/whereabouts.yaml")
    story.check("and the former one of the gateway that was stolen", done.returncode == 1 and "certificate" in done.stderr,
                done.stderr.strip().split(": ", 2)[-1][:110])
    took = wait(30, lambda: standing.is_refused)
    story.check("her subscriber is refused, too", took is not None)
    took = wait(90, lambda: story.are_heard(stopped + 1) and story.share() >= story.enough)
    story.check("all others are back at the broker", took is not None, f"{time.time() - stopped:.0f} s after its end")
    left = [event for event in story.watcher.since(events) if event["kind"] == "left" and event["item"] != badge]
    story.check("nobody is told away for the broker's restart", not left, f"{len(left)}")
    time.sleep(2)
    story.check("her person does not come back with the programs", not traces(), " ".join(traces()))
    air.resume(moves)
    audit = house.rows("audit", "--subject", badge)
    last = audit[-1] if audit else {}
    story.check("the audit shows by whom", last.get("user") == "bert" and last.get("action") == "item",
                f"{last.get('action')} {badge} by {last.get('user')}, proof {last.get('proof')}, before: "
                f"{str(last.get('before'))[:60]}")


def inspect(story):
    """The places of pump 17 on Tuesday: by the tool, by SQL, and in truth."""
    story.begin("an inspector asks")
    day = time.strftime("%Y-%m-%d", time.gmtime(story.tuesday_end))
    begin, end = story.tuesday[0][0] - 60, story.tuesday_end
    told = [(room, began, ended or end) for room, began, ended in history(story, PUMP, "--from", day, "--to", f"{day} 23:59")
            if room != "away" and began < end]
    truth = [(room, at, after) for (at, room), after in
             zip(story.tuesday, [at for at, _ in story.tuesday[1:]] + [end])]
    # Without where it stood before the first of the three rooms.
    told = [visit for visit in told if visit[2] > truth[0][1] + 30]
    wrong = max((abs(answer[1] - true[1]) for answer, true in zip(told[1:], truth[1:])), default=0)
    is_same = [answer[0] for answer in told] == [true[0] for true in truth]
    stays = ", ".join(f"{room} {clock(began)}" for room, began, _ in told)
    story.check("the tool's rooms are the true ones", is_same and wrong <= 30, f"{stays}; {wrong:.0f} s off at most")
    query = (f"SELECT room, extract(epoch FROM began), extract(epoch FROM ended) FROM whereabouts.time_in_room"
             f" WHERE item = '{PUMP}' AND began < timestamptz '{day} UTC' + interval '1 day'"
             f" AND ended > timestamptz '{day} UTC' ORDER BY began")
    rows = []

    def same():
        rows[:] = [line.split("|") for line in story.house.database.lines(query)]
        found = [(room, float(began)) for room, began, _ in rows if room != "away" and begin - 600 < float(began) < end]
        return [(room, round(began)) for room, began in found[-len(told):]] == [(room, round(began)) for room, began, _ in told]
    took = wait(30, same)
    story.check("PostgreSQL says the same", took is not None, "; ".join(f"{row[0]} {clock(float(row[1]))}" for row in rows))


def clock(at):
    return time.strftime("%H:%M:%S", time.gmtime(at))


def end_shift(story):
    house, air = story.house, story.air
    story.begin("the shift ends")
    air.rest()
    events = len(story.watcher.events)
    nurses = story.nurses
    tags = [tag for nurse in nurses for tag in nurse.tags if f"items/{tag}/config" in story.watcher.latest
            and air.tags[tag].room is not None]
    for nurse in nurses:
        air.put([tag for tag in nurse.tags if tag in tags], None)
    expected = {*tags, *(nurse.id for nurse in nurses)}
    took = wait(120, lambda: all(story.watcher.room(name) == "away" for name in expected))
    story.check("all nurses and what they carry are told away", took is not None,
                f"{sum(story.watcher.room(name) == 'away' for name in expected)} of {len(expected)}, after 20 s of silence")
    time.sleep(5)
    left = [event["item"] for event in story.watcher.since(events, ("left",))]
    again = sorted({name for name in left if left.count(name) > 1})
    story.check("each of them once, and nobody else", sorted(left) == sorted(expected),
                f"{len(left)} events; twice {again[:3]}, others {sorted(set(left) - expected)[:3]}")
    came = story.watcher.since(events, ("arrived",))
    story.check("nobody is told back", not came, f"{len(came)}")
