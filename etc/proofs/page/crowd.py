"""Publishes what nodes hear of a crowd: crowd.py PORT ITEMS NODES MOVES EVERY

Each item is heard by three nodes around its place every EVERY seconds. A share MOVES of the items that are heard moves to
another node's place. Prints "ready" when all entries are published, and runs until it is ended. A process of its own, so
that it delays no measurement.
"""
import hashlib
import json
import random
import sys
import threading
import time

import paho.mqtt.client as mqtt

EPOCH = "0000000a"
UUID = "48534442-4c45-4144-80c0-1800fffffff0"


def publish_house(client, items, nodes):
    for node in range(nodes):
        info = {
            "v": 1, "version": "1", "room": f"r{node}", "adapter": "hci0", "started": time.time(), "epoch": EPOCH,
            "window": 1, "publish": "items", "registry": "none", "platform": "simulated"}
        client.publish(f"whereabouts/nodes/n{node}/status", "online", retain=True)
        client.publish(f"whereabouts/nodes/n{node}/info", json.dumps(info), retain=True)
    for item in range(items):
        entry = {
            "v": 1, "id": f"item{item}", "name": f"Item{item}", "tags": [f"t{item % 10}"],
            "ibeacon": {"uuid": UUID, "major": item // 1000, "minor": item % 1000}, "at": round(time.time(), 3)}
        client.publish(f"whereabouts/items/item{item}/config", json.dumps(entry), retain=True)
        if item % 2000 == 1999:
            time.sleep(1)


def window(item, node, end, level):
    rssi = f'{{"mean":{level:.1f},"median":{level:.1f},"min":{level:.0f},"max":{level:.0f}}}'
    return (
        f'{{"v":1,"seq":{end},"from":{end - 1},"to":{end},"node":"n{node}","epoch":"{EPOCH}","id":"0123456789ab",'
        f'"item":"item{item}","count":1,"rssi":{rssi},"proximity":"unknown"}}')


def scan(node, end):
    return (
        f'{{"v":1,"seq":{end},"from":{end - 1},"to":{end},"node":"n{node}","epoch":"{EPOCH}","windows":0,"gap":0,'
        f'"reports":100}}')


def main():
    port, items, nodes, every = (int(sys.argv[index]) for index in (1, 2, 3, 5))
    moves = float(sys.argv[4])
    draw = random.Random(1)
    client = mqtt.Client()
    client.max_queued_messages_set(0)
    client.connect("127.0.0.1", port)
    client.loop_start()
    publish_house(client, items, nodes)
    shards = [hashlib.sha256(f"item{item}".encode()).hexdigest()[:2] for item in range(items)]
    places = [draw.randrange(nodes) for _ in range(items)]
    print("ready", flush=True)
    for turn in range(1 << 30):
        began = time.time()
        end = int(began)
        for item in range(turn % every, items, every):
            if draw.random() < moves:
                places[item] = draw.randrange(nodes)
            for step in range(3):
                node = (places[item] + step) % nodes
                client.publish(
                    f"whereabouts/windows/{shards[item]}/item{item}/n{node}",
                    window(item, node, end, -55 - 12 * step + draw.gauss(0, 2)))
        for node in range(nodes):
            client.publish(f"whereabouts/nodes/n{node}/scan", scan(node, end))
        time.sleep(max(0, end + 1.05 - time.time()))


if __name__ == "__main__":
    # Ends with the program that started it.
    threading.Thread(target=main, daemon=True).start()
    sys.stdin.read()
