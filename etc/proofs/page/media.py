"""What a schema can't say of request bodies, for schemathesis: which bytes are a picture, and that names of a plan agree."""
import re

import schemathesis
from hypothesis import strategies

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
for kind, head in (("png", PNG), ("jpeg", b"\xff\xd8\xff"), ("webp", b"RIFF\x00\x00\x00\x00WEBP")):
    schemathesis.openapi.media_type(f"image/{kind}", strategies.binary(max_size=64).map(lambda rest, head=head: head + rest))


def entries(body, key):
    """The objects of a list of the plan, each with its place."""
    found = body.get(key)
    return [(place, entry) for place, entry in enumerate(found) if isinstance(entry, dict)] if isinstance(found, list) else []


def is_id(value):
    return isinstance(value, str) and re.fullmatch("[a-z0-9_-]{1,64}", value) is not None


def whole(value):
    """Whole numbers without a fraction: to a schema 7.0 is an integer, and the reader takes 7 alone."""
    if isinstance(value, dict):
        return {key: whole(part) for key, part in value.items()}
    if isinstance(value, list):
        return [whole(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


@schemathesis.hook
def filter_case(context, case):
    """A file of items is any text: `null` is a file with a fault, which a preview answers (200)."""
    return not (case.path == "/api/items/import" and case.body is None)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Writes whole numbers as such, repeats the id of the path, gives what has one id in a plan ids of its own, and takes
    rooms from floors that are not there."""
    if isinstance(case.body, bytes):
        # A generator of pictures has no others to give where a body is to be refused.
        if case.meta is not None and case.meta.generation.mode == schemathesis.GenerationMode.NEGATIVE:
            case.body = b"GIF89a"
        return
    body = case.body = whole(case.body)
    if case.path == "/api/items/{id}" and isinstance(body, dict) and is_id(body.get("id")):
        body["id"] = (case.path_parameters or {}).get("id")
    if case.path != "/api/plan" or case.method.upper() != "PUT" or not isinstance(body, dict):
        return
    for key in ("floors", "rooms", "nodes"):
        known = set()
        for place, entry in entries(body, key):
            name = entry.get("id")
            if is_id(name) and name in known:
                # The generator may use one object many times.
                entry = body[key][place] = {**entry, "id": f"number-{place}"}
            known.add(str(entry.get("id")))
    floors = {floor.get("id") for _, floor in entries(body, "floors") if isinstance(floor.get("id"), str)}
    for _, room in entries(body, "rooms"):
        if isinstance(room.get("floor"), str) and room["floor"] not in floors:
            del room["floor"]
