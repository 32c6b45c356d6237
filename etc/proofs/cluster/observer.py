"""A subscriber at one server, which sees what the house publishes there and requests denied subscriptions again."""
import json
import threading
import time

import paho.mqtt.client as mqtt

FILTERS = ["nodes/+/status", "fuser/+/status", "fuser/+/claim", "items/+/location", "items/+/events"]


class Observer:
    """Collects retained states, and the moments at which nodes and the serving fuser gave a sign of life."""

    def __init__(self, name, address, port, nodes, prefix="whereabouts"):
        self.filters = [f"{prefix}/{name}" for name in FILTERS + [f"nodes/{node}/scan" for node in nodes]]
        self.prefix = prefix
        self.lock = threading.Lock()
        self.latest = {}
        # Moments on the monotonic clock, by speaker: each node, and "serving" for whichever fuser serves.
        self.signs = {}
        # By publisher: its epoch and the number of its last event.
        self.last_events = {}
        # By fuser: its latest claim with its moment.
        self.claims = {}
        # Each change of the shards that a fuser claims to serve: the time, the fuser, the shards, the number of the claim.
        self.served = []
        # Each answer of an item: the time, the item, the fuser, the number, the room, since when and published when.
        self.answers = []
        # By item and its number of the event: the events, by id.
        self.events = {}
        self.open = set()
        self.requests = {}
        self.client = mqtt.Client(f"observer-{name}", protocol=mqtt.MQTTv311)
        self.client.on_connect = self.connected
        self.client.on_subscribe = self.subscribed
        self.client.on_message = self.message
        self.client.reconnect_delay_set(1, 2)
        self.client.connect_async(address, port, keepalive=5)
        self.client.loop_start()

    def renew(self):
        """Connects anew: a server may have forgotten a running subscription of QoS 1, and says nothing of it."""
        self.client.reconnect()

    def end(self):
        self.client.disconnect()
        self.client.loop_stop()

    def connected(self, client, *_):
        with self.lock:
            self.latest = {}
            self.open = set(self.filters)
        self.request(sorted(self.open))

    def request(self, filters):
        for name in filters:
            result, number = self.client.subscribe(name, 1)
            self.requests[number] = name

    def subscribed(self, client, data, number, granted):
        name = self.requests.pop(number, None)
        if granted[0] >= 0x80:
            timer = threading.Timer(2, self.request, [[name]])
            timer.daemon = True
            timer.start()
        else:
            with self.lock:
                self.open.discard(name)

    def message(self, client, data, message):
        now = time.monotonic()
        topic = message.topic.removeprefix(f"{self.prefix}/")
        levels = topic.split("/")
        with self.lock:
            self.latest[topic] = message.payload.decode()
            if message.retain:
                return
            if levels[2] == "events":
                body = json.loads(message.payload)
                body["arrived"] = round(time.time(), 3)
                self.events.setdefault((levels[1], body["item_seq"]), {}).setdefault(body["id"], body)
            if levels[2] == "location":
                body = json.loads(message.payload)
                self.answers.append((round(time.time(), 3), levels[1], body["fuser"], body.get("item_seq", 0), body.get("room"),
                                     body["since"], body["at"]))
            if levels[2] in ("scan", "claim"):
                body = json.loads(message.payload)
                publisher = "/".join(levels[:2])
                if "last_event" in body:
                    self.last_events[publisher] = (body["epoch"], body["last_event"])
                if levels[2] == "scan":
                    self.signs.setdefault(levels[1], []).append(now)
                else:
                    if self.claims.get(levels[1], (0, {}))[1].get("serves") != body.get("serves"):
                        self.served.append((time.time(), levels[1], body.get("serves"), body["seq"]))
                    self.claims[levels[1]] = (now, body)
                    if body["state"] == "serving":
                        self.signs.setdefault("serving", []).append(now)

    def moves(self):
        """The events so far: the item with its number, the id and a copy of each. More may come meanwhile."""
        with self.lock:
            return [(place, name, dict(event)) for place, ids in self.events.items() for name, event in ids.items()]

    def states(self):
        """The latest payload of each topic since the last connection; None before all subscriptions stand."""
        with self.lock:
            return None if self.open or not self.client.is_connected() else dict(self.latest)
