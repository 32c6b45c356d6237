"""A house on a cluster of three nats-servers that are killed in turn: etc/proofs/run cluster [--kills N] [--seed N]

Three agents in a simulated flat, two fusers and a subscriber of all events are spread over the servers and started
together with them. Then one server after another is killed by SIGKILL and started again, at moments drawn from the
seed. At the end no event may be missing and no status wrong; the times without a sign of life are printed.

  --kills N         servers killed (20: about seven minutes)
  --seed N          where the moments are drawn from (1)
  --programs DIR    the built programs; else a release build is made
  --keep            leaves the folder with all logs

It needs nats-server (Debian: nats-server) and paho-mqtt 1.6 (Debian: python3-paho-mqtt). Ends with 1 where a promise
isn't kept, with 77 where the machine lacks one of them.
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
# Seconds in which all must be well again.
PATIENCE = 180
# Seconds for a restarted server to catch up before the next one may be killed.
HEALTH_PATIENCE = 15


def build():
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", ROOT]
    # Each by its name: the tests' helpers can't be linked statically.
    for product in ("whereabouts-agent", "whereabouts-fuser", "whereabouts"):
        done = subprocess.run([*command, "--product", product], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout)
    return f"{ROOT}/.build/release"


def prove(house, servers, options):
    """Runs the house through all kills; returns what is wrong, in words."""
    from house import NODES, describe
    draw = random.Random(options.seed)
    began = time.monotonic()
    for server in servers:
        server.start()
    house.start()
    if fault := house.wait(PATIENCE):
        return [f"the house didn't come up: {fault}"]
    print(f"first start: all well after {time.monotonic() - began:.1f} s,"
          f" {house.logged('denied the subscription')} subscriptions denied before", flush=True)
    rows, whole = [], []
    order = []
    for kill in range(options.kills):
        if not order:
            order = draw.sample(servers, len(servers))
        server = order.pop()
        time.sleep(draw.uniform(0, 5))
        killed = time.monotonic()
        server.end()
        time.sleep(draw.uniform(1, 12))
        server.start()
        restarted = time.monotonic()
        # nats-server 2.9.10 may call itself unhealthy for minutes while everything works.
        server.wait_until_healthy(HEALTH_PATIENCE)
        if fault := house.wait(PATIENCE):
            return [f"kill {kill + 1}, {server.name}: {fault}"]
        whole.append(time.monotonic() - restarted)
        gaps = house.gaps(killed, time.monotonic())
        rows.append(gaps)
        print(f"kill {kill + 1:2} {server.name}: down for {restarted - killed:4.1f} s, no fuser served for"
              f" {gaps['serving']:4.1f} s, longest silence of a node"
              f" {max(gaps[node] for node in NODES):4.1f} s, all well {whole[-1]:4.1f} s after the restart", flush=True)
    print("\n                            median  longest")
    print(f"no fuser served             {describe([row['serving'] for row in rows])}   (a claim comes every 3 s)")
    print(f"a node was silent           {describe([row[node] for row in rows for node in NODES])}")
    print(f"all well after a restart    {describe(whole)}")
    return judge(house)


def judge(house):
    """Lists the faults at the end: missing events, statuses, programs that ended."""
    faults = []
    limit = time.monotonic() + 90
    while (missing := house.missing())[0] and time.monotonic() < limit:
        time.sleep(2)
    lacking, total = missing
    print(f"events in the journal       {total}, missing {lacking or 0}")
    if lacking:
        faults.append(f"events are missing: {lacking}")
    if total == 0:
        faults.append("there were no events")
    if ended := house.ended():
        faults.append(f"ended by themselves: {ended}")
    # One that is killed, and one that goes.
    house.running["kitchen"].send_signal(signal.SIGKILL)
    house.running["bedroom"].terminate()
    fault = house.wait(60, offline=("kitchen", "bedroom"))
    print(f"statuses at the end         {fault or 'right'}")
    denied, granted = house.logged("denied the subscription"), house.logged("granted the subscription")
    print(f"subscriptions               {denied} denied, {granted} granted later")
    print(f"connections made anew       {house.logged('connecting anew')} by programs and the subscriber, where nothing arrived"
          f" any more; {house.renewed} times by observers")
    return faults + ([fault] if fault else [])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    for option, standard in (("--kills", 20), ("--seed", 1)):
        parser.add_argument(option, type=int, default=standard, help=argparse.SUPPRESS)
    parser.add_argument("--programs", help=argparse.SUPPRESS)
    parser.add_argument("--keep", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if shutil.which("nats-server") is None:
        print("skipped: nats-server is not installed")
        sys.exit(77)
    try:
        import paho.mqtt.client  # noqa: F401
    except ImportError:
        print("skipped: paho-mqtt is not installed")
        sys.exit(77)
    from house import House
    from servers import make_servers
    version = subprocess.run(["nats-server", "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    programs = os.path.abspath(options.programs) if options.programs else build()
    folder = tempfile.mkdtemp(prefix="whereabouts-cluster-")
    servers = make_servers(folder)
    house = House(ROOT, programs, servers, folder)
    print(f"{version}, seed {options.seed}, {options.kills} kills", flush=True)
    began = time.monotonic()
    faults = ["interrupted"]
    try:
        faults = prove(house, servers, options)
    finally:
        house.end()
        for server in servers:
            server.end()
        if options.keep or faults:
            print(f"logs: {folder}")
        else:
            shutil.rmtree(folder)
    for fault in faults:
        print(f"FAULT: {fault}")
    print(f"{'failed' if faults else 'ok'} after {time.monotonic() - began:.0f} s")
    sys.exit(1 if faults else 0)


main()
