"""The page of a fuser in a crowd, and under attack: etc/proofs/run page [--seconds N] [--only crowd|hostile] [--schema [--seed N]]

crowd     10,000 items at 50 nodes, first without a page, then with one and 20 viewers of all events: what the page takes of
          memory (60 MB at most) and of a core (5 % at most), and the delay from the broker to a browser (0.2 s in 19 of 20)
hostile   2,000 connections a second from 58 addresses, half-open ones, slow readers, header floods, bodies without end,
          paths that climb: rooms are told as fast as before (0.05 s at most in 19 of 20), a viewer stays connected, strangers
          get no name, memory and descriptors are bounded

  --seconds N       of each measurement (60)
  --items N         of the crowd (10000)
  --only PART       one of the two
  --schema          schemathesis (PyPI) against the interface's own description; skipped where it can't be installed
  --seed N          of schemathesis (1)
  --programs DIR    the built programs; else a release build is made
  --keep            leaves the folder with all logs

It needs mosquitto and paho-mqtt 1.6 (Debian: mosquitto, python3-paho-mqtt), and eight minutes after the build. All figures
depend on the machine, which runs the crowd, the viewers and the attackers as well; not under nice. Ends with 1 where a
promise isn't kept, with 77 where the machine lacks one of them.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))
import frame  # noqa: E402

NODES, VIEWERS = 50, 20
# Promises in megabytes, a share of a core and seconds; then the attack, with what it may delay and add.
MEMORY, CORE, DELAY = 60, 0.05, 0.2
ATTACKERS, HOSTILE_RATE, ROOM_DELAY, HOSTILE_MEMORY = 2, 2000, 0.05, 60
# Seconds until a crowd's rooms are decided.
SETTLING = 25
# Seconds in which viewers take the whole state.
CATCHING_UP = 15


def start_crowd(port, items, nodes, moves, every):
    crowd = subprocess.Popen(
        [sys.executable, f"{HERE}/crowd.py", *map(str, (port, items, nodes, moves, every))],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    crowd.stdout.readline()
    return crowd


def watch(house, seconds):
    """The shares of a core of the main thread and of the page's, and the most of resident memory."""
    before, began, peak = house.processor_times(), time.monotonic(), 0
    while time.monotonic() < began + seconds:
        time.sleep(1)
        peak = max(peak, house.resident())
    taken = time.monotonic() - began
    return [(now - then) / taken for now, then in zip(house.processor_times(), before)] + [peak]


def measure_crowd(make_house, options):
    import paho.mqtt.client as mqtt

    from house import quantile
    from viewers import Viewers
    figures = {}
    for name, has_page, count in (("no page", False, 0), ("no viewer", True, 0), ("viewers", True, VIEWERS)):
        if name != "viewers":
            house = make_house(name.replace(" ", "-"), NODES, has_page)
            crowd = start_crowd(house.mqtt, options.items, NODES, 0.02, 5)
            # The fuser grows in its first minutes: the one without a page is measured at the age of the one with viewers.
            time.sleep(SETTLING if has_page else SETTLING + options.seconds + CATCHING_UP)
        else:
            viewers = Viewers(house.http, count)
            time.sleep(CATCHING_UP)
            began, before = time.monotonic(), sum(viewers.received)
        figures[name] = watch(house, options.seconds)
        main, page, peak = figures[name]
        print(
            f"{name:10}  main thread {main:6.1%} of a core, page's {page:6.1%}, at most {peak:6.1f} MB", flush=True)
        if name == "no page":
            crowd.terminate()
            house.end()
    rate = (sum(viewers.received) - before) / (time.monotonic() - began) / count
    probe = mqtt.Client()
    probe.connect("127.0.0.1", house.mqtt)
    probe.loop_start()
    delays, lost = viewers.measure(probe, 200, 0.113)
    probe.loop_stop()
    more = figures["viewers"][2] - figures["no page"][2]
    core = figures["viewers"][1]
    print(
        f"with {count} viewers, {options.items} items, {NODES} nodes: {more:.1f} MB more, {core:.1%} of a core,"
        f" {rate / 1000:.1f} kB/s each")
    faults = []
    if lost or viewers.closed:
        faults.append(f"{lost} of 200 changes didn't arrive, {viewers.closed} streams ended")
    if delays:
        late = quantile(delays, 0.95)
        print(f"broker to browser: {quantile(delays, 0.5):.3f} s in the median, {late:.3f} s in 19 of 20", flush=True)
        if late > DELAY:
            faults.append(f"a change takes {late:.3f} s to a browser, more than {DELAY}")
    if more > MEMORY:
        faults.append(f"the page takes {more:.1f} MB more, not {MEMORY}")
    if core > CORE:
        faults.append(f"the page takes {core:.1%} of a core, not {CORE:.0%}")
    viewers.end()
    crowd.terminate()
    return faults + ([] if house.is_alive() else ["the fuser ended"])


