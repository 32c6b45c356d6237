#!/usr/bin/env python3
"""A subscriber of all events of nodes and fusers, written from docs/protocol/event-delivery.md alone.

    subscriber.py run HOST PORT DATABASE [--v311]     keeps a journal until it is ended
    subscriber.py dump DATABASE PUBLISHER             prints it: a JSON line for each event, and for each that is lost

It needs paho-mqtt 1.6 (Debian: python3-paho-mqtt). Publishers are `nodes/<node>` and `fuser/<name>`.
"""
import json
import secrets
import signal
import sqlite3
import sys
import time

PREFIX = "whereabouts"
HELD, CLOSED, TRIES, BLIND, ROUNDS, BLIND_ROUNDS = 256, 8, 10, 3, 3, 8
DENIAL_PAUSE, DENIAL_LIMIT = 1.0, 60.0
# Answers in a row without any event, or requests without an answer, after which the connection is made anew: once a minute.
STALL_ROUNDS, STALL_PAUSE = 2, 60.0


class Journal:
    """What was taken, with the positions, in one database."""

    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=FULL")
        self.db.execute(
            "CREATE TABLE IF NOT EXISTS journal (number INTEGER PRIMARY KEY, publisher TEXT, body TEXT)")
        self.db.execute(
            "CREATE TABLE IF NOT EXISTS positions (publisher TEXT, epoch TEXT, seq INTEGER, closed INTEGER,"
            " PRIMARY KEY (publisher, epoch))")
        self.rows, self.places = [], {}

    def positions(self):
        return self.db.execute("SELECT publisher, epoch, seq, closed FROM positions ORDER BY rowid").fetchall()

    def add(self, publisher, body):
        self.rows.append((publisher, json.dumps(body, sort_keys=True)))

    def place(self, publisher, epoch, seq, closed):
        """Remembers a position; None for `seq` forgets it."""
        self.places[publisher, epoch] = (seq, closed)

    def commit(self):
        """What came, and how far that goes, in one transaction."""
        if not self.rows and not self.places:
            return
        self.db.execute("BEGIN IMMEDIATE")
        self.db.executemany("INSERT INTO journal (publisher, body) VALUES (?, ?)", self.rows)
        for (publisher, epoch), (seq, closed) in self.places.items():
            if seq is None:
                self.db.execute("DELETE FROM positions WHERE publisher=? AND epoch=?", (publisher, epoch))
            else:
                self.db.execute(
                    "INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?)", (publisher, epoch, seq, closed))
        self.db.execute("COMMIT")
        self.rows, self.places = [], {}


class Epoch:
    def __init__(self, name, taken=0):
        self.name, self.taken, self.known = name, taken, taken
        self.waiting, self.rounds, self.final = {}, 0, False


