"""The clinic while its day goes on: programs, air, subscriber, and the list of checks."""
import collections
import time

from air import Air
from watcher import Watcher

# Seconds in a place after which a tag's answer is compared with the truth.
SETTLED = 20


class Story:
    """The things that all steps of the day share."""

    def __init__(self, house, plan, options):
        self.house, self.plan, self.options = house, plan, options
        self.air = self.watcher = None
        self.faults, self.step, self.began = [], "", time.monotonic()

    def begin(self, step):
        self.step = step
        self.began = time.monotonic()

    def check(self, claim, is_good, figures=""):
        """A line of the report; a claim that does not hold is a fault."""
        seconds = time.monotonic() - self.began
        self.began = time.monotonic()
        print(f"{'good  ' if is_good else 'FAILED'}  {seconds:6.1f} s  {self.step}: {claim}" + (f" ({figures})" if figures else ""),
              flush=True)
        if not is_good:
            self.faults.append(f"{self.step}: {claim} ({figures})")
        return is_good

    def open(self, start=None, speed=1.0):
        """The air of this hour, with all beds and pumps in their rooms and the patients in theirs."""
        self.air = Air(self.plan, self.options.interval, self.options.seed, start, speed)
        rooms = range(len(self.plan.rooms))
        for number, tag in enumerate(tag for tag in self.plan.tags if tag.kind in ("pump", "bed")):
            self.air.put([tag.id], rooms[number % len(rooms)])
        for number, person in enumerate(person for person in self.plan.persons if not person.is_nurse):
            self.air.put(person.tags, rooms[number * 7 % len(rooms)])
        self.air.thread.start()
        return self.air

    def watch(self):
        self.watcher = Watcher(self.house)

    @property
    def nurses(self):
        return [person for person in self.house.persons if person.is_nurse]

    def name(self, room):
        return "away" if room is None else self.plan.rooms[room].id

    def compare(self, tags=None, settled=SETTLED):
        """Of tags that have been in place for some time: how many are published there, of how many, and the others."""
        right, wrong = 0, []
        for name, tag in list(self.air.tags.items()):
            if tags is not None and name not in tags or f"items/{name}/config" not in self.watcher.latest:
                continue
            if self.air.now() - tag.since >= settled:
                told = self.watcher.room(name)
                if told == self.name(tag.room) or tag.room is None and told == "":
                    right += 1
                else:
                    wrong.append((name, self.name(tag.room), told))
        return right, right + len(wrong), wrong

    def share(self, tags=None, settled=SETTLED):
        right, of, _ = self.compare(tags, settled)
        return right / of if of else 0.0

    def observe(self, seconds, tags=None):
        """The mean share of right answers over some time, how many were compared, and which are wrong most often."""
        right, of, wrong = 0, 0, collections.Counter()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(1)
            now = self.compare(tags)
            right, of = right + now[0], of + now[1]
            wrong.update(now[2])
        return (right / of if of else 0.0), of, ", ".join(f"{name} in {true} told {told} {count} times"
                                                          for (name, true, told), count in wrong.most_common(3))

    @property
    def enough(self):
        """The share of right answers that is asked for: in a small clinic a nurse who is told late is a twentieth of all."""
        return 0.95 if len(self.air.tags) >= 200 else 0.9

    @property
    def by_chance(self):
        """Moves by chance in some seconds: a tag between two gateways may be told in the other room."""
        return 1 + len(self.air.tags) // 200

    def are_heard(self, since):
        """True if the fuser has a scan of every gateway that ended after some moment."""
        heard = self.house.heard()
        return all(heard.get(room.id, 0) > since for room in self.plan.rooms)
