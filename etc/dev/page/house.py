"""The programs that check-page shows a browser: a broker, three simulated gateways and a fuser with a page."""

import http.client
import http.server
import pathlib
import secrets
import socket
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "etc/examples/simulation"
NODES = ("kitchen", "living", "bedroom")
ROLES = ("viewer", "operator", "admin")
# The peer that may say who is signed in. The browser itself comes from 127.0.0.1.
INGRESS = "127.0.0.2"
INGRESS_PATH = "/api/hassio_ingress/abcdef"

FUSER = """\
name: {name}
mqtt: {{url: "mqtt://127.0.0.1:{broker}"}}
items: items.yaml
state: {name}.sqlite
web: {{listen: "127.0.0.1:{page}", token_file: tokens, files: "{site}", ingress: ["{ingress}"]}}
rooms:
  - {{id: kitchen, name: Kitchen, next_to: [hall], polygon: [[0, 0], [4, 0], [4, 3], [0, 3]]}}
  - {{id: living, name: Living room, next_to: [hall], polygon: [[5.6, 0], [11, 0], [11, 4], [5.6, 4]]}}
  - {{id: bedroom, name: Bedroom, next_to: [hall], polygon: [[0, 3], [4, 3], [4, 7], [0, 7]]}}
  - {{id: hall, name: Hall, polygon: [[4, 0], [5.6, 0], [5.6, 7], [4, 7]]}}
persons:
  - {{id: anna, name: Anna, items: [phone, keys]}}
alerts:
  - in_room: {{item: cat, rooms: [bedroom]}}
    grace: 3s
  - not_heard: {{item: keys, for: 24h}}
"""
AGENT = """\
node: {node}
source: "simulate:{house}"
mqtt: {{url: "mqtt://127.0.0.1:{broker}"}}
items: items.yaml
"""


def free_port():
    """A port of 127.0.0.1 on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class House:
    """A simulated flat in a folder of its own. Its programs end with `stop`."""

    def __init__(self, programs, folder, folder_of=EXAMPLES, fuser=FUSER, items="items.yaml", places=4):
        """`folder_of` has the scenario; `items` is None for a house without one; `places` is how many are somewhere."""
        self.programs, self.folder, self.places, self.items = programs, folder, places, items
        self.fuser = fuser
        self.broker, self.page = free_port(), free_port()
        self.tokens = {role: secrets.token_hex(16) for role in ROLES}
        self.running = {}
        self.proxy = None
        self.write("items.yaml", (folder_of / "items.yaml").read_text())
        self.write("tokens", "".join(f"{role}:{token}\n" for role, token in self.tokens.items()))
        self.write("mosquitto.conf", f"listener {self.broker} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self.write_fuser("main", self.page)
        for node in NODES:
            text = AGENT.format(node=node, house=folder_of / "house.yaml", broker=self.broker)
            self.write(f"{node}.yaml", text if items else text.replace("items: items.yaml\n", ""))

    def write_fuser(self, name, page):
        """Writes the configuration of a fuser."""
        text = self.fuser.format(
            name=name, broker=self.broker, page=page, site=ROOT / "Sources/WebInterface/Site", ingress=INGRESS)
        self.write("fuser.yaml" if name == "main" else f"{name}.yaml", text)

    def write(self, name, text):
        """Writes a private file of the folder."""
        path = self.folder / name
        path.touch(mode=0o600)
        path.write_text(text)

    @property
    def address(self):
        """The page's address."""
        return f"http://127.0.0.1:{self.page}/"

    def start(self):
        """Starts everything, and returns once all items are somewhere."""
        self.start_broker()
        for node in NODES:
            self.start_node(node)
        self.start_fuser()
        until(lambda: self.request("GET", "api/items")[1].count(b'"location":') == self.places, "all items are somewhere", 30)

    def start_node(self, node):
        """Starts a simulated gateway."""
        self.run(node, str(self.programs / "whereabouts-agent"), "--config", f"{node}.yaml")

    def start_standby(self):
        """Starts a second fuser; returns the port of its page."""
        page = free_port()
        self.write_fuser("reserve", page)
        self.run("reserve", str(self.programs / "whereabouts-fuser"), "--config", "reserve.yaml")
        until(lambda: socket.create_connection(("127.0.0.1", page), 1).close() or True, "the standby's page listens")
        return page

    def start_broker(self):
        """Starts the broker, and returns once it listens."""
        self.run("mosquitto", "mosquitto", "-c", "mosquitto.conf")
        until(lambda: socket.create_connection(("127.0.0.1", self.broker), 1).close() or True, "the broker listens")

    def start_fuser(self):
        """Starts the fuser, and returns once it has a broker."""
        self.run("fuser", str(self.programs / "whereabouts-fuser"), "--config", "fuser.yaml")
        until(lambda: self.request("GET", "healthz", token=False)[0] == 200, "the fuser has a broker")

    def run(self, name, *words):
        """Starts a program, whose output goes to a file of the folder."""
        with open(self.folder / f"{name}.log", "a") as log:
            self.running[name] = subprocess.Popen(words, cwd=self.folder, stdout=log, stderr=log, start_new_session=True)

    def end(self, name):
        """Ends a program and waits for its end."""
        process = self.running.pop(name)
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def stop(self):
        """Ends everything, the last one first."""
        if self.proxy:
            self.proxy.shutdown()
            self.proxy.server_close()
        for name in reversed(list(self.running)):
            self.end(name)

    def request(self, method, path, body=None, token=True):
        """Sends a request as a program does. Returns its status and its content."""
        connection = http.client.HTTPConnection("127.0.0.1", self.page, timeout=10)
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {self.tokens['admin']}"
        try:
            connection.request(method, f"/{path}", body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def start_proxy(self):
        """Starts a proxy in the way of Home Assistant's ingress. Returns the page's address behind it."""
        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), proxy_handler(self.page))
        self.proxy.daemon_threads = True
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.proxy.server_port}{INGRESS_PATH}/"

    def said(self):
        """The last lines of each program's output."""
        return "\n".join(f"-- {log.name}\n" + "\n".join(log.read_text().splitlines()[-8:])
                         for log in sorted(self.folder.glob("*.log")))


