"""The clinic on paper: wards of rooms with a gateway each, and the tags of its people, pumps and beds."""
import dataclasses

UUID = "48534442-4c45-4144-80c0-1800fffffff0"
# Names that stand nowhere else, so that a search of all files finds what is left of a person.
NURSE, PATIENT = "Nora Windheuser", "Theodora Quillfeather"
# Metres of a room's side, and of a ward's height above the one below.
SIDE, HEIGHT = 5.0, 3.5


@dataclasses.dataclass(frozen=True)
class Room:
    id: str
    name: str
    ward: int
    # The column along the corridor, and the side of it.
    column: int
    row: int

    @property
    def node(self):
        """The place of its gateway on the plan: the middle of the ceiling."""
        return ((self.column + 0.5) * SIDE, self.row * (SIDE + 3) + SIDE / 2)


@dataclasses.dataclass(frozen=True)
class Tag:
    id: str
    name: str
    major: int
    minor: int

    @property
    def kind(self):
        return self.id.rsplit("-", 1)[0]


@dataclasses.dataclass
class Person:
    id: str
    name: str
    tags: list

    @property
    def is_nurse(self):
        return self.id.startswith("nurse")


class Plan:
    """So many gateways, one a room, and so many tags. Every tenth tag is a nurse's badge, with keys; as many are a patient's
    wristband, with slippers. The others are pumps, 17 at least, and beds."""

    def __init__(self, gateways, tags):
        wards = max(2, gateways // 10)
        self.rooms = []
        for number in range(gateways):
            ward, place = divmod(number, -(-gateways // wards))
            self.rooms.append(Room(f"{chr(97 + ward)}-{place + 1:02}", f"{self.ward(ward)}, room {place + 1}", ward,
                                   place // 2, place % 2))
        people, pumps = tags // 10, max(17, tags * 3 // 10)
        self.tags, self.persons = [], []
        for person in range(1, people + 1):
            nurse = NURSE if person == 2 else f"Nurse {person}"
            patient = PATIENT if person == 3 else f"Patient {person}"
            for kind, name, (first, second) in (
                    ("nurse", nurse, ("badge", "keys")), ("patient", patient, ("band", "slippers"))):
                carried = [self.add(first, person, f"{first.capitalize()} of {name}"),
                           self.add(second, person, f"{second.capitalize()} of {name}")]
                self.persons.append(Person(f"{kind}-{person:02}", name, carried))
        for pump in range(1, pumps + 1):
            self.add("pump", pump, f"Pump {pump}")
        for bed in range(1, tags - len(self.tags) + 1):
            self.add("bed", bed, f"Bed {bed}")

    KINDS = ("badge", "keys", "band", "slippers", "pump", "bed")

    def add(self, kind, number, name):
        tag = Tag(f"{kind}-{number:02}", name, 1 + self.KINDS.index(kind), number)
        self.tags.append(tag)
        return tag.id

    @staticmethod
    def ward(number):
        return f"Ward {chr(65 + number)}"

    def rooms_of(self, ward):
        return [number for number, room in enumerate(self.rooms) if room.ward == ward]

    @property
    def table(self):
        """The list of tags, for `whereabouts items import`."""
        rows = [f'{tag.id},"{tag.name}",{tag.kind},{UUID},{tag.major},{tag.minor}' for tag in self.tags]
        return "\n".join(["id,name,tags,uuid,major,minor", *rows]) + "\n"
