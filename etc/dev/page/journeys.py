"""Stories that have a house of their own: from nothing to an answer, a drawn plan, lessons, a standby."""

import contextlib
import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from browser import DESKTOP, PHONE
from house import EXAMPLES, House, Relay, until
from outages import without_reload
from stories import ITEMS_SHOWN, LIVE, keep_lesson
from telling import teller

STORIES, story = teller()
TEACHING = EXAMPLES.parent / "teaching"
ROOMS = {"kitchen": "Kitchen", "living": "Living room", "bedroom": "Bedroom", "hall": "Hall"}
# Of each room the metres to its left, its top, its right and its bottom; of each gateway its place.
OUTLINES = {"kitchen": (0, 0, 4, 3), "hall": (4, 0, 5.6, 7), "living": (5.6, 0, 11, 4), "bedroom": (0, 3, 4, 7)}
PLACES = {"kitchen": (0.5, 1.2, 1.4), "living": (10.5, 3.2, 0.9), "bedroom": (0.6, 6.4, 1.1)}
FUSER = """\
name: {name}
mqtt: {{url: "mqtt://127.0.0.1:{broker}"}}
state: {name}.sqlite
web: {{listen: "127.0.0.1:{page}", token_file: tokens, files: "{site}"}}
"""
# Seconds of wall time: the flat to teach in is four times as fast as life.
SAMPLING, LEARNING = 45, 20


@contextlib.contextmanager
def house_of_its_own(tour, start=True, **parts):
    """Has the tour visit another house until the end. Where a story fails, its browsers' pictures are left."""
    former = tour.house
    with tempfile.TemporaryDirectory(prefix="whereabouts-page.") as folder:
        own = tour.house = House(former.programs, pathlib.Path(folder), **parts)
        try:
            if start:
                own.start()
            yield own
        except Exception:
            tour.keep_pictures()
            print(own.said(), file=sys.stderr)
            raise
        finally:
            tour.close_all()
            own.stop()
            tour.house = former


def click_room(browser, room):
    """Clicks the middle of a room of the plan that is being drawn."""
    x, y = browser.run(
        "const { x, y, width, height } = document.querySelector(`polygon[data-id=${arguments[0]}]`).getBoundingClientRect();"
        "return [x + width / 2, y + height / 2]", room)
    for kind in ("mousePressed", "mouseReleased"):
        browser.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)


