"""The clinic's machines: enrolled gateways and fuser, a broker with TLS and access lists, PostgreSQL, and operators' commands."""
import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

import frame
from postgres import Server

TOKENS = {"admin": "admin-of-anna-0123456789", "operator": "operator-of-bert-0123456", "viewer": "viewer-of-nora-01234567"}
PEOPLE = {"anna": "--administrator", "bert": "--operator", "nora": "--viewer"}


def wait(seconds, until, pause=0.2):
    """The seconds until a condition held; None if it did not within so many."""
    began = time.monotonic()
    while not until():
        if time.monotonic() - began > seconds:
            return None
        time.sleep(pause)
    return time.monotonic() - began


class House:
    """All programs of the clinic in one folder, with a log each."""

    def __init__(self, folder, programs, plan, ends):
        self.folder, self.programs, self.plan, self.ends = folder, programs, plan, ends
        self.running = {}
        self.mqtt, self.http = frame.free_ports(2)
        os.chmod(folder, 0o755)
        self.wards = {room.ward: plan.ward(room.ward) for room in plan.rooms}
        self.names = {room.id: room.name for room in plan.rooms}
        self.persons = list(plan.persons)
        self.tokens = dict(TOKENS)
        self.environment = {**os.environ, "TZ": "UTC"}

    # Files.

    def path(self, name):
        return f"{self.folder}/{name}"

    def write(self, name, text, mode=0o600):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)

    def read(self, name):
        with open(self.path(name), encoding="utf-8", errors="replace") as file:
            return file.read()

    # Programs.

    def start(self, name, command, **options):
        log = self.ends.enter_context(open(self.path(f"{name}.log"), "ab"))
        process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, **options)
        self.ends.callback(lambda: (process.poll() is None and process.kill(), process.wait()))
        self.running[name] = process
        return process

    def stop(self, name, number=signal.SIGTERM):
        process = self.running[name]
        process.send_signal(number)
        process.wait()

    def run(self, *words, user="anna", config=None):
        """A command of a person, with its own file of the fleet."""
        config = config or f"fleet/{user}/whereabouts.yaml"
        return subprocess.run(
            [f"{self.programs}/whereabouts", *words], cwd=self.folder, capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, env={**self.environment, "WHEREABOUTS_CONFIG": config})

    def rows(self, *words, **options):
        """The objects that a command with --json prints, a line each."""
        done = self.run(*words, "--json", **options)
        return [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []

    def enroll(self):
        """Keys, certificates and configurations of all, and the rights, as docs/security.md has it."""
        self.write("gateways.txt", "\n".join(room.id for room in self.plan.rooms) + "\n")
        users = [word for name in (*PEOPLE, "hass") for word in ("--user", name)]
        done = self.run("enroll", "--list", "gateways.txt", "--fuser", "main", *users, "--broker",
                        f"mqtts://localhost:{self.mqtt}", "--broker-host", "localhost")
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        # The folder of the packages is another one.
        self.fuser_file = self.read("fleet/fuser-main/fuser.yaml").replace("/var/lib/whereabouts", self.folder)
        self.configure()
        self.grant(PEOPLE)
        conf = self.read("fleet/broker/whereabouts.conf").replace("/etc/mosquitto/whereabouts", self.path("fleet/broker"))
        self.write("broker.conf", f"{conf}user root\npersistence true\npersistence_location {self.folder}/\n")

    def grant(self, people):
        """The access list of all programs and of these people."""
        files = [f"fleet/{room.id}/agent.yaml" for room in self.plan.rooms]
        rights = [word for name, option in people.items() for word in (option, name)]
        done = self.run("acl", *files, "fleet/fuser-main/fuser.yaml", *rights, "--home-assistant", "hass")
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        self.write("fleet/broker/acl", done.stdout)

    def configure(self):
        """The fuser's file of this hour: rooms with their names, persons, the page's tokens."""
        sections = {
            "rooms": [{"id": room.id, "name": self.names[room.id], "floor": self.wards[room.ward]} for room in self.plan.rooms],
            "persons": [{"id": person.id, "name": person.name, "items": person.tags} for person in self.persons],
            "web": {"listen": f"127.0.0.1:{self.http}", "token_file": self.path("tokens"),
                    "files": f"{frame.ROOT}/Sources/WebInterface/Site"},
            "history": {"keep": "30d", "postgres": {"connection": f"host={self.path('postgres')} dbname=postgres user=postgres"}},
            "away_after": "20s", "outputs": {"home_assistant": True}}
        self.write("tokens", "".join(f"{role}:{token}\n" for role, token in self.tokens.items()))
        # A line of JSON is a line of YAML.
        self.write("fleet/fuser-main/fuser.yaml", self.fuser_file + "".join(
            f"{name}: {json.dumps(value)}\n" for name, value in sections.items()))

    def reload(self):
        """Has the fuser read its file anew; the seconds until it says so."""
        self.configure()
        said = self.read("fuser.log").count("read anew")
        self.running["fuser"].send_signal(signal.SIGHUP)
        return wait(10, lambda: self.read("fuser.log").count("read anew") > said, 0.05)

    def start_database(self):
        self.database = Server(self.path("postgres"))
        self.ends.callback(lambda: self.database.end(signal.SIGQUIT))
        self.database.start()

    def start_broker(self):
        self.start("broker", ["mosquitto", "-c", "broker.conf"])

        def answers():
            with socket.socket() as probe:
                return probe.connect_ex(("localhost", self.mqtt)) == 0
        wait(20, answers, 0.05)

    def start_fuser(self):
        self.start("fuser", [f"{self.programs}/whereabouts-fuser", "--config", "fleet/fuser-main/fuser.yaml"],
                   env=self.environment)

    def start_gateway(self, room, air):
        """Starts the agent of a room (by number), fed by the air."""
        name = self.plan.rooms[room].id
        process = self.start(
            name, [f"{self.programs}/whereabouts-agent", "--config", f"fleet/{name}/agent.yaml", "--source", "replay:-"],
            env={**self.environment, "WHEREABOUTS_STATE": self.path(f"{name}.sqlite")}, stdin=subprocess.PIPE)
        air.listen(room, process.stdin)

    # Questions.

    def resident(self, name):
        """Resident memory in MB."""
        with open(f"/proc/{self.running[name].pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    def heard(self):
        """The end of each gateway's last scan that the fuser has, in Unix seconds."""
        text = self.page("/metrics", self.tokens["admin"])[1]
        return {name: float(at) for name, at in
                re.findall(r'^whereabouts_node_last_scan_timestamp_seconds\{node="([^"]+)"\} (\S+)', text, re.MULTILINE)}

    def cpu(self, names):
        """Seconds of a processor that programs have taken."""
        total = 0
        for name in names:
            try:
                with open(f"/proc/{self.running[name].pid}/stat", encoding="utf-8") as file:
                    words = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            total += int(words[11]) + int(words[12])
        return total / os.sysconf("SC_CLK_TCK")

    def page(self, path, token):
        """Status and text of an answer of the page."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.http}{path}", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, ""
        except OSError:
            return 0, ""
