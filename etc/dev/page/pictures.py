"""The pictures of docs/page.md and README.md."""

import csv
import io
import subprocess
import time

from PIL import Image

from browser import PHONE
from house import EXAMPLES

DESKTOP = (1120, 700, False)
MOST_BYTES = 120_000
COLOURS = 256
# All items are in rooms, in two or more of them, and the page is sure of each.
SETTLED = ("[...document.querySelectorAll('.token .face')].length === 4 && [...document.querySelectorAll('.token .face')]"
           ".every((face) => face.classList.contains('is-present') && Number(face.style.getPropertyValue('--share')) > 0.85)"
           " && [...document.querySelectorAll('.room-card:not(.empty)')].length > 1 && !document.querySelector('.toast')")
NAMED = "[...document.querySelectorAll('.token')].every((token) => token.classList.contains('with-label'))"


def keep(browser, folder, name):
    """Writes what the browser shows with few colours."""
    picture = Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")
    path = folder / f"{name}.png"
    picture.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE).save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path}: {picture.width} × {picture.height}, {size / 1000:.0f} kB")
    assert size <= MOST_BYTES, f"{path} has {size} bytes, more than {MOST_BYTES}"


def settle(browser, wanted=f"{SETTLED} && {NAMED}"):
    """Waits for a moment in which all is clear, and until what moves has arrived."""
    for _ in range(20):
        browser.wait(wanted, "all items are in rooms for sure", 180)
        time.sleep(1.2)
        if browser.run(f"return {wanted}"):
            return
    raise AssertionError("the flat does not come to rest")


def check_answers(tour, folder):
    """Tells the page where the phone truly is in the simulation, and takes a picture of what the answers were worth."""
    phone = tour.visit(size=PHONE, scale=2, route="#/truth")
    phone.click(".big-choice", "phone")
    phone.one(".room-buttons")
    told = subprocess.run([tour.house.programs / "whereabouts", "simulate", EXAMPLES / "house.yaml", "--truth", "--for", "150"],
                          check=True, capture_output=True, text=True).stdout
    stays = [row for row in csv.DictReader(told.splitlines()) if row["item"] == "phone" and row["room"] != "away"]
    for stay in stays:
        time.sleep(max(0, float(stay["start_s"]) - time.time()))
        phone.click(f".room-buttons [data-room={stay['room']}]")
    phone.click(".walk-buttons .primary")
    phone.one(".truth-result .lane .visit")
    phone.wait("!document.querySelector('.toast')", "messages are gone")
    time.sleep(1)
    keep(phone, folder, "page-check")
    tour.close(phone)


def take(tour, folder):
    """Takes all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, dark in (("page-light", False), ("page-dark", True)):
        browser = tour.visit(size=DESKTOP, dark=dark, scale=1.5)
        settle(browser)
        keep(browser, folder, name)
        if not dark:
            browser.go("#/live/phone")
            browser.one(".item-panel .node-bars li")
            settle(browser)
            keep(browser, folder, "page-item")
        tour.close(browser)
    phone = tour.visit(size=PHONE, scale=2)
    settle(phone, SETTLED)
    keep(phone, folder, "page-phone")
    phone.go("#/teach/walk")
    phone.click(".big-choice", "phone")
    phone.click(".segment")
    phone.click(".big-choice", "Kitchen")
    phone.wait("document.querySelectorAll('.level-bars li').length === 3", "each node's level is shown")
    time.sleep(12)
    keep(phone, folder, "page-walk")
    phone.click(".walk-buttons .button:last-child")
    tour.close(phone)
    check_answers(tour, folder)
    day = tour.visit(size=DESKTOP, scale=1.5, route="#/day")
    day.one(".day-moves rect", 30)
    day.click(".day-controls .segment", "×60")
    day.one(".day-rooms li")
    day.click(".day-controls .primary")
    time.sleep(0.5)
    day.click(".day-controls .primary")
    time.sleep(1.2)
    keep(day, folder, "page-day")
    tour.close(day)
