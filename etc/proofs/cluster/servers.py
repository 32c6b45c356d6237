"""Three nats-servers that form one cluster, with free ports and a private folder each."""
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request

from frame import free_ports

CONFIGURATION = """
server_name: {name}
listen: {address}:{client}
http: {address}:{http}
jetstream {{ store_dir: "{folder}/jetstream" }}
mqtt {{ listen: {address}:{mqtt}, consumer_inactive_threshold: "1m" }}
cluster {{ name: house, listen: {peer_address}:{cluster}, routes: [{routes}] }}
"""


class Server:
    """One of the three."""

    def __init__(self, number, host, ports, routes, folder):
        self.name, self.host, self.address = f"n{number}", host, host.address
        client, self.http, self.mqtt, cluster = ports
        self.folder = f"{folder}/{self.name}"
        os.mkdir(self.folder)
        with open(f"{self.folder}/nats.conf", "w") as file:
            file.write(CONFIGURATION.format(
                name=self.name, address=host.address, peer_address=host.peer_address, client=client, http=self.http,
                mqtt=self.mqtt, cluster=cluster, folder=self.folder,
                routes=", ".join(f"nats://{route}" for route in routes)))
        self.process = None

    @property
    def url(self):
        return f"mqtt://{self.address}:{self.mqtt}"

    def start(self):
        with open(f"{self.folder}/log", "a") as log:
            self.process = subprocess.Popen(
                [*self.host.prefix, "nats-server", "-c", f"{self.folder}/nats.conf"], stdout=log, stderr=log)

    def end(self, by=signal.SIGKILL):
        if self.process is not None:
            self.process.send_signal(by)
            self.process.wait()
            self.process = None

    def is_healthy(self):
        """True if the server says that it has caught up with the others."""
        try:
            with urllib.request.urlopen(f"http://{self.address}:{self.http}/healthz", timeout=1) as answer:
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


def make_servers(hosts, folder):
    ports = free_ports(4 * len(hosts))
    routes = [f"{host.peer_address}:{ports[4 * number + 3]}" for number, host in enumerate(hosts)]
    return [Server(number + 1, host, ports[4 * number:4 * number + 4], routes, folder)
            for number, host in enumerate(hosts)]
