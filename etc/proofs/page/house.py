"""A broker and a release fuser with a page, on free ports of 127.0.0.1, with a private folder."""
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

from frame import free_ports

TOKEN = "admin-0123456789abcdef"


class House:
    """One fuser of so many rooms and its broker; without a page on demand."""

    def __init__(self, root, programs, folder, rooms, has_page=True):
        self.folder = folder
        os.makedirs(folder)
        self.mqtt, self.http = free_ports(2)
        self.write("mosquitto.conf", f"listener {self.mqtt} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
        self.write("tokens", f"admin:{TOKEN}\n")
        os.chmod(f"{folder}/tokens", 0o600)
        lines = ["name: main", f'mqtt: {{url: "mqtt://127.0.0.1:{self.mqtt}"}}', "rooms:"]
        lines += [f"  - {{id: r{room}}}" for room in range(rooms)]
        if has_page:
            site = f"{root}/Sources/WebInterface/Site"
            lines.append(f'web: {{listen: "127.0.0.1:{self.http}", token_file: tokens, files: "{site}"}}')
        self.write("fuser.yaml", "\n".join(lines) + "\n")
        self.processes = []
        self.start(["mosquitto", "-c", f"{folder}/mosquitto.conf"], "mosquitto.log")
        wait_until(10, lambda: can_connect(self.mqtt), "the broker")
        self.fuser = self.start(
            [f"{programs}/whereabouts-fuser", "--config", f"{folder}/fuser.yaml"], "fuser.log")
        if has_page:
            wait_until(20, lambda: self.get("/healthz") == 200, "the page")
        else:
            time.sleep(3)

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(text)

    def start(self, command, log):
        with open(f"{self.folder}/{log}", "w") as file:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file)
        self.processes.append(process)
        return process

    def end(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()

    def is_alive(self):
        return self.fuser.poll() is None

    def get(self, path):
        """The status of a request; 0 if there was no answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.http}{path}", timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    # Figures of the kernel about the fuser.

    def resident(self):
        """Resident memory in MB."""
        with open(f"/proc/{self.fuser.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.fuser.pid}/fd"))

    def processor_times(self):
        """Seconds of processor time: of the main thread, and of the page's, which gives way to the others."""
        main = page = 0.0
        own = os.getpriority(os.PRIO_PROCESS, self.fuser.pid)
        for task in os.listdir(f"/proc/{self.fuser.pid}/task"):
            try:
                with open(f"/proc/{self.fuser.pid}/task/{task}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            if int(task) == self.fuser.pid:
                main = seconds
            elif int(fields[16]) > own:
                page = seconds
        return main, page


def can_connect(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def wait_until(seconds, condition, what):
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise RuntimeError(f"{what} didn't come up within {seconds} s")
        time.sleep(0.1)


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
