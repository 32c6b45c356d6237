"""The delay of rooms: from the time that a location is of to its arrival at a subscriber."""
import json
import time

import paho.mqtt.client as mqtt


class Rooms:
    def __init__(self, port):
        self.delays = []
        self.client = mqtt.Client()
        self.client.on_message = self.receive
        self.client.connect("127.0.0.1", port)
        self.client.subscribe("whereabouts/items/+/location")
        self.client.loop_start()

    def receive(self, client, data, message):
        now = time.time()
        if message.retain or not message.payload:
            return
        self.delays.append(now - json.loads(message.payload)["at"])

    def take(self):
        """The delays since the last call."""
        taken, self.delays = self.delays, []
        return taken

    def end(self):
        self.client.loop_stop()
        self.client.disconnect()
