"""Three nats-servers on free ports of 127.0.0.1 that form one cluster, with a private folder each."""
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request

from frame import free_ports

CONFIGURATION = """
server_name: {name}
listen: 127.0.0.1:{client}
http: 127.0.0.1:{http}
jetstream {{ store_dir: "{folder}/jetstream" }}
mqtt {{ listen: 127.0.0.1:{mqtt} }}
cluster {{ name: house, listen: 127.0.0.1:{cluster}, routes: [{routes}] }}
"""


class Server:
    """One of the three."""

    def __init__(self, number, ports, routes, folder):
        self.name = f"n{number}"
        client, self.http, self.mqtt, cluster = ports
        self.folder = f"{folder}/{self.name}"
        os.mkdir(self.folder)
        with open(f"{self.folder}/nats.conf", "w") as file:
            file.write(CONFIGURATION.format(
                name=self.name, client=client, http=self.http, mqtt=self.mqtt, cluster=cluster, folder=self.folder,
                routes=", ".join(f"nats://127.0.0.1:{port}" for port in routes)))
        self.process = None

    @property
    def url(self):
        return f"mqtt://127.0.0.1:{self.mqtt}"

    def start(self):
        with open(f"{self.folder}/log", "a") as log:
            self.process = subprocess.Popen(
                ["nats-server", "-c", f"{self.folder}/nats.conf"], stdout=log, stderr=log)

    def end(self, by=signal.SIGKILL):
        if self.process is not None:
            self.process.send_signal(by)
            self.process.wait()
            self.process = None

    def is_healthy(self):
        """True if the server says that it has caught up with the others."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.http}/healthz", timeout=1) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def wait_until_healthy(self, seconds):
        limit = time.monotonic() + seconds
        while not self.is_healthy():
            if time.monotonic() > limit:
                return False
            time.sleep(0.2)
        return True


def make_servers(folder):
    ports = free_ports(12)
    routes = ports[9:]
    return [Server(number + 1, ports[number * 3:number * 3 + 3] + [routes[number]], routes, folder)
            for number in range(3)]
