"""Viewers of a page: readers of its events, and the delay from the broker to a browser."""
import re
import selectors
import socket
import threading
import time

from house import TOKEN

PROBE = re.compile(rb'"probe":(\d+)')


def open_stream(port, address="127.0.0.1"):
    stream = socket.create_connection(("127.0.0.1", port), 10, source_address=(address, 0))
    stream.sendall(f"GET /events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
    return stream


class Viewers:
    """So many readers of all events. The first one looks for probes."""

    def __init__(self, port, count):
        self.received = [0] * count
        self.seen = {}
        self.closed = 0
        self.ends = False
        self.selector = selectors.DefaultSelector()
        for number in range(count):
            self.selector.register(open_stream(port), selectors.EVENT_READ, number)
        self.tail = b""
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        while not self.ends:
            for key, _ in self.selector.select(0.5):
                data = key.fileobj.recv(1 << 16)
                now = time.monotonic()
                if not data:
                    self.closed += 1
                    self.selector.unregister(key.fileobj)
                    continue
                self.received[key.data] += len(data)
                if key.data == 0:
                    self.look(data, now)

    def look(self, data, now):
        # A number may be cut in two by the ends of pieces.
        text = self.tail + data
        for match in PROBE.finditer(text):
            if match.end() < len(text):
                self.seen.setdefault(int(match.group(1)), now)
        self.tail = text[-40:]

    def end(self):
        self.ends = True
        self.thread.join()
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()

    def measure(self, client, count, pause):
        """Publishes probes; returns the seconds until a viewer has each, and the number that it never had.

        Each has its own topic: of one topic only the newest is sure to be shown.
        """
        sent = {}
        for number in range(count):
            sent[number] = time.monotonic()
            client.publish(f"whereabouts/items/probe{number}/telemetry", '{"probe":%d}' % number)
            time.sleep(pause)
        time.sleep(2)
        delays = [self.seen[number] - moment for number, moment in sent.items() if number in self.seen]
        return delays, count - len(delays)