class Publisher:
    """One publisher's events: `epochs[0]` is the one that is taken, those behind it wait until it is closed."""

    def __init__(self, name, journal, ask, stalled):
        self.name, self.journal, self.ask, self.stalled = name, journal, ask, stalled
        self.epochs, self.closed = [], {}
        self.request = self.due = None
        self.tries, self.asked, self.heard = 0, -1, 0
        self.wanted, self.some_came = 0, False

    def restore(self, epoch, seq, closed):
        if closed:
            self.closed[epoch] = seq
        else:
            self.epochs = [Epoch(epoch, seq)]

    def epoch(self, name, seq):
        for epoch in self.epochs:
            if epoch.name == name:
                return epoch
        if seq <= self.closed.get(name, -1):
            return None
        self.epochs.append(Epoch(name, self.closed.get(name, 0)))
        return self.epochs[-1]

    def event(self, name, seq, body, now):
        self.heard = now
        if self.request and name == self.request["epoch"] and seq <= self.wanted:
            self.some_came = True
        epoch = self.epoch(name, seq)
        if epoch is None or seq <= epoch.taken or seq in epoch.waiting:
            return
        epoch.known = max(epoch.known, seq)
        if epoch is self.epochs[0] and seq == epoch.taken + 1:
            self.take(body)
        elif len(epoch.waiting) < HELD:
            epoch.waiting[seq] = body
        self.settle(now)

    def last_event(self, name, seq, now):
        self.heard = now
        epoch = self.epoch(name, seq)
        if epoch is not None:
            epoch.known = max(epoch.known, seq)
            self.settle(now)

    def answer(self, replay, now):
        """Step 5; None where it was refused."""
        request, self.request = self.request, None
        epoch = self.epochs[0]
        if replay is None or replay.get("epoch") != request["epoch"]:
            self.due = now + 5
            return
        self.tries = 0
        last = replay.get("last_seq")
        if last is None:
            self.lose(epoch.known, "epoch_lost")
            self.close("epoch_lost")
            return self.settle(now)
        epoch.known = max(epoch.known, last)
        epoch.final = len(self.epochs) > 1
        self.lose(min(replay.get("first_seq", last + 1) - 1, last), "fell_out")
        told = replay.get("next_seq", last + 1) - 1
        if epoch.taken >= epoch.known:
            pass
        elif epoch.taken >= request["from_seq"]:
            self.due, epoch.rounds = (now if epoch.taken >= told else now + 2), 0
        else:
            epoch.rounds += 1
            if not self.some_came and epoch.taken < told and epoch.rounds % STALL_ROUNDS == 0:
                self.stalled()
            self.due = now + min(300, 2 ** epoch.rounds)
            if epoch.rounds >= (ROUNDS if self.some_came or epoch.taken >= told else BLIND_ROUNDS):
                epoch.rounds = 0
                if epoch.taken < told:
                    self.lose(min([told] + [seq - 1 for seq in epoch.waiting]), "not_told")
                else:
                    epoch.known = max(epoch.taken, last)
                    epoch.waiting = {seq: body for seq, body in epoch.waiting.items() if seq <= last}
        self.settle(now)

    def turn(self, now):
        if self.due is None or now < self.due:
            return
        self.due = None
        if self.tries >= TRIES:
            self.tries, self.request = 0, None
            self.lose(self.epochs[0].known, "unanswered")
            if len(self.epochs) > 1:
                self.close("unanswered")
            return self.settle(now)
        if self.tries >= BLIND and self.heard <= self.asked:
            self.request = None
            return
        if self.tries == BLIND:
            self.stalled()
        self.request = self.ask(self, self.epochs[0].name, self.epochs[0].taken + 1)
        self.wanted, self.some_came = self.epochs[0].known, False
        self.asked, self.due = now, now + min(300, 10 * 2 ** self.tries)
        self.tries += 1

    # What happens to the epoch that is taken.

    def take(self, body):
        epoch = self.epochs[0]
        epoch.taken += 1
        epoch.known, epoch.rounds = max(epoch.known, epoch.taken), 0
        self.journal.add(self.name, body)

    def drain(self):
        epoch = self.epochs[0]
        while epoch.taken + 1 in epoch.waiting:
            self.take(epoch.waiting.pop(epoch.taken + 1))

    def lose(self, bound, reason):
        epoch = self.epochs[0]
        self.drain()
        while epoch.taken < bound:
            last = min([bound] + [seq - 1 for seq in epoch.waiting])
            self.journal.add(
                self.name, {"kind": "lost", "epoch": epoch.name, "first_seq": epoch.taken + 1, "last_seq": last,
                            "reason": reason})
            epoch.taken = last
            self.drain()

    def close(self, reason=None):
        epoch = self.epochs.pop(0)
        if reason:
            self.journal.add(
                self.name, {"kind": "lost", "epoch": epoch.name, "first_seq": epoch.taken + 1, "reason": reason})
        self.closed.pop(epoch.name, None)
        self.closed[epoch.name] = epoch.taken
        self.journal.place(self.name, epoch.name, epoch.taken, 1)
        while len(self.closed) > CLOSED:
            oldest = next(iter(self.closed))
            del self.closed[oldest]
            self.journal.place(self.name, oldest, None, 1)
        self.request = self.due = None
        self.tries = 0

    def settle(self, now):
        while self.epochs:
            self.drain()
            epoch = self.epochs[0]
            if len(self.epochs) == 1 or not epoch.final or epoch.known > epoch.taken:
                break
            self.close()
        missing = len(self.epochs) > 1 or (self.epochs and self.epochs[0].known > self.epochs[0].taken)
        if self.epochs and (self.epochs[0].taken or self.closed):
            self.closed.pop(self.epochs[0].name, None)
            self.journal.place(self.name, self.epochs[0].name, self.epochs[0].taken, 0)
        if not missing:
            self.request = self.due = None
            self.tries = 0
        elif self.due is None and self.request is None and (self.tries < BLIND or self.heard > self.asked):
            self.due = now + 1


