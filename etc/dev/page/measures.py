"""Stories that measure: the weight of the first view, and what axe-core finds in all views."""

import importlib.util
import pathlib
import time

from browser import DESKTOP, PHONE
from stories import ITEMS_SHOWN
from telling import teller

MOST_BYTES = 300_000
ROUTES = ("#/live", "#/live/keys", "#/live/anna", "#/time/person/anna", "#/time/room/kitchen", "#/day", "#/teach",
          "#/teach/walk", "#/truth", "#/items", "#/items/+", "#/items/keys", "#/import", "#/enrol", "#/nodes", "#/alerts", "#/more", "#/start", "#/kiosk")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
STORIES, story = teller()


@story("weight of the first view")
def weight(tour):
    browser = tour.browse()
    browser.command("Network.clearBrowserCache")
    browser.open(f"{tour.house.address}#token={tour.house.tokens['viewer']}")
    browser.wait(ITEMS_SHOWN, "the plan shows the items")
    paint = browser.run("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    browser.take_log()
    size, requests = browser.bytes, len(browser.addresses)
    assert size <= MOST_BYTES, f"{size} bytes, more than {MOST_BYTES}"
    tour.close(browser)
    return f"{size / 1000:.0f} kB in {requests} requests, first paint after {paint:.0f} ms"


def axe_source():
    """The script of axe-core that its package brings."""
    package = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
    return (pathlib.Path(package) / "axe.min.js").read_text()


@story("nothing serious for axe-core")
def accessibility(tour):
    source, found, views = axe_source(), [], 0
    for size in (DESKTOP, PHONE):
        for dark in (False, True):
            browser = tour.visit(size=size, dark=dark)
            browser.run(source)
            for route in ROUTES:
                browser.go(route)
                browser.one("main h1")
                time.sleep(0.7)
                # A view scrolls by itself: a larger document would slide off a phone with its bar of views.
                over = browser.run("const { scrollWidth, scrollHeight } = document.documentElement;"
                                   "return scrollWidth > innerWidth || scrollHeight > innerHeight")
                assert not over, f"{route} makes the document larger than the window at {size}"
                result = browser.driver.execute_async_script(
                    "const [done, runOnly] = [arguments[1], arguments[0]]; axe.run({ runOnly }).then(done)", RULES)
                views += 1
                found += [(fault["impact"], route, fault["id"], fault["nodes"][0]["html"][:120])
                          for fault in result["violations"]]
            tour.close(browser)
    grave = [fault for fault in found if fault[0] in ("serious", "critical")]
    assert not grave, f"axe-core: {grave}"
    return f"{views} views, {len(found)} lesser findings" + (f": {sorted({fault[2] for fault in found})}" if found else "")
