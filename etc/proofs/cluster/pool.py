"""A pool of four fusers on three nats-servers, through kills of both, stand-stills, cut links and the loss of the quorum."""
import json
import signal
import threading
import time

from frame import Asked
from house import House, describe

FUSERS = ["p0", "p1", "p2", "p3"]
# Seconds in which all must be well again after a fault has ended, and others serve what a lost one served: servers that elect
# leaders deny subscriptions for half a minute and longer, and for minutes where a crowd connects again on two processors.
PATIENCE = 300
# The share of the moves that may be false or doubled: what is under way as a line is cut may be told twice
# (docs/protocol/event-delivery.md, "What is not promised").
INHERENT = 1 / 500
ALL = (1 << 256) - 1


class Crowd:
    """Nodes and items of a process, spread over the servers (etc/bench/Sources/crowd)."""

    def __init__(self, ends, program, servers, nodes, items):
        brokers = ",".join(f"{server.address}:{server.mqtt}" for server in servers)
        self.ends, self.command = ends, [program, brokers, items, nodes]
        self.program, self.windows, self.latest = None, 0, 0

    def start(self):
        """Connects and registers all nodes and items, and has them heard until the end; returns the seconds that it took."""
        self.program = Asked(self.ends, *self.command)
        # The agents of the house simulate, and all nodes of a house live on one clock.
        self.program.ask("simulate")
        registered = float(self.program.ask("register")[1])
        threading.Thread(target=self.live, daemon=True).start()
        return registered

    def live(self):
        try:
            while True:
                _, windows, latest = self.program.ask("live 10")
                self.windows, self.latest = self.windows + int(windows), max(self.latest, int(latest))
        except (OSError, RuntimeError):
            # It has ended: `fault` tells.
            pass

    def fault(self):
        code = self.program.process.poll()
        return None if code is None else f"the crowd ended with {code}"


class Pool(House):
    """The house of the proof, whose fusers share all shards."""

    def __init__(self, root, programs, servers, folder):
        super().__init__(root, programs, servers, folder, FUSERS, "shards: shared\n", "10s")
        self.crowd = None

    def fault_of_serving(self):
        """None if each shard is served once, by the latest claims of fusers that live."""
        return self.fault_of_shards(self.fusers)

    def fault_of_shards(self, fusers, observers=None):
        now = time.monotonic()
        served, twice = 0, 0
        for name in fusers:
            at, claim = max((observer.claims.get(name, (0, {})) for observer in observers or self.observers),
                            key=lambda one: one[0])
            if now - at < 5 and "serves" in claim:
                bits = int(claim["serves"], 16)
                served, twice = served | bits, twice | (served & bits)
        if served != ALL or twice:
            return f"{bin(served).count('1')} shards are served, {bin(twice).count('1')} twice"
        return None

    def wait_for_shards(self, fusers, seconds, observers=None):
        """The seconds until these serve each shard once, as some observers see it; None if they do not in time."""
        began = time.monotonic()
        while self.fault_of_shards(fusers, observers):
            if time.monotonic() - began > seconds:
                return None
            time.sleep(0.05)
        return time.monotonic() - began

    def broken_stories(self):
        """The faults of the moves that any observer saw, in words, and the number of moves; writes these to moves.json, all
        answers to answers.json, and who claimed to serve what to claims.json."""
        events = {}
        for observer in self.observers:
            for place, name, event in observer.moves():
                first = events.setdefault(place, {}).setdefault(name, event)
                first["arrived"] = min(first["arrived"], event["arrived"])
        broken = [f"{item} {number}: two events, {list(ids.values())}" for (item, number), ids in events.items() if len(ids) > 1]
        numbers = {}
        for (item, number), ids in events.items():
            for name in ids:
                if numbers.setdefault(name, number) != number:
                    broken.append(f"{item}: one event as {numbers[name]} and {number}")
        for (item, number), ids in sorted(events.items()):
            after = next(iter(events.get((item, number + 1), {}).values()), None)
            move = next(iter(ids.values()))
            if after is not None and after.get("previous") != move.get("room"):
                broken.append(f"{item} {number}: {move} and then {after}")
        with open(f"{self.folder}/moves.json", "w") as file:
            json.dump({f"{item} {number}": list(ids.values()) for (item, number), ids in sorted(events.items())}, file, indent=1)
        with open(f"{self.folder}/claims.json", "w") as file:
            json.dump(sorted(claim for observer in self.observers for claim in observer.served), file, indent=1)
        with open(f"{self.folder}/answers.json", "w") as file:
            answers = [answer for observer in self.observers for answer in observer.answers]
            json.dump(sorted(answers, key=lambda answer: answer[0]), file, indent=0)
        return broken, len(events)