def proxy_handler(port):
    """A handler that removes the prefix, names the user, and passes answers on as they come."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

        def forward(self):
            if not self.path.startswith(INGRESS_PATH):
                return self.send_error(404)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
            headers |= {"X-Ingress-Path": INGRESS_PATH, "X-Remote-User-Name": "anna"}
            upstream = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(INGRESS, 0))
            try:
                upstream.request(self.command, self.path[len(INGRESS_PATH):] or "/", body or None, headers)
                answer = upstream.getresponse()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("transfer-encoding", "connection"):
                        self.send_header(name, value)
                self.end_headers()
                while part := answer.read1(65536):
                    self.wfile.write(part)
                    self.wfile.flush()
            except OSError:
                pass  # The browser or the fuser ended the connection.
            finally:
                upstream.close()

        do_GET = do_POST = do_PUT = do_DELETE = forward

    return Handler


class Relay:
    """Passes connections on to the first of some ports of 127.0.0.1 that takes them, as a proxy with a backup does."""

    def __init__(self, ports):
        self.ports = ports
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            upstream = self.connect()
            if upstream is None:
                client.close()
                continue
            for source, target in ((client, upstream), (upstream, client)):
                threading.Thread(target=self.pump, args=(source, target), daemon=True).start()

    def connect(self):
        for port in self.ports:
            try:
                return socket.create_connection(("127.0.0.1", port), 1)
            except OSError:
                pass
        return None

    @staticmethod
    def pump(source, target):
        try:
            while part := source.recv(65536):
                target.sendall(part)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.close()


def until(condition, what, seconds=20):
    """Waits until the condition holds and returns its value; `what` says what was awaited."""
    end = time.monotonic() + seconds
    while True:
        try:
            if value := condition():
                return value
        except OSError:
            pass
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain until {what}")
        time.sleep(0.05)
