"""Places of servers: each with a network of its own that can be cut off from the others', where the machine allows that."""
import os
import subprocess
import sys
import time

# Not WHEREABOUTS_…: that would be a key of the programs' configuration.
INSIDE = "CLUSTER_NETWORK"


class Host:
    """Where a server runs: its address for programs, its address for other servers, and the words before its command."""

    def __init__(self, address="127.0.0.1", peer_address="127.0.0.1", prefix=(), port=None):
        self.address, self.peer_address, self.prefix, self.port = address, peer_address, list(prefix), port

    @property
    def can_be_cut(self):
        return self.port is not None

    def cut(self):
        """Takes the server's link to the others; programs reach it as before."""
        ip("link", "set", self.port, "down")

    def join(self):
        ip("link", "set", self.port, "up")


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def enter():
    """Starts this program again in a network of its own, which ends with it; returns where that can't be done, or is done."""
    if INSIDE in os.environ or os.geteuid() != 0:
        return
    trial = ["unshare", "--net", "sh", "-c", "ip link add trial type bridge"]
    if subprocess.run(trial, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        return
    os.environ[INSIDE] = "1"
    os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv])


def make_hosts(count, ends):
    """Hosts with networks of their own inside of `enter`'s network, which end with `ends`; else all are this machine."""
    if INSIDE not in os.environ:
        return [Host() for _ in range(count)]
    ip("link", "set", "lo", "up")
    ip("link", "add", "peers", "type", "bridge")
    ip("link", "set", "peers", "up")
    return [make_host(number, ends) for number in range(1, count + 1)]


def make_host(number, ends):
    # A network lives as long as a process in it.
    holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
    ends.callback(holder.wait)
    ends.callback(holder.kill)
    network = f"/proc/{holder.pid}/ns/net"
    limit = time.monotonic() + 10
    while os.readlink(network) == os.readlink("/proc/self/ns/net"):
        if time.monotonic() > limit:
            raise RuntimeError("no network of its own for a server")
        time.sleep(0.01)
    inside = ["nsenter", f"--net={network}", "--"]
    for own, peer in ((f"programs{number}", "programs"), (f"peer{number}", "peers0")):
        ip("link", "add", own, "type", "veth", "peer", "name", peer, "netns", str(holder.pid))
        ip("link", "set", own, "up")
        subprocess.run([*inside, "ip", "link", "set", peer, "up"], check=True)
    subprocess.run([*inside, "ip", "link", "set", "lo", "up"], check=True)
    ip("address", "add", f"192.0.2.{number * 4 + 1}/30", "dev", f"programs{number}")
    subprocess.run([*inside, "ip", "address", "add", f"192.0.2.{number * 4 + 2}/30", "dev", "programs"], check=True)
    ip("link", "set", f"peer{number}", "master", "peers")
    subprocess.run([*inside, "ip", "address", "add", f"198.51.100.{number}/24", "dev", "peers0"], check=True)
    return Host(f"192.0.2.{number * 4 + 2}", f"198.51.100.{number}", inside, f"peer{number}")