def prove_piece(house, servers, draw, minutes, kinds):
    """Faults of these kinds for some minutes; returns what is wrong, and appends the times to the house."""
    until = time.monotonic() + minutes * 60
    times = {kind: [] for kind in kinds if "cut" not in kind or all(server.host.can_be_cut for server in servers)}
    while time.monotonic() < until:
        kind = draw.choice(list(times))
        time.sleep(draw.uniform(0, 5))
        at = time.strftime("%T")
        if "fuser" in kind:
            name = draw.choice(FUSERS)
            others = [fuser for fuser in FUSERS if fuser != name]
            process = house.running[name]
            process.send_signal(signal.SIGKILL if kind == "killed fuser" else signal.SIGSTOP)
            if kind == "killed fuser":
                process.wait()
            seconds = house.wait_for_shards(others, PATIENCE)
            if seconds is None:
                return [f"{kind} {name}: {house.fault_of_shards(others)} by the others"], times
            time.sleep(draw.uniform(0, 10))
            if kind == "killed fuser":
                house.start_fuser(name)
            else:
                process.send_signal(signal.SIGCONT)
        elif kind == "killed server":
            server = draw.choice(servers)
            server.end()
            time.sleep(draw.uniform(1, 12))
            server.start()
            server.wait_until_healthy(15)
            seconds = None
        elif kind == "cut off server":
            server = draw.choice(servers)
            rest = [observer for other, observer in zip(servers, house.observers) if other is not server]
            server.host.cut()
            cut = time.monotonic()
            # The last claims of fusers at that server count until they are five seconds old.
            time.sleep(6)
            seconds = house.wait_for_shards(FUSERS, PATIENCE, rest)
            if seconds is None:
                return [f"{kind} {server.name}: {house.fault_of_shards(FUSERS, rest)} by the others"], times
            seconds += 6
            time.sleep(max(0, cut + draw.uniform(10, 30) - time.monotonic()))
            server.host.join()
        else:
            for server in draw.sample(servers, 2):
                server.process.send_signal(signal.SIGSTOP)
            before = house.logged("following another fuser")
            time.sleep(draw.uniform(14, 20))
            stopped = house.logged("following another fuser") - before
            print(f"  {at} no quorum: {stopped} fusers have stopped serving", flush=True)
            for server in servers:
                server.process.send_signal(signal.SIGCONT)
            seconds = None
        began = time.monotonic()
        if fault := house.wait(PATIENCE):
            return [f"{kind}: {fault}"], times
        times[kind].append(seconds if seconds is not None else time.monotonic() - began)
        print(f"  {at} {kind:14} served by others after {seconds:4.1f} s," if seconds is not None else f"  {at} {kind:14}",
              f"all well {time.monotonic() - began:4.1f} s after its end", flush=True)
    return [], times


def prove(house, servers, draw, options):
    if not all(server.host.can_be_cut for server in servers):
        print("no server is cut off: this takes root and a kernel that makes networks", flush=True)
    for server in servers:
        server.start()
    house.start()
    if fault := house.wait(180):
        return [f"the house didn't come up: {fault}"]
    if house.crowd:
        print(f"the crowd is registered after {house.crowd.start():.1f} s", flush=True)
    total, faults = {}, []
    for piece in range(options.pieces):
        print(f"piece {piece + 1} of {options.pieces}", flush=True)
        faults, times = prove_piece(house, servers, draw, options.minutes, options.faults)
        for kind, values in times.items():
            total.setdefault(kind, []).extend(values)
        if house.crowd and (fault := house.crowd.fault()):
            faults.append(fault)
        if faults:
            break
    print("\n                  count   median  longest")
    for kind, values in total.items():
        print(f"{kind:17} {len(values):5}   {describe(values)}")
    if house.crowd:
        print(f"windows of the crowd {house.crowd.windows:,}, the latest {house.crowd.latest / 1000:.1f} s after its time")
    broken, count = house.broken_stories()
    print(f"moves             {count:5}, false or doubled {len(broken)}")
    for story in broken:
        print(f"  {story}")
    if not count:
        faults.append("there were no moves")
    if len(broken) > count * INHERENT:
        faults.append(f"{len(broken)} of {count} moves are false or doubled")
    return faults
