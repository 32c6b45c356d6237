"""The clinic's air: what each gateway's adapter hears of each tag, written to its agent as it happens."""
import heapq
import math
import random
import struct
import threading
import time

from plan import HEIGHT, SIDE, UUID

# Decibels: at one metre, of a wall, of a ceiling, of a tag's spot and of a packet.
POWER, WALL, CEILING, SPOT, PACKET = -59, 8, 18, 3, 2.5
SENSITIVITY = -94
# Microseconds from btsnoop's epoch to Unix's.
EPOCH = 0x00DCDDB30F2F8000
HEADER = b"btsnoop\0" + struct.pack(">II", 1, 1002)
# Packets a second of passing phones at each gateway.
STRANGERS = 10
# Seconds in which written packets are gathered.
TICK = 0.1


def make_report(address, data):
    """An LE Advertising Report as H4, without the level at its end."""
    report = bytes([2, 1, 3, 1]) + address + bytes([len(data)]) + data
    return bytes([0x04, 0x3E, len(report) + 1]) + report


class Transmitter:
    """A tag on the air, with its true place: a room's number, or None for outside."""

    def __init__(self, tag, interval, draw):
        self.id, self.interval = tag.id, interval
        data = bytes.fromhex("0201061aff4c000215") + bytes.fromhex(UUID.replace("-", ""))
        data += struct.pack(">HHb", tag.major, tag.minor, POWER)
        self.report = make_report(bytes([tag.minor & 255, tag.minor >> 8, tag.major, 0x4C, 0x44, 0xC4]), data)
        self.room, self.since, self.levels = None, 0.0, []
        self.due = draw.random() * interval


class Air:
    """Packets of all tags to all gateways that listen, by a clock that may be another than the wall's."""

    def __init__(self, plan, interval, seed, start=None, speed=1.0):
        self.plan, self.draw = plan, random.Random(seed)
        self.tags = {tag.id: Transmitter(tag, interval, self.draw) for tag in plan.tags}
        self.start, self.speed, self.origin = start, speed, time.time()
        self.streams, self.floods, self.moves = {}, {}, []
        self.flooded = 0
        self.lock, self.lives = threading.RLock(), True
        self.thread = threading.Thread(target=self.run, daemon=True)

    def now(self):
        wall = time.time()
        return wall if self.start is None else self.start + (wall - self.origin) * self.speed

    # The actions of the story.

    def listen(self, room, stream):
        """Begins to write what a room's gateway hears."""
        stream.write(HEADER)
        stream.flush()
        with self.lock:
            self.streams[room] = stream

    def put(self, tags, room):
        """Takes tags together to a spot in a room, or outside (None)."""
        with self.lock:
            spot = None if room is None else (self.draw.uniform(0.8, SIDE - 0.8), self.draw.uniform(0.8, SIDE - 0.8))
            for tag in tags:
                transmitter = self.tags[tag]
                transmitter.room, transmitter.since = room, self.now()
                transmitter.levels = [] if room is None else self.levels(room, spot)

    def wander(self, tags, rooms, stay):
        """Lets tags go from room to room together, with so many seconds from one to the next."""
        with self.lock:
            heapq.heappush(self.moves, (self.now() + self.draw.uniform(0.2, 1) * stay, tags, rooms, stay))

    def rest(self):
        """Ends all wandering; what was to come."""
        with self.lock:
            moves, self.moves = self.moves, []
        return moves

    def resume(self, moves):
        with self.lock:
            for move in moves:
                heapq.heappush(self.moves, move)

    def flood(self, room, rate):
        """Has foreign transmitters with an address a packet send near a gateway, so many a second; 0 ends it."""
        with self.lock:
            self.floods[room] = rate

    def end(self):
        self.lives = False
        self.thread.join()

    # The physics.

    def levels(self, room, spot):
        """The mean level at each gateway that can hear a spot."""
        here = self.plan.rooms[room]
        x, y = here.column * SIDE + spot[0], here.row * (SIDE + 3) + spot[1]
        heard = []
        for number, there in enumerate(self.plan.rooms):
            floors = abs(there.ward - here.ward)
            walls = abs(there.column - here.column) + 2 * (there.row != here.row)
            metres = math.dist((x, y, 0), (*there.node, 1 + floors * HEIGHT))
            level = POWER - 22 * math.log10(metres) - WALL * walls - CEILING * floors + self.draw.gauss(0, SPOT)
            if level > SENSITIVITY - 6:
                heard.append((number, level))
        return heard

    def run(self):
        queue = [(self.now() + tag.due, tag.id) for tag in self.tags.values()]
        heapq.heapify(queue)
        until = self.now()
        while self.lives:
            time.sleep(TICK)
            begin, until = until, self.now()
            with self.lock:
                heard = {room: [] for room in self.streams}
                while self.moves and self.moves[0][0] <= until:
                    _, tags, rooms, stay = heapq.heappop(self.moves)
                    self.put(tags, self.draw.choice([room for room in rooms if room != self.tags[tags[0]].room]))
                    self.wander(tags, rooms, stay)
                while queue and queue[0][0] <= until:
                    at, name = heapq.heappop(queue)
                    tag = self.tags[name]
                    heapq.heappush(queue, (at + tag.interval + self.draw.random() * 0.01, name))
                    for room, level in tag.levels:
                        level += self.draw.gauss(0, PACKET)
                        if room in heard and level > SENSITIVITY:
                            heard[room].append((at, tag.report, round(level)))
                for room in heard:
                    # A flood is many strangers. Some are always there: an agent ends an interval of a pipe with the first packet
                    # after it, and a fuser waits for that 0.3 s.
                    self.add_strangers(heard[room], begin, until, self.floods.get(room, 0) or STRANGERS)
                streams = dict(self.streams)
            for room, packets in heard.items():
                self.write(room, streams[room], packets)

    def add_strangers(self, packets, begin, until, rate):
        count = (until - begin) * rate
        count = int(count) + (self.draw.random() < count % 1)
        if rate > STRANGERS:
            self.flooded += count
        for number in range(count):
            data = bytes.fromhex("0201060aff4c001005") + self.draw.randbytes(5)
            report = make_report(self.draw.randbytes(5) + b"\x41", data)
            packets.append((begin + (until - begin) * number / count, report, self.draw.randint(-90, -60)))

    def write(self, room, stream, packets):
        if not packets:
            return
        parts = []
        for at, report, level in sorted(packets):
            size = len(report) + 1
            parts.append(struct.pack(">IIIIq", size, size, 1, 0, EPOCH + int(at * 1e6)) + report + struct.pack("b", level))
        try:
            stream.write(b"".join(parts))
            stream.flush()
        except (BrokenPipeError, ValueError, OSError):
            # Its agent was killed.
            with self.lock:
                if self.streams.get(room) is stream:
                    del self.streams[room]
