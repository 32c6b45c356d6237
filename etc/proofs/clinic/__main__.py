"""A day in a clinic, told by the programs: etc/proofs/run clinic (etc/proofs/clinic)

Gateways, a fuser and people are enrolled; a mosquitto with TLS and the generated access lists, agents as processes, a release
fuser and a PostgreSQL run; and the agents hear a simulated clinic of people, pumps and beds. Then its day: Tuesday is lived
before, the morning's shift begins, a gateway is killed, an access point floods, a ward is renamed, a nurse leaves and is
revoked, an inspector asks where pump 17 was on Tuesday, the shift ends, a patient asks to be forgotten, at night the hub
restarts, and the morning's backup is put back. Each check is a line: 'good' or 'FAILED', the seconds that it took, its figures.

  --gateways N      gateways, a room each (60)
  --tags N          tags: nurses and patients with two each, pumps and beds (800)
  --minutes N       of the ordinary shift that is compared with the truth (3)
  --interval S      seconds from one packet of a tag to the next (2)
  --seed N          of who goes where, and of the air (1)
  --programs DIR    the built programs; else a release build is made
  --keep            leaves the folder with all logs

It needs mosquitto, paho-mqtt, postgresql and openssl (Debian: mosquitto, python3-paho-mqtt, postgresql), a user 'postgres' where it
runs as root, and eight minutes after the build; `--gateways 6 --tags 40 --minutes 0.2` takes some four. Ends with 1 where
a check fails, with 77 where the machine lacks something.
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.dirname(HERE), HERE]
import frame  # noqa: E402


def main():
    parser = frame.make_parser(__doc__)
    parser.add_argument("--gateways", type=int, default=60, help=argparse.SUPPRESS)
    parser.add_argument("--tags", type=int, default=800, help=argparse.SUPPRESS)
    parser.add_argument("--minutes", type=float, default=3, help=argparse.SUPPRESS)
    parser.add_argument("--interval", type=float, default=2, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not 6 <= options.gateways <= 260 or not 40 <= options.tags <= 2_000:
        parser.error("it takes 6 to 260 gateways and 40 to 2000 tags")
    frame.require("mosquitto")
    from postgres import POSTGRES
    if not POSTGRES:
        frame.skip("postgresql is not installed")
    programs = frame.find_programs(
        options, ("whereabouts", "whereabouts-agent", "whereabouts-fuser"), "--static-swift-stdlib")

    import leaving
    import morning
    import night
    import trouble
    from house import House
    from plan import Plan
    from story import Story

    steps = (
        morning.enrol, morning.live_tuesday, morning.begin_shift, morning.go_on, trouble.kill_gateway, trouble.flood,
        trouble.rename_ward, leaving.leave, leaving.inspect, leaving.end_shift, night.forget, night.restart, night.restore)

    def run(folder, ends):
        plan = Plan(options.gateways, options.tags)
        house = House(folder, programs, plan, ends)
        story = Story(house, plan, options)
        ends.callback(lambda: story.watcher and story.watcher.end())
        for step in steps:
            step(story)
        story.air.end()
        for name, process in house.running.items():
            if process.poll() is not None:
                story.faults.append(f"{name} has ended")
        return story.faults
    frame.conclude("clinic", options.keep, run)


if __name__ == "__main__":
    main()