class Subscriber:
    def __init__(self, host, port, path, old):
        import paho.mqtt.client as mqtt
        self.journal, self.publishers, self.count = Journal(path), {}, 0
        self.reply = f"{PREFIX}/replies/subscriber"
        for publisher, epoch, seq, closed in self.journal.positions():
            self.publisher(publisher).restore(epoch, seq, closed)
        self.old = old
        self.client = mqtt.Client("subscriber", protocol=mqtt.MQTTv311 if old else mqtt.MQTTv5)
        self.client.on_connect = self.connected
        self.client.on_message = self.message
        self.client.on_subscribe = self.answered
        self.requested, self.denied, self.due, self.pause = {}, [], 0.0, DENIAL_PAUSE
        self.renewal, self.renewed = False, -STALL_PAUSE
        self.client.reconnect_delay_set(1, 2)
        self.client.connect_async(host, port, keepalive=5)

    def publisher(self, name):
        if name not in self.publishers:
            self.publishers[name] = Publisher(name, self.journal, self.ask, self.stalled)
        return self.publishers[name]

    def stalled(self):
        """A publisher published what was requested, and nothing of it came: a new connection has new subscriptions."""
        self.renewal = True

    def connected(self, client, *_):
        self.denied, self.pause = [], DENIAL_PAUSE
        self.subscribe(
            [(f"{PREFIX}/{topic}", 1) for topic in (
                "nodes/+/events", "items/+/events", "nodes/+/command/result", "fuser/+/command/result")]
            + [(self.reply, 1), (f"{PREFIX}/nodes/+/scan", 0), (f"{PREFIX}/fuser/+/claim", 0)])

    def subscribe(self, filters):
        _, number = self.client.subscribe(filters)
        self.requested = {number: filters}

    def answered(self, client, data, number, granted, *_):
        """Keeps the filters that the broker denies, to request them again after a pause that doubles to a minute."""
        codes = [int(getattr(code, "value", code)) for code in granted]
        filters = self.requested.pop(number, [])
        self.denied = [one for one, code in zip(filters, codes) if code >= 0x80]
        self.due = time.monotonic() + self.pause
        self.pause = min(self.pause * 2, DENIAL_LIMIT)

    def ask(self, publisher, epoch, seq):
        self.count += 1
        request = {"id": f"{self.count}.{secrets.token_hex(8)}", "action": "replay", "epoch": epoch, "from_seq": seq}
        properties = None
        if not self.old:
            from paho.mqtt.packettypes import PacketTypes
            from paho.mqtt.properties import Properties
            properties = Properties(PacketTypes.PUBLISH)
            properties.ResponseTopic = self.reply
        self.client.publish(f"{PREFIX}/{publisher.name}/command", json.dumps(request), qos=1, properties=properties)
        return request

    def message(self, client, data, message):
        if message.retain:
            return
        try:
            body = json.loads(message.payload)
            self.receive(message.topic.split("/")[1:], message.topic, body, time.monotonic())
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            print("passed over", message.topic, repr(fault), file=sys.stderr, flush=True)

    def receive(self, levels, topic, body, now):
        if topic == self.reply or levels[2:] == ["command", "result"]:
            for publisher in self.publishers.values():
                if publisher.request and publisher.request["id"] == body.get("id"):
                    # A failure with `replay` says that nothing is kept of the epoch; one without it, that it is to be asked again.
                    publisher.answer(body.get("replay"), now)
                    break
        elif levels[2] == "events":
            name = f"nodes/{body['node']}" if levels[0] == "nodes" else f"fuser/{body['fuser']}"
            body.pop("replayed", None)
            self.publisher(name).event(body["epoch"], body["seq"], body, now)
        else:
            self.publisher("/".join(levels[:2])).last_event(body["epoch"], body["last_event"], now)

    def run(self):
        ended = []
        signal.signal(signal.SIGTERM, lambda *_: ended.append(1))
        connected = False
        while not ended:
            try:
                if not connected:
                    self.client.reconnect()
                    connected = True
                if self.client.loop(0.1) != 0:
                    connected = False
            except OSError:
                connected = False
            if connected and self.renewal and time.monotonic() - self.renewed >= STALL_PAUSE:
                self.renewal, self.renewed, connected = False, time.monotonic(), False
                print("connecting anew: nothing arrives", file=sys.stderr, flush=True)
                self.client.disconnect()
                self.client.loop(0.1)
            if not connected:
                time.sleep(0.5)
            if connected and self.denied and time.monotonic() >= self.due:
                denied, self.denied = self.denied, []
                self.subscribe(denied)
            for publisher in list(self.publishers.values()):
                publisher.turn(time.monotonic())
            self.journal.commit()


def dump(path, publisher):
    rows = sqlite3.connect(path).execute("SELECT body FROM journal WHERE publisher=? ORDER BY number", (publisher,))
    for (body,) in rows:
        print(body)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--v311"]
    if len(words) == 4 and words[0] == "run":
        Subscriber(words[1], int(words[2]), words[3], "--v311" in sys.argv).run()
    elif len(words) == 3 and words[0] == "dump":
        dump(words[1], words[2])
    else:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