def enter(browser, selector, value):
    """Gives a number to a field of the panel, as by its keyboard."""
    browser.wait(f"document.querySelector({json.dumps(selector)})", f"there is {selector}")
    browser.run("const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                "field.dispatchEvent(new Event('change', { bubbles: true }))", selector, str(value))


@story("from the first visit to the first answer")
def first_visit(tour):
    fuser = FUSER + "".join(["rooms:\n", *(f"  - {{{{id: {room}, name: {name}}}}}\n" for room, name in ROOMS.items())])
    with house_of_its_own(tour, start=False, fuser=fuser, items=None) as house:
        house.start_broker()
        house.start_fuser()
        browser, phone = tour.browse(), tour.browse(PHONE)
        for one in (browser, phone):
            one.open(f"{house.address}#token={house.tokens['operator']}")
            one.wait("location.hash === '#/start'", "a house without an item leads to the first steps")
            one.wait("document.querySelectorAll('.step.done').length === 1", "the fuser is ticked off")
        began = time.monotonic()
        for node in PLACES:
            house.start_node(node)
        browser.wait("document.querySelectorAll('.step.done').length === 2", "the node is ticked off", 30)
        browser.click(".step.current a[href='#/items/%2B']")
        browser.fill("#field-name", "Keys")
        browser.fill("#field-uuid", "48534442-4c45-4144-80c0-1800fffffff0")
        browser.fill("#field-major", "100")
        browser.fill("#field-minor", "1")
        browser.click("button[type=submit]")
        browser.wait("location.hash === '#/live/keys'", "the item is added")
        # Whoever waits at the first steps is led to the answer.
        phone.wait("document.querySelectorAll('.step.done').length >= 3", "the item is ticked off", 30)
        phone.wait("location.hash === '#/live'", "the first answer leads to the live view", 60)
        took = time.monotonic() - began
        answer = browser.wait("/is in|%/.test(document.querySelector('.item-panel .answer')?.textContent ?? '')"
                              " && document.querySelector('.item-panel .answer').textContent", "the panel says where it is")
        phone.wait("document.querySelector('.room-list')?.textContent.includes('Keys')", "the phone shows the item")
    return f"{took:.0f} s from the first node to “{answer}”"


@story("draw the plan, and the room without a gateway is answered")
def draw(tour):
    with house_of_its_own(tour, folder_of=TEACHING, fuser=FUSER + "items: items.yaml\n", places=5) as house:
        browser = tour.browse(DESKTOP)
        browser.open(f"{house.address}#token={house.tokens['operator']}")
        browser.wait(LIVE, "the page is live")
        assert '"room":"hall"' not in house.request("GET", "api/items/in-hall")[1].decode(), "the hall is known already"
        browser.go("#/plan")
        browser.one(".plan-side")
        for room, (left, top, right, bottom) in OUTLINES.items():
            browser.click(".plan-side .button", "Add a rectangle")
            browser.one("dialog .primary")
            browser.run("const choice = document.querySelector('#plan-room-choice');"
                        "const known = choice && [...choice.options].some(({ value }) => value === arguments[0]);"
                        "if (choice) { choice.value = known ? arguments[0] : ''; choice.dispatchEvent(new Event('change')) }"
                        "if (!known) document.querySelector('#plan-room-name').value = arguments[1]",
                        room, ROOMS[room] if room != "living" else "Living")
            browser.click("dialog .primary")
            browser.wait("!document.querySelector('dialog')", "the room is added")
            for number, (x, y) in enumerate(((left, top), (right, top), (right, bottom), (left, bottom)), 1):
                enter(browser, f"[aria-label='Corner {number} x']", x)
                enter(browser, f"[aria-label='Corner {number} y']", y)
        browser.click("button[aria-label='Show the whole floor']")
        browser.run("document.querySelector('.plan-drawing').focus()")
        browser.click(".plan-tools button", "Door")
        for room in ("kitchen", "living", "bedroom"):
            click_room(browser, room)
            click_room(browser, "hall")
        browser.wait("document.querySelectorAll('.plan-door').length === 3", "three doors are drawn")
        for node, place in PLACES.items():
            browser.click(".plan-side button.plan-row", f"{node}tap to place")
            click_room(browser, node)
            for axis, value in zip("xyz", place):
                enter(browser, f"#plan-node-{axis}", value)
        browser.wait("document.querySelector('.plan-card.ready')", "the page says that the plan can be used")
        browser.click(".plan-bar .primary")
        browser.wait("document.querySelector('#toasts').textContent.includes('saved')", "the plan is saved")
        began = time.monotonic()
        browser.go("#/live")
        browser.wait("document.querySelector('[data-place=hall] [data-id=in-hall]')", "the hall is answered", 180)
        took = time.monotonic() - began
        browser.wait("document.querySelectorAll('.plan-rooms .room').length === 4", "the live view has the rooms")
    return f"the tag in the hall is answered there {took:.0f} s after the plan was saved"


def truth_of(house):
    """The true rooms of the flat to teach in: a function of item and time in the house."""
    said = subprocess.run([house.programs / "whereabouts", "simulate", TEACHING / "house.yaml", "--truth"],
                          capture_output=True, text=True, check=True).stdout
    rows = [(float(row["start_s"]), float(row["end_s"]), row["item"], row["room"]) for row in csv.DictReader(io.StringIO(said))]
    return lambda item, at: next((room for start, end, other, room in rows if other == item and start <= at < end), None)


def accuracy(house, truth, seconds=SAMPLING):
    """The share of answers that are right, in all and in the hall, over a time."""
    right, all_told, right_in_hall, hall = 0, 0, 0, 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for item in json.loads(house.request("GET", "api/items")[1])["items"]:
            scans = json.loads(house.request("GET", "api/nodes/kitchen")[1])["scan"]
            room = truth(item["id"], scans["to"])
            if room is None or "location" not in item:
                continue
            is_right = item["location"].get("room") == room
            all_told, right = all_told + 1, right + is_right
            if room == "hall":
                hall, right_in_hall = hall + 1, right_in_hall + is_right
        time.sleep(0.7)
    return right / all_told, right_in_hall / max(1, hall)


@story("teach four rooms, and more answers are right")
def teach_four(tour):
    fuser = FUSER + "items: items.yaml\n" + "".join([
        "rooms:\n", *(f"  - {{{{id: {room}, name: {name}, next_to: [{'hall' if room != 'hall' else ''}]}}}}\n"
                      for room, name in ROOMS.items())])
    with house_of_its_own(tour, folder_of=TEACHING, fuser=fuser, places=5) as house:
        truth = truth_of(house)
        before = accuracy(house, truth)
        phone = tour.browse(PHONE)
        phone.open(f"{house.address}#token={house.tokens['operator']}")
        phone.wait(LIVE, "the page is live")
        for room, name in ROOMS.items():
            phone.go("#/teach/walk")
            phone.click(".big-choice", {"kitchen": "Cook", "living": "Reader", "bedroom": "Sleeper", "hall": "Porter"}[room])
            phone.click(".segment")
            phone.click(".big-choice", name)
            phone.one(".ring")
            keep_lesson(phone, 60)
            phone.click(".walk-buttons .button", "Finish")
            phone.wait("location.hash === '#/teach'", "the walk is over")
        phone.wait("document.querySelectorAll('tbody tr').length === 4", "four lessons are listed", 30)
        time.sleep(LEARNING)
        after = accuracy(house, truth)
        assert after[0] > before[0], f"{after[0]:.0%} are right, and {before[0]:.0%} were"
        assert after[1] > before[1], f"in the hall {after[1]:.0%} are right, and {before[1]:.0%} were"
    return f"{before[0]:.0%} of answers were right and {after[0]:.0%} are; in the hall {before[1]:.0%} and {after[1]:.0%}"


@story("the fuser is killed, and the standby takes over while the page is open")
def standby(tour):
    with house_of_its_own(tour) as house:
        reserve = house.start_standby()
        relay = Relay((house.page, reserve))
        try:
            browser = tour.browse()
            browser.expected += ["net::ERR_", "502"]
            browser.open(f"http://127.0.0.1:{relay.port}/#token={house.tokens['operator']}")
            browser.wait(LIVE, "the page is live")
            browser.wait(ITEMS_SHOWN, "the plan shows the items", 30)
            browser.go("#/nodes")
            browser.wait("[...document.querySelectorAll('.card')].some((card) => /reserve/.test(card.textContent)"
                         " && /standby/.test(card.textContent))", "the standby is shown", 60)
            with without_reload(browser):
                os.kill(house.running["fuser"].pid, signal.SIGKILL)
                house.running.pop("fuser").wait()
                began = time.monotonic()
                browser.wait("document.body.classList.contains('offline')", "the page says that the connection is lost")
                browser.wait(LIVE, "the page is live again", 40)
                back = time.monotonic() - began
                browser.wait("[...document.querySelectorAll('.card')].some((card) => /reserve/.test(card.textContent)"
                             " && /serving/.test(card.textContent))", "the standby serves", 60)
                browser.go("#/live")
                browser.wait(ITEMS_SHOWN, "the plan shows the items", 20)
                seen = "JSON.stringify([...document.querySelectorAll('.item-row')].map((row) => row.textContent))"
                before = browser.run(f"return {seen}")
                browser.wait(f"{seen} !== {json.dumps(before)}", "answers go on", 60)
                took = time.monotonic() - began
            assert not browser.all("#token"), "the standby wants another sign-in"
            tour.close(browser, relay.port)
        finally:
            relay.close()
    return f"connected {back:.1f} s after the kill, new answers after {took:.1f} s, without a sign-in"


def row(node):
    """The row of a node in the matrix of levels."""
    return f"[...document.querySelectorAll('.matrix tbody tr')].find((row) => row.firstChild.textContent.startsWith('{node}'))"


@story("how nodes hear rooms, and an offset that is set")
def levels(tour):
    browser = tour.visit("admin", route="#/nodes")
    own = f"Number({row('kitchen')}?.querySelector('.own')?.textContent)"
    browser.wait(f"{own} < 0", "the kitchen's node has heard its room", 90)
    for _ in range(6):
        browser.run(f"{row('kitchen')}.querySelector('.step-button:nth-of-type(2)').click()")
    value = f"{row('kitchen')}.querySelector('.offset-value')"
    browser.wait(f"{value}.textContent === '6 dB' && !{value}.classList.contains('pending')", "the node has taken 6 dB", 20)
    browser.wait(f"isNaN({own})", "its row is counted anew", 10)
    began = time.monotonic()
    browser.wait(f"{own} < 0", "its row fills", 120)
    took = time.monotonic() - began
    browser.one(".doctor .findings li, .doctor .hint")
    browser.run(f"{row('kitchen')}.querySelector('.link').click()")
    browser.wait(f"{value}.textContent === '0 dB'", "it is as in its file again", 20)
    browser.go("#/live")
    browser.click(".loss-chip")
    browser.wait("/last hour/.test(document.querySelector('.plan-legend')?.textContent ?? '')", "the reception is told")
    tour.close(browser)
    for role in ("viewer", "operator"):
        looker = tour.visit(role, route="#/nodes")
        looker.one(".matrix .offset-value")
        assert not looker.all(".step-button"), f"a {role} has buttons that set an offset"
        tour.close(looker)
    return f"its row is full again {took:.0f} s after the offset was set"


@story("the picture of a floor lies under its rooms")
def picture(tour):
    fuser = FUSER + "items: items.yaml\n"
    with house_of_its_own(tour, fuser=fuser, places=3) as house:
        browser = tour.browse(DESKTOP)
        browser.open(f"{house.address}#token={house.tokens['operator']}")
        browser.wait(LIVE, "the page is live")
        status = browser.driver.execute_async_script(
            "const done = arguments[0]; const canvas = document.createElement('canvas'); [canvas.width, canvas.height] = [1100, 700];"
            "canvas.getContext('2d').strokeRect(10, 10, 400, 300); canvas.toBlob(async (body) => {"
            "const { csrf } = await (await fetch('api/session')).json();"
            "const headers = { 'Content-Type': 'image/png', 'X-CSRF-Token': csrf };"
            "done((await fetch('api/plan/pictures/ground', { method: 'PUT', headers, body })).status) })")
        assert status == 200, f"the server answers {status} to a picture"
        rooms = [{"id": room, "name": ROOMS[room], "floor": "ground",
                  "polygon": [[left, top], [right, top], [right, bottom], [left, bottom]]}
                 for room, (left, top, right, bottom) in OUTLINES.items()]
        plan = {"rev": 0, "floors": [{"id": "ground", "name": "Ground floor", "picture": True, "metres": [11, 7]},
                                     {"id": "upper", "name": "Upper floor"}],
                "rooms": [*rooms, {"id": "attic", "floor": "upper", "polygon": [[0, 0], [5, 0], [5, 4]]}]}
        assert house.request("PUT", "api/plan", json.dumps(plan))[0] == 200
        browser.wait("document.querySelector('.floor-picture image')?.getBBox().width > 100", "the picture is shown")
        browser.wait("document.querySelector('.floor-title')?.textContent === 'Ground floor'", "floors have their names")
        # Both begin at the left wall of the kitchen.
        left = "document.querySelector(arguments[0]).getBoundingClientRect().left"
        shift = browser.run(f"return {left}", ".floor-picture image") - browser.run(f"return {left}", "[data-room=kitchen]")
        assert abs(shift) < 3, f"the picture lies {shift:.0f} pixels beside the rooms"
        for _ in range(3):
            browser.click(".plan-zoom button")
        browser.take_log()
        asked = sum("pictures/ground" in address for address in browser.addresses.values())
        assert asked <= 2, f"the picture was asked for {asked - 1} times"
