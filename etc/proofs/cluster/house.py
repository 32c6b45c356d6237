"""The programs of a house on three servers, and what must be true of it."""
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import time

from observer import Observer

# Seconds after which observers connect anew where something stands wrong.
STALE = 45
NODES = ["kitchen", "living", "bedroom"]
ITEMS = ["keys", "phone", "cat"]
REGION = "  - {id: near, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100}, exit_after: 2s}\n"


class House:
    """Three agents and some fusers, each with another server first, and a subscriber of all events."""

    def __init__(self, root, programs, servers, folder, fusers=("a", "b"), settings="", keepalive="5s"):
        self.fusers, self.settings, self.keepalive = fusers, settings, keepalive
        self.root, self.programs, self.servers, self.folder = root, programs, servers, folder
        self.running, self.observers = {}, []
        # Times that only a new subscription of an observer showed the right state.
        self.renewed = 0
        self.journal = f"{folder}/journal.sqlite"

    def start(self):
        items = f"{self.root}/etc/examples/simulation/items.yaml"
        scenario = f"{self.root}/etc/examples/simulation/house.yaml"
        for index, node in enumerate(NODES):
            self.program("agent", node, index,
                         f'node: {node}\nsource: "simulate:{scenario}"\nitems: {items}\nregions:\n{REGION}')
        self.items = items
        for fuser in self.fusers:
            self.start_fuser(fuser)
        with open(f"{self.folder}/subscriber.log", "w") as log:
            self.running["subscriber"] = subprocess.Popen(
                [sys.executable, f"{self.root}/Tests/Subscriber/subscriber.py", "run", self.servers[2].address,
                 str(self.servers[2].mqtt), self.journal, "--v311"], stdout=log, stderr=log)
        self.observers = [Observer(server.name, server.address, server.mqtt, NODES) for server in self.servers]

    def start_fuser(self, fuser):
        self.program("fuser", fuser, self.fusers.index(fuser), f"name: {fuser}\nitems: {self.items}\n{self.settings}")

    def program(self, kind, name, first, text):
        urls = [self.servers[(first + index) % 3].url for index in range(3)]
        path = f"{self.folder}/{kind}-{name}.yaml"
        with open(path, "w") as file:
            file.write(text + f"state: {name}.sqlite\n"
                       f"mqtt: {{urls: [{', '.join(urls)}], keepalive: {self.keepalive}}}\n")
        with open(f"{self.folder}/{kind}-{name}.log", "a") as log:
            self.running[name] = subprocess.Popen(
                [f"{self.programs}/whereabouts-{kind}", "--config", path], stdout=log, stderr=log)

    def logged(self, words):
        """Lines of the programs' logs that contain some words."""
        count = 0
        for name in os.listdir(self.folder):
            if name.endswith(".log"):
                with open(f"{self.folder}/{name}") as file:
                    count += sum(words in line for line in file)
        return count

    def ended(self):
        return sorted(name for name, process in self.running.items() if process.poll() is not None)

    def end(self):
        for observer in self.observers:
            observer.end()
        for process in self.running.values():
            if process.poll() is None:
                process.terminate()
        for process in self.running.values():
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    # Conditions.

    def fault(self, offline=()):
        """The first thing that is not as it should be, in words; None when all is. `offline` names what has been ended."""
        for observer in self.observers:
            states = observer.states()
            if states is None:
                return "an observer lacks a subscription"
            for kind, names in (("nodes", NODES), ("fuser", self.fusers)):
                for name in names:
                    wanted = "offline" if name in offline else "online"
                    if states.get(f"{kind}/{name}/status") != wanted:
                        return f"{kind}/{name}/status is {states.get(f'{kind}/{name}/status')}, not {wanted}"
            for item in ITEMS:
                text = states.get(f"items/{item}/location")
                if not text or json.loads(text)["state"] == "unknown":
                    return f"nothing is known of {item}"
        return self.fault_of_serving()

    def fault_of_serving(self):
        now = time.monotonic()
        claims = self.observers[0].claims
        serving = [name for name, (at, claim) in claims.items() if now - at < 5 and claim["state"] == "serving"]
        return None if len(serving) == 1 else f"serving: {serving}"

    def wait(self, seconds, offline=()):
        """Waits until all is as it should be. Returns the fault that is left, or None."""
        began = time.monotonic()
        renewals = 0
        while (fault := self.fault(offline)) and time.monotonic() < began + seconds:
            # A fault that lasts so long may be an observer's subscription that stalled: a new one tells.
            if time.monotonic() >= began + STALE * (renewals + 1):
                renewals += 1
                for observer in self.observers:
                    try:
                        observer.renew()
                    except OSError:
                        pass
            time.sleep(0.2)
        if renewals and not fault:
            self.renewed += 1
        return fault

    def gaps(self, since, until):
        """By speaker, the longest time without a sign of life that began or ended between two moments; one that goes on counts
        until now."""
        longest, now = {}, time.monotonic()
        for speaker in NODES + ["serving"]:
            # A claim reaches three observers, unless one's server is the one that is dead.
            moments = sorted(moment for observer in self.observers for moment in observer.signs.get(speaker, []))
            pairs = [(one, two) for one, two in zip(moments, moments[1:] + [now]) if one <= until and two >= since]
            longest[speaker] = max((two - one for one, two in pairs), default=None)
        return longest

    def missing(self):
        """Events that the journal lacks, by publisher, as far as the latest heartbeat counts; and how many it has."""
        lacking, total = {}, 0
        last = {}
        for observer in self.observers:
            for publisher, position in observer.last_events.items():
                last[publisher] = max(position, last.get(publisher, position), key=lambda one: one[1])
        rows = sqlite3.connect(self.journal).execute("SELECT publisher, body FROM journal").fetchall()
        seen = {}
        for publisher, text in rows:
            body = json.loads(text)
            if body["kind"] == "lost":
                lacking.setdefault(publisher, []).append(body)
            else:
                seen.setdefault((publisher, body["epoch"]), []).append(body["seq"])
        for publisher, (epoch, number) in last.items():
            numbers = seen.get((publisher, epoch), [])
            total += len(numbers)
            absent = sorted(set(range(1, number + 1)) - set(numbers))
            if absent or len(numbers) != len(set(numbers)):
                lacking.setdefault(publisher, []).append(absent or "an event twice")
        return lacking, total


def describe(values):
    values = [value for value in values if value is not None]
    return f"{statistics.median(values):5.1f} s {max(values):5.1f} s" if values else "none"