def visit(house, visits, ends):
    """Asks once a second on a new connection; notes the seconds until each answer, None for none."""
    while not ends.wait(1):
        began = time.monotonic()
        status = house.get("/healthz")
        visits.append(time.monotonic() - began if status == 200 else None)


def measure_hostile(make_house, options):
    from house import TOKEN, quantile
    from rooms import Rooms
    from viewers import Viewers
    house = make_house("hostile", 5, True)
    crowd = start_crowd(house.mqtt, 100, 5, 0.1, 1)
    viewers = Viewers(house.http, 1)
    rooms = Rooms(house.mqtt)
    time.sleep(SETTLING)
    rooms.take()
    time.sleep(options.seconds)
    quiet, resident, descriptors = rooms.take(), house.resident(), house.descriptors()
    received = viewers.received[0]
    attacks = [subprocess.Popen(
        [sys.executable, f"{HERE}/hostile.py",
         *map(str, (house.http, options.seconds, HOSTILE_RATE / ATTACKERS, TOKEN))],
        stdout=subprocess.PIPE, text=True) for _ in range(ATTACKERS)]
    visits = []
    ends = threading.Event()
    visitor = threading.Thread(target=visit, args=(house, visits, ends), daemon=True)
    visitor.start()
    _, page, peak = watch(house, options.seconds)
    ends.set()
    loud = rooms.take()
    reports = [json.loads(attack.communicate()[0]) for attack in attacks]
    rate = sum(report["rate"] for report in reports)
    answers = sum((collections.Counter(report["answers"]) for report in reports), collections.Counter())
    opened = sum(report["opened"] for report in reports)
    print(
        f"attack: {opened} connections, {rate:.0f} a second; a share of the answers: " + ", ".join(
            f"{status} {count}" for status, count in sorted(answers.items())))
    answered = [seconds for seconds in visits if seconds is not None]
    print(
        f"a visitor's requests meanwhile: {len(answered)} of {len(visits)} answered within 10 s, the median after "
        f"{quantile(answered, 0.5) if answered else 10:.2f} s")
    faults = []
    for name, delays in (("before", quiet), ("during", loud)):
        if not delays:
            faults.append(f"no room was told {name} the attack")
            continue
        print(
            f"rooms {name} the attack: {len(delays)} messages, {quantile(delays, 0.5):.3f} s in the median,"
            f" {quantile(delays, 0.95):.3f} s in 19 of 20")
    print(f"page's thread {page:.1%} of a core, memory {resident:.1f} MB before, {peak:.1f} MB at most", flush=True)
    if quiet and loud and quantile(loud, 0.95) - quantile(quiet, 0.95) > ROOM_DELAY:
        faults.append(f"rooms are more than {ROOM_DELAY} s later than without the attack")
    if peak - resident > HOSTILE_MEMORY:
        faults.append(f"memory grew by {peak - resident:.1f} MB, more than {HOSTILE_MEMORY}")
    if rate < HOSTILE_RATE * 0.9:
        faults.append(f"the machine gives the attackers {rate:.0f} connections a second, not {HOSTILE_RATE}")
    # A second in which the viewer's stream goes on, and strangers who get no name.
    if viewers.closed or viewers.received[0] <= received:
        faults.append("the viewer lost its stream")
    for path, status in (("/healthz", 200), ("/api/items", 401), ("/%2e%2e/%2e%2e/etc/passwd", 400)):
        if (given := house.get(path)) != status:
            faults.append(f"{path} answers {given} after the attack, not {status}")
    time.sleep(25)
    left = house.descriptors()
    print(f"descriptors {descriptors} before, {left} half a minute later")
    if left > descriptors + 5:
        faults.append("connections of the attack are still open")
    viewers.end()
    rooms.end()
    crowd.terminate()
    return faults + ([] if house.is_alive() else ["the fuser ended"])


def main():
    parser = frame.make_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=60, help=argparse.SUPPRESS)
    parser.add_argument("--items", type=int, default=10_000, help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=("crowd", "hostile"), help=argparse.SUPPRESS)
    parser.add_argument("--schema", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if os.getpriority(os.PRIO_PROCESS, 0) != 0:
        sys.exit("start it without nice: the page's thread is known by its priority, and figures need the machine")
    frame.require("mosquitto")
    from house import House
    from schema import measure_schema
    programs = frame.find_programs(options, ("whereabouts-fuser",))
    parts = {"crowd": measure_crowd, "hostile": measure_hostile}
    chosen = [measure_schema] if options.schema else [
        part for name, part in parts.items() if options.only in (None, name)]

    def run(folder, ends):
        def make_house(name, rooms, has_page):
            house = House(frame.ROOT, programs, f"{folder}/{name}", rooms, has_page)
            ends.callback(house.end)
            return house

        return [fault for part in chosen for fault in part(make_house, options)]

    frame.conclude("page", options.keep, run)


main()
