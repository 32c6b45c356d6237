"""A house on a cluster of three nats-servers that are killed in turn: etc/proofs/run cluster [--kills N] [--seed N]

Three agents in a simulated flat, two fusers and a subscriber of all events are spread over the servers and started
together with them. Then one server after another is killed by SIGKILL and started again, at moments drawn from the
seed. At the end no event may be missing and no status wrong; the times without a sign of life are printed.

With --full four fusers share the house as a pool, beside a crowd of 1,000 nodes with a client each. Fusers and servers are
killed and stand still, a server is cut off from the others while its clients stay with it, and the cluster loses its quorum,
for --pieces of --minutes each, drawn from the seed.

  --full            the pool (12 pieces of 5 minutes: an hour)
  --pieces N        pieces of it (12)
  --minutes N       minutes of a piece (5)
  --nodes N         nodes of the crowd (1000); 0 for none
  --items N         items of the crowd (200)
  --fault KIND      a kind of fault, where not all are drawn; may be repeated: killed-fuser, stopped-fuser, killed-server,
                    no-quorum, cut-off-server
  --kills N         servers killed (20: about seven minutes)
  --seed N          where the moments are drawn from (1)
  --programs DIR    the built programs, with crowd; else release builds are made
  --keep            leaves the folder with all logs

It needs nats-server (Debian: nats-server) and paho-mqtt 1.6 (Debian: python3-paho-mqtt); a server is cut off only where
root may make networks. Ends with 1 where a promise isn't kept, with 77 where the machine lacks one of them.
"""
import argparse
import os
import random
import signal
import subprocess
import sys
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import frame  # noqa: E402

PRODUCTS = ("whereabouts-agent", "whereabouts-fuser", "whereabouts")
FAULTS = ["killed-fuser", "stopped-fuser", "killed-server", "no-quorum", "cut-off-server"]
# Seconds in which all must be well again.
PATIENCE = 180
# Seconds for a restarted server to catch up before the next one may be killed.
HEALTH_PATIENCE = 15


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
    fault = house.wait(90, offline=("kitchen", "bedroom"))
    print(f"statuses at the end         {fault or 'right'}")
    denied, granted = house.logged("denied the subscription"), house.logged("granted the subscription")
    print(f"subscriptions               {denied} denied, {granted} granted later")
    print(f"connections made anew       {house.logged('connecting anew')} by programs and the subscriber, where nothing arrived"
          f" any more; {house.renewed} times by observers")
    return faults + ([fault] if fault else [])


def main():
    parser = frame.make_parser(__doc__)
    for option, standard in (("--kills", 20), ("--seed", 1)):
        parser.add_argument(option, type=int, default=standard, help=argparse.SUPPRESS)
    parser.add_argument("--full", action="store_true", help=argparse.SUPPRESS)
    for option, standard in (("--pieces", 12), ("--minutes", 5), ("--nodes", 1000), ("--items", 200)):
        parser.add_argument(option, type=float if option == "--minutes" else int, default=standard, help=argparse.SUPPRESS)
    parser.add_argument("--fault", dest="faults", action="append", help=argparse.SUPPRESS,
                        choices=FAULTS)
    options = parser.parse_args()
    options.faults = [fault.replace("-", " ") for fault in options.faults or FAULTS]
    frame.require("nats-server")
    from hosts import enter, make_hosts
    if options.full:
        enter()
    from house import House
    from pool import Crowd, Pool, prove as prove_pool
    from servers import make_servers
    version = subprocess.run(["nats-server", "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    programs = frame.find_programs(options, PRODUCTS, "--static-swift-stdlib")
    has_crowd = options.full and options.nodes
    tools = frame.build_tools("crowd") if has_crowd and not options.programs else programs

    def run(folder, ends):
        servers = make_servers(make_hosts(3, ends), folder)
        for server in servers:
            ends.callback(server.end)
        if options.full:
            pool = Pool(frame.ROOT, programs, servers, folder)
            ends.callback(pool.end)
            print(f"{version}, seed {options.seed}, {options.pieces} pieces of {options.minutes} minutes,"
                  f" a crowd of {options.nodes} nodes and {options.items} items", flush=True)
            if has_crowd:
                pool.crowd = Crowd(ends, f"{tools}/crowd", servers, options.nodes, options.items)
            return prove_pool(pool, servers, random.Random(options.seed), options) + judge(pool)
        house = House(frame.ROOT, programs, servers, folder)
        ends.callback(house.end)
        print(f"{version}, seed {options.seed}, {options.kills} kills", flush=True)
        return prove(house, servers, options)

    frame.conclude("cluster", options.keep, run)


main()
