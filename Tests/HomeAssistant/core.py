#!/usr/bin/env python3
"""A real Home Assistant core beside a broker, for tests to look into.

    core.py FOLDER HOST:PORT [--prefix homeassistant] [--person NAME=ENTITY_ID]…

FOLDER is the core's own and is kept: started in it again, the core knows its registries. `etc/dev/prepare-home-assistant`
makes the Python that runs this. The core ends at SIGTERM, as Home Assistant does, and when whoever started it is gone.

Questions come over FOLDER/probe.sock, a JSON object a line, and each is answered by one:

    {"ask": "report"}                              states, entities, devices, areas, and what was logged as warning or worse
    {"ask": "changes", "from": N}                  state changes from the N-th on: [time, entity id, old state, new state]
    {"ask": "call", "service": "button.press", "data": {"entity_id": …}}
    {"ask": "entity", "entity_id": …, "set": {…}}  what a user does in the entity's settings (new_entity_id, name, …)
    {"ask": "area", "device": …, "name": …}        puts a device into an area of that name, as a user does
"""
import argparse
import asyncio
import json
import logging
import os
import signal
import socket
import time

from homeassistant import bootstrap, runner
from homeassistant.const import EVENT_STATE_CHANGED
from homeassistant.helpers import area_registry, device_registry, entity_registry

# The one configuration entry: what Home Assistant keeps of a broker that somebody added by hand.
STORED_ENTRY_ID = "01HWHEREABOUTS0000000000PR"
CHANGES_BOUND = 500_000


class Log(logging.Handler):
    """Keeps what is logged as a warning or worse."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        text = f"{record.levelname} {record.name}: {record.getMessage()}"
        if record.exc_info and record.exc_info[1]:
            text += f" ({record.exc_info[1]!r})"
        # That a setup or an update lasts is said of the machine, which is busy, and not of what was told.
        if " is taking over " not in text:
            self.lines.append(text if len(text) <= 600 else text[:300] + " … " + text[-300:])


class Changes:
    """Every change of a state, with its time; and how often an entity was written at all."""

    def __init__(self, hass):
        self.rows = []
        self.writes = {}
        hass.bus.async_listen(EVENT_STATE_CHANGED, self.take)

    async def take(self, event):
        old, new = event.data["old_state"], event.data["new_state"]
        entity = event.data["entity_id"]
        self.writes[entity] = self.writes.get(entity, 0) + 1
        before, after = old and old.state, new and new.state
        if before != after and len(self.rows) < CHANGES_BOUND:
            self.rows.append([event.time_fired_timestamp, entity, before, after])


def configure(folder, host, port, prefix, persons):
    """Writes the folder's configuration where it has none yet."""
    os.makedirs(f"{folder}/.storage", exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        web = free.getsockname()[1]
    with open(f"{folder}/configuration.yaml", "w", encoding="utf-8") as file:
        file.write(
            "homeassistant: {name: Test house, time_zone: UTC}\n"
            f"http: {{server_host: 127.0.0.1, server_port: {web}}}\n")
        # Somebody whom Home Assistant finds by a tracker, as users set it up under "People". JSON is YAML.
        file.write("person: " + json.dumps([
            {"id": name.lower(), "name": name, "device_trackers": [tracker]}
            for name, _, tracker in (person.partition("=") for person in persons)
        ]) + "\n")
    entries = f"{folder}/.storage/core.config_entries"
    if os.path.exists(entries):
        return
    moment = "2025-01-01T00:00:00+00:00"
    entry = {
        "entry_id": STORED_ENTRY_ID, "domain": "mqtt", "title": host, "version": 1, "minor_version": 2,
        "data": {"broker": host, "port": port}, "options": {"discovery": True, "discovery_prefix": prefix},
        "source": "user", "unique_id": None, "disabled_by": None, "discovery_keys": {}, "subentries": [],
        "pref_disable_new_entities": False, "pref_disable_polling": False, "created_at": moment, "modified_at": moment,
    }
    with open(entries, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "minor_version": 5, "key": "core.config_entries", "data": {"entries": [entry]}}, file)


