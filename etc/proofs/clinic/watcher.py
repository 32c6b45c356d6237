"""An administrator's subscriber, and all that it sees at the broker."""
import collections
import json
import ssl
import threading
import time

import paho.mqtt.client as mqtt

FILTERS = ("items/+/room", "items/+/events", "items/+/config", "items/+/alert", "nodes/+/status")


class Watcher:
    """The last payload of each topic, without the prefix, and all events of items."""

    def __init__(self, house, user="anna", filters=FILTERS):
        self.latest, self.events, self.counts = {}, [], collections.Counter()
        self.lock, self.filters = threading.Lock(), filters
        self.client = mqtt.Client(f"clinic-{user}")
        folder = house.path(f"fleet/{user}")
        self.client.tls_set(f"{folder}/ca.pem", f"{folder}/{user}.pem", f"{folder}/{user}.key", tls_version=ssl.PROTOCOL_TLS_CLIENT)
        self.client.reconnect_delay_set(1, 2)
        self.client.on_connect = self.subscribe
        self.client.on_message = self.receive
        self.client.connect("localhost", house.mqtt, 15)
        self.is_refused = self.is_over = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not (self.is_over or self.is_refused):
            try:
                self.client.loop_forever()
            except OSError as error:
                self.is_refused = "REVOKED" in str(error)
                time.sleep(1)

    def subscribe(self, *_):
        self.client.subscribe([(f"whereabouts/{name}", 1) for name in self.filters] + [("homeassistant/device/#", 0)])

    def receive(self, _, __, message):
        topic = message.topic.removeprefix("whereabouts/")
        with self.lock:
            self.counts[topic] += 1
            if topic.endswith("/events"):
                event = json.loads(message.payload)
                self.events.append({"item": topic.split("/")[1], "heard": time.time(), **event})
            elif message.payload:
                self.latest[topic] = message.payload
            else:
                self.latest.pop(topic, None)

    def room(self, item):
        return self.latest.get(f"items/{item}/room", b"").decode()

    def since(self, count, kinds=("moved", "arrived", "left")):
        """The events of these kinds after the first so many."""
        return [event for event in self.events[count:] if event["kind"] in kinds]

    def node(self, name):
        return self.latest.get(f"nodes/{name}/status", b"").decode()

    def end(self):
        self.is_over = True
        if not self.is_refused:
            self.client.disconnect()
        self.thread.join(5)