class Probe:
    def __init__(self, hass, log, changes, seconds):
        self.hass, self.log, self.changes, self.seconds = hass, log, changes, seconds

    def report(self, _):
        devices = self.devices()
        areas = {area.id: area.name for area in area_registry.async_get(self.hass).async_list_areas()}
        return {
            "version": self.version(), "seconds": self.seconds, "problems": list(self.log.lines),
            "states": {
                state.entity_id: {"state": state.state, "attributes": dict(state.attributes)}
                for state in self.hass.states.async_all()
            },
            "entities": [
                {
                    "entity_id": entity.entity_id, "unique_id": entity.unique_id, "platform": entity.platform,
                    "device": entity.device_id, "category": entity.entity_category, "disabled": entity.disabled_by,
                    "name": entity.name or entity.original_name,
                    "area": areas.get(entity.area_id or self.area(devices, entity.device_id)),
                }
                for entity in entity_registry.async_get(self.hass).entities.values()
            ],
            "devices": [
                {
                    "id": device.id, "identifiers": sorted(name for _, name in device.identifiers),
                    "name": device.name_by_user or device.name, "area": areas.get(device.area_id),
                    "via": device.via_device_id, "manufacturer": device.manufacturer, "model": device.model,
                    "software": device.sw_version,
                }
                for device in devices.values()
            ],
            "areas": sorted(areas.values()), "writes": self.changes.writes, "changes": len(self.changes.rows),
        }

    def devices(self):
        """The entries of the device registry by their ids: a mapping of older cores, and iterated as entries in 2026.11."""
        table = device_registry.async_get(self.hass).devices
        return {device.id: device for device in (table[entry] if isinstance(entry, str) else entry for entry in table)}

    @staticmethod
    def area(devices, identifier):
        device = devices.get(identifier)
        return device and device.area_id

    @staticmethod
    def version():
        from homeassistant.const import __version__
        return __version__

    async def answer(self, question):
        match question["ask"]:
            case "report":
                return self.report(question)
            case "changes":
                return {"changes": self.changes.rows[question.get("from", 0):]}
            case "call":
                domain, name = question["service"].split(".")
                await self.hass.services.async_call(domain, name, question.get("data", {}), blocking=True)
            case "entity":
                registry = entity_registry.async_get(self.hass)
                registry.async_update_entity(question["entity_id"], **question["set"])
            case "area":
                area = area_registry.async_get(self.hass).async_get_or_create(question["name"])
                device_registry.async_get(self.hass).async_update_device(question["device"], area_id=area.id)
            case other:
                return {"error": f"nobody knows how to answer {other!r}"}
        return {}

    async def serve(self, reader, writer):
        while line := await reader.readline():
            try:
                answer = await self.answer(json.loads(line))
            except Exception as fault:  # Whatever it is, the test must hear of it.
                answer = {"error": repr(fault)}
            writer.write(json.dumps(answer, default=str).encode() + b"\n")
            await writer.drain()
        writer.close()


async def run(arguments, parent):
    folder = os.path.abspath(arguments.folder)
    host, port = arguments.broker.rsplit(":", 1)
    configure(folder, host, int(port), arguments.prefix, arguments.person)
    log = Log()
    logging.getLogger().addHandler(log)
    began = time.monotonic()
    # Nothing is installed while tests run: what the integration needs is there already.
    hass = await bootstrap.async_setup_hass(runner.RuntimeConfig(config_dir=folder, skip_pip=True))
    if hass is None:
        raise SystemExit("the core can't be set up: " + "\n".join(log.lines))
    changes = Changes(hass)
    await hass.async_start()
    probe = Probe(hass, log, changes, time.monotonic() - began)
    address = f"{folder}/probe.sock"
    if os.path.exists(address):
        os.remove(address)
    # A report of a large house is one line of some megabytes.
    server = await asyncio.start_unix_server(probe.serve, address, limit=1 << 20)

    ending = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    while not ending.is_set() and os.getppid() == parent:
        try:
            await asyncio.wait_for(ending.wait(), 1)
        except TimeoutError:
            pass
    server.close()
    await hass.async_stop()
    print(*log.lines, sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("broker")
    parser.add_argument("--prefix", default="homeassistant")
    parser.add_argument("--person", action="append", default=[])
    parent = os.getppid()  # Before anything else: it may be gone before the core has started.
    asyncio.run(run(parser.parse_args(), parent))


if __name__ == "__main__":
    main()
