"""Stories of people with the page, in the order in which check-page does it. A story returns what is worth a word."""

import contextlib
import importlib.util
import json
import pathlib
import time

from selenium.webdriver.common.keys import Keys

from browser import DESKTOP, PHONE, Browser
from house import INGRESS_PATH, until

MOST_BYTES = 300_000
OPENINGS = 5
ROUTES = ("#/live", "#/live/keys", "#/live/anna", "#/time/person/anna", "#/time/room/kitchen", "#/day", "#/teach",
          "#/teach/walk", "#/truth", "#/items", "#/items/+", "#/items/keys", "#/import", "#/enrol", "#/nodes", "#/alerts", "#/more", "#/start", "#/kiosk")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LIVE = "document.querySelector('.connection')?.dataset.state === 'live'"
ITEMS_SHOWN = "document.querySelectorAll('.token').length > 2"
# The place of each sign, and its look: both are seen to move.
PLACES = "JSON.stringify([...document.querySelectorAll('.token')].map((e) => [e.dataset.id, e.style.transform]).sort())"
SEEN = ("JSON.stringify([...document.querySelectorAll('.token')].map((e) => [e.dataset.id, e.style.transform,"
        " e.querySelector('.face').style.getPropertyValue('--share')]).sort())")
ROOMS = ("JSON.stringify([...document.querySelectorAll('.room-card')].map((card) => [card.dataset.place,"
         " ...[...card.querySelectorAll('.item-row')].map((row) => row.dataset.id)]).sort())")
STORIES = []


def story(title, short=False):
    """Adds a function to the stories; `short` ones belong to the subset."""
    def add(function):
        STORIES.append((title, short, function))
        return function
    return add


class Tour:
    """The house, and the browsers that were opened in it."""

    def __init__(self, house):
        self.house = house
        self.browsers = []
        self.complaints = []
        self.strange = []

    def browse(self, *look):
        """Opens a browser with nothing in it; `look` is as of `Browser`."""
        browser = Browser(*look)
        self.browsers.append(browser)
        return browser

    def visit(self, role="operator", size=DESKTOP, dark=False, route=None, scale=1):
        """Opens a browser, signs in by the address and waits until the page is live."""
        browser = self.browse(size, dark, scale)
        browser.open(f"{self.house.address}#token={self.house.tokens[role]}")
        browser.wait(LIVE, "the page is live")
        browser.wait(ITEMS_SHOWN, "the plan shows the items", 30)
        if route:
            browser.go(route)
        return browser

    def close(self, browser, port=None):
        """Ends a browser and keeps what it complained of."""
        self.browsers.remove(browser)
        self.complaints += browser.errors()
        self.strange += browser.foreign(port or self.house.page)
        browser.quit()

    def keep_pictures(self):
        """Keeps what each browser shows, for whoever looks for the fault."""
        folder = pathlib.Path(__file__).resolve().parents[3] / ".build/page/failed"
        for number, browser in enumerate(self.browsers):
            browser.picture(folder / f"journey-{number}.png")

    def close_all(self):
        """Ends all browsers that a story left."""
        for browser in list(self.browsers):
            self.close(browser)


@story("sign in by the address", short=True)
def sign_in(tour):
    browser = tour.visit()
    assert "token" not in browser.run("return location.href"), "the token is still in the address"
    assert not browser.run("return document.cookie"), "scripts can read the cookie"
    browser.open(tour.house.address)
    browser.wait(LIVE, "the session goes on after a reload")
    for token in tour.house.tokens.values():
        assert token not in browser.driver.page_source, "a token is in the page"
    tour.close(browser)


@story("the flat moves within 3 s of opening", short=True)
def move(tour):
    browser = tour.visit()
    # The simulated flat is at rest for longer now and then: five openings in six show a change within 3 s.
    for opening in range(1, OPENINGS + 1):
        began = time.monotonic()
        browser.open(tour.house.address)
        browser.wait(ITEMS_SHOWN, "the plan shows the items", 3)
        shown = time.monotonic() - began
        seen, places = browser.run(f"return [{SEEN}, {PLACES}]")
        try:
            browser.wait(f"{SEEN} !== {json.dumps(seen)}", "an item looks otherwise", max(0.1, 3 - shown))
            break
        except AssertionError:
            if opening == OPENINGS:
                raise
    changed = time.monotonic() - began
    browser.wait(f"{PLACES} !== {json.dumps(places)}", "an item goes to another place", 30)
    moved = time.monotonic() - began
    tour.close(browser)
    return (f"items after {shown:.1f} s, a change after {changed:.1f} s, another room after {moved:.1f} s"
            f" (opening {opening})")


@story("a wrong token is refused")
def wrong_token(tour):
    browser = tour.browse()
    browser.expected += ["401"]
    browser.open(tour.house.address)
    browser.fill("#token", "not-a-token-of-this-house")
    browser.click("button[type=submit]")
    browser.wait("document.querySelector('.fault').textContent", "the page says so")
    assert "Anna" not in browser.driver.page_source, "a name is shown without a sign-in"
    browser.fill("#token", tour.house.tokens["viewer"])
    browser.click("button[type=submit]")
    browser.wait(LIVE, "the right token signs in", 20)
    tour.close(browser)


@story("why an item is there")
def why(tour):
    browser = tour.visit()
    browser.click(".item-row[data-id=phone]")
    browser.one(".item-panel .node-bars li")
    sentence = browser.wait("document.querySelector('[data-section=why] p').textContent", "a sentence says why")
    assert "  " not in sentence, f"a word is missing in: {sentence}"
    bars = len(browser.all(".item-panel .node-bars li"))
    assert bars == 3, f"{bars} nodes instead of 3"
    browser.one(".item-panel .room-bars li")
    words = browser.run("return [...document.querySelectorAll('[data-section=why] > *:not(details)')].map((e) => e.textContent).join(' ')")
    assert "dBm" not in words and "×" not in words, f"figures are among the words: {words}"
    browser.click(".why-figures summary")
    browser.wait("document.querySelector('.why-figures tbody').textContent.includes('dBm')", "the figures are there on demand")
    # The phone walks: whatever is published meanwhile, what is explained is the answer above it.
    told, end = set(), time.monotonic() + 20
    while time.monotonic() < end:
        answer, title, bars = browser.run(
            "return [...['.answer', '[data-section=why] h3'].map((e) => document.querySelector(e)?.textContent ?? ''),"
            " [...document.querySelectorAll('.room-bars li')].map((row) => [row.firstChild.textContent, row.lastChild.textContent])]")
        room = answer.partition(",")[0]
        share = dict(bars).get(room)
        assert share is None or f", {share} sure" in answer, f"a bar of {share} stands below “{answer}”"
        if title:
            assert title in (f"Why {room}", "Why"), f"“{title}” stands below “{answer}”"
        told.add(room)
        time.sleep(0.05)
    assert browser.run("return document.querySelector('.why-figures').open"), "the figures close by themselves"
    browser.go("#/live/anna")
    browser.wait("document.querySelectorAll('.item-panel .carried').length === 2", "a person's things are named")
    tour.close(browser)
    return f"{sentence} ({len(told)} answers in 20 s)"


@story("enlarge and move the plan")
def zoom(tour):
    browser = tour.visit()
    width = "document.querySelector('[data-room=kitchen]')?.getBoundingClientRect().width"
    left = "document.querySelector('[data-room=kitchen]')?.getBoundingClientRect().left"
    before = browser.run(f"return {width}")
    browser.run("document.querySelector('.plan').focus()")
    plan = browser.one(".plan")
    plan.send_keys("++")
    browser.wait(f"Math.abs({width} / {before} - 2.25) < 0.05", "plus enlarges it")
    at = browser.run(f"return {left}")
    plan.send_keys(Keys.ARROW_LEFT)
    browser.wait(f"{left} > {at}", "an arrow key moves it")
    plan.send_keys("0")
    browser.wait(f"Math.abs({width} - {before}) < 1", "0 shows all")
    box = browser.one(".plan").rect
    x, y = box["x"] + 200, box["y"] + 150
    browser.command("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-240, modifiers=2)
    browser.wait(f"{width} / {before} > 2.4", "the wheel with Ctrl enlarges it")
    browser.click(".plan-zoom button[aria-label='Show all']")
    browser.wait(f"Math.abs({width} - {before}) < 1", "the button shows all")
    browser.pinch((x, y), 40, 160)
    browser.wait(f"{width} / {before} > 2", "two fingers enlarge it")
    at = browser.run(f"return {left}")
    browser.drag((x, y), (x + 60, y))
    browser.wait(f"{left} > {at}", "a drag moves it")
    assert browser.run("return location.hash") in ("", "#/live"), "a drag chooses what it ends on"
    tour.close(browser)


@story("play the day back")
def day(tour):
    browser = tour.visit(route="#/time")
    browser.click("a.button", "Play a day")
    browser.one(".day-moves rect", 30)
    browser.click(".day-controls .segment", "×60")
    browser.wait("document.querySelectorAll('.day-page .token').length > 2", "the first moment has items")
    first = browser.text(".day-clock")
    browser.click(".day-controls .primary")
    browser.wait(f"document.querySelector('.day-clock').textContent !== {json.dumps(first)}", "its time goes on")
    browser.run("const play = document.querySelector('.day-controls .primary'); if (play.textContent === 'Pause') play.click()")
    browser.wait("document.querySelector('.day-controls .primary').textContent === 'Play'", "it is held")
    browser.one(".day-slider").send_keys(Keys.HOME)
    browser.wait("((slider) => slider.value === slider.min)(document.querySelector('.day-slider'))", "a key goes to its begin")
    tour.close(browser)


@story("a viewer may look, not write")
def viewer(tour):
    browser = tour.visit("viewer")
    for route, mark in (("#/items", ".virtual .registry-row"), ("#/items/cat", "#field-name"),
                        ("#/teach", ".page .cards .card"), ("#/alerts", ".page h2")):
        browser.go(route)
        browser.one(mark)
        found = len(browser.all("main .primary, main .danger, main [type=submit], main .silence *"))
        assert found == 0, f"{route} has {found} controls that write"
    browser.expected += ["403"]
    status = browser.driver.execute_async_script(
        "const done = arguments[0]; (async () => {"
        "const { csrf } = await (await fetch('api/session')).json();"
        "const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf };"
        "return (await fetch('api/items/cat', { method: 'DELETE', headers })).status; })().then(done)")
    assert status == 403, f"the server answers {status}"
    tour.close(browser)


@story("teach a room, and take it back")
def teach(tour):
    browser = tour.visit(size=PHONE, route="#/teach/walk")
    browser.click(".big-choice", "phone")
    browser.click(".segment")
    browser.click(".big-choice", "Kitchen")
    browser.wait("document.querySelectorAll('.level-bars li').length === 3", "each node's level is shown")
    before = browser.text(".ring-text")
    browser.wait(f"document.querySelector('.ring-text').textContent !== {json.dumps(before)}", "the ring fills")
    time.sleep(8)
    browser.click(".walk-buttons .primary")
    browser.one(".walk-buttons .link")
    browser.click(".walk-buttons .button", "Finish")
    browser.wait("document.querySelectorAll('tbody tr').length === 1", "the lesson is listed")
    browser.click("tbody .button")
    browser.click("dialog .danger")
    browser.wait("document.querySelectorAll('tbody tr').length === 0", "the lesson is gone")
    lessons = json.loads(tour.house.request("GET", "api/lessons")[1]).get("lessons", [])
    assert not lessons, f"the fuser still has {lessons}"
    tour.close(browser)


@story("check the answers by walking, over a connection that breaks")
def truth(tour):
    browser = tour.visit("viewer", size=PHONE, route="#/truth")
    browser.click(".big-choice", "phone")
    rooms = ".room-buttons .big-choice"
    browser.click(rooms, "Kitchen")
    browser.one(f"{rooms}[aria-pressed=true][data-room=kitchen]")
    browser.wait("document.querySelector('.figures dd').textContent.includes('%')", "the running figures are shown")
    time.sleep(4)
    browser.expected += ["net::ERR_INTERNET_DISCONNECTED", "net::ERR_NETWORK_CHANGED"]
    browser.offline(True)
    browser.click(rooms, "Hall")
    browser.wait("document.querySelector('.walk-note').textContent.includes('1 mark')", "the mark waits")
    time.sleep(8)
    browser.offline(False)
    browser.wait("document.querySelector('.walk-note').textContent === ''", "the mark is sent", 20)
    report = json.loads(tour.house.request("GET", "api/truth/phone")[1])
    (first, second), now = (mark["t"] for mark in report["marks"]), report["now"]
    assert [mark["room"] for mark in report["marks"]] == ["kitchen", "hall"], f"the fuser has {report['marks']}"
    assert second - first < 8 < now - second, f"the marks are of {first} and {second}, at {now}"
    browser.click(".walk-buttons .primary")
    browser.wait("document.querySelectorAll('.lane .visit').length > 2", "the lanes are shown", 20)
    assert "%" in browser.text("h1"), "the share is not said"
    assert "too short to tell" in browser.text("h1"), f"a walk of seconds is praised: {browser.text('h1')}"
    lag = browser.run("return [...document.querySelectorAll('.truth-figures .card')].map((e) => e.textContent)"
                      ".find((text) => text.includes('lag') || text.includes('noticed'))")
    assert not lag.startswith("–") or "stay 10 s" in lag, f"there is no lag, and no reason: {lag}"
    assert len(browser.all(".legend li")) > 2, "the colours of the lanes are not explained"
    table = tour.house.request("GET", "api/truth/phone/truth.csv")[1].decode().splitlines()
    assert table[0] == "session,tag,t_start,t_end,room" and len(table) == 3, f"the table is {table}"
    said = browser.text("h1")
    assert tour.house.request("DELETE", "api/truth/phone")[0] == 200
    tour.close(browser)
    return said


@story("add, rename and remove an item")
def edit(tour):
    browser = tour.visit(route="#/items/+")
    browser.fill("#field-name", "Spare keys")
    browser.fill("#field-uuid", "48534442-4c45-4144-80c0-1800fffffff0")
    browser.fill("#field-major", "100")
    browser.fill("#field-minor", "9")
    browser.click("button[type=submit]")
    browser.wait("location.hash === '#/live/spare-keys'", "the item is added")
    browser.go("#/items/spare-keys")
    browser.fill("#field-name", "Red keys")
    browser.click("button[type=submit]")
    browser.wait("document.querySelector('.virtual')?.textContent.includes('Red keys')", "the list has the new name")
    browser.go("#/items/spare-keys")
    browser.click("form .button", "Remove")
    browser.click("dialog .danger")
    browser.wait("document.querySelector('.virtual')?.textContent.includes('Red keys') === false", "the list has it no more")
    status, content = tour.house.request("GET", "api/items/spare-keys")
    assert status == 404 or "removed" in json.loads(content)["config"], f"the fuser still has {content}"
    tour.close(browser)


def drop(browser, selector, name, content):
    """Drops a file on an element."""
    browser.run("const data = new DataTransfer(); data.items.add(new File([arguments[2]], arguments[1]));"
                "document.querySelector(arguments[0]).dispatchEvent("
                "new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))", selector, name, content)


@story("import a file by dropping it")
def import_file(tour):
    browser = tour.visit(route="#/items")
    browser.one(".virtual .registry-row")
    table = "id,name,address\nmug,Mug,aa:bb:cc:00:00:01\nhat,Hat,aa:bb:cc:00:00:0g\ncat,Mimi,\n"
    drop(browser, ".items-page", "tags.csv", table)
    browser.wait("document.querySelectorAll('.import-faults li').length === 2", "each fault is named")
    lines = browser.run("return [...document.querySelectorAll('.import-faults strong')].map((e) => e.textContent)")
    assert lines == ["Line 3:", "Line 4:"], f"the lines are {lines}"
    assert not browser.all(".import-result .primary"), "a faulty file can be imported"
    drop(browser, ".drop-zone", "tags.csv", table.replace("0g", "02").replace("cat,Mimi,\n", ""))
    browser.wait("document.querySelectorAll('.import-result tbody tr').length === 2", "what changes is shown")
    browser.click(".import-result .primary", "Import 2 items")
    browser.wait("['Mug', 'Hat'].every((name) => document.querySelector('.virtual')?.textContent.includes(name))", "the list has them")
    drop(browser, ".items-page", "tags.csv", table.splitlines()[0] + "\nmug,Cup,aa:bb:cc:00:00:01\nhat,Hat,aa:bb:cc:00:00:02\n")
    browser.wait("document.querySelector('.import-result tbody')?.textContent.includes('name')", "the changed key is named")
    assert "1 unchanged" in browser.text(".import-summary"), "what stays is not counted"
    for item in ("mug", "hat"):
        assert tour.house.request("DELETE", f"api/items/{item}")[0] == 200
    tour.close(browser)


@story("enrol a tag by holding it to a node")
def enrol(tour):
    browser = tour.visit(size=PHONE, route="#/items/+")
    cat = until(lambda: json.loads(tour.house.request("GET", "api/items/cat")[1]).get("config"), "the cat is registered")
    assert tour.house.request("DELETE", "api/items/cat")[0] == 200
    browser.click("form .big, .page .big", "Hold a tag")
    browser.click(".big-choice", "living")
    browser.wait("document.querySelector('.enrol-row')?.textContent.includes('Eddystone')", "the tag is heard", 20)
    bar = "document.querySelector('.enrol-row .bar').style.getPropertyValue('--share')"
    before = browser.run(f"return {bar}")
    browser.wait(f"{bar} !== '{before}'", "its bar moves", 20)
    browser.click(".enrol-row .button")
    browser.wait("document.querySelector('#field-instance')?.value === '0123456789ab'", "its identity is filled in")
    status, content = tour.house.request("DELETE", "api/enrolment/living")
    assert status == 404, f"the node is still asked: {content}"
    browser.fill("#field-name", "Cat")
    browser.click("button[type=submit]")
    browser.wait("location.hash === '#/live/cat'", "the tag is registered")
    assert tour.house.request("PUT", "api/items/cat", json.dumps(cat))[0] == 200
    until(lambda: b'"room"' in tour.house.request("GET", "api/items/cat")[1], "it is somewhere", 30)
    tour.close(browser)


@story("two browsers see the same")
def two(tour):
    first, second = tour.visit(), tour.visit("viewer")
    until(lambda: first.run(f"return {ROOMS}") == second.run(f"return {ROOMS}"), "both show the same rooms")
    first.go("#/items/cat")
    first.fill("#field-name", "Mimi")
    began = time.monotonic()
    first.click("button[type=submit]")
    second.wait("document.querySelector('.room-list').textContent.includes('Mimi')", "the other one shows the new name", 5)
    took = time.monotonic() - began
    first.go("#/live")
    until(lambda: first.run(f"return {ROOMS}") == second.run(f"return {ROOMS}"), "both show the same rooms again")
    tour.close(first)
    tour.close(second)
    return f"a new name at the other one after {took:.1f} s"


@contextlib.contextmanager
def without_reload(browser):
    """Fails where the page is loaded anew meanwhile."""
    browser.run("window.untouched = true")
    yield
    assert browser.run("return window.untouched"), "the page was loaded anew"


def rename(house, name):
    """Renames the cat as a program does."""
    entry = json.loads(house.request("GET", "api/items/cat")[1])["config"]
    status, content = house.request("PUT", "api/items/cat", json.dumps({**entry, "name": name}))
    assert status == 200, content


@story("what another one silences is listed")
def silence(tour):
    browser = tour.visit("viewer", route="#/alerts")
    browser.one(".page h1")
    told = browser.driver.execute_async_script(
        "const done = arguments[0]; import('./js/store.js').then(({ store }) => done(store.silences !== null))")
    assert told, "the fuser does not tell its silences"
    browser.wait("document.querySelector('.rule-list').textContent.includes('is in Bedroom, there is an alert after 3 s.')",
                 "the rule stands there in words")
    for seconds, listed in ((3600, "true"), (0, "false")):
        status, content = tour.house.request("POST", "api/items/keys/silence", json.dumps({"for": seconds}))
        assert status == 200, content
        browser.wait(f"(document.querySelector('.page section:not([hidden]) .plain-list')?.textContent ?? '')"
                     f".includes('keys') === {listed}", "the list follows")
    tour.close(browser)


@story("silence an item of which nothing stands open")
def silence_quiet(tour):
    browser = tour.visit(route="#/live/keys")
    browser.one(".panel-quiet select")
    assert not browser.all(".panel-alerts .alert-card"), "an alert about the keys stands open"
    browser.click(".panel-quiet .button", "Silence")
    browser.wait("document.querySelector('.panel-quiet').textContent.includes('Silenced until')", "the panel says so")
    browser.go("#/alerts")
    browser.click(".silenced .button", "Tell again")
    browser.wait("document.querySelectorAll('.silenced').length === 0", "the list is empty again")
    tour.close(browser)


@story("an ill node: what to do first, whom to ask, and the doctor in the reader's language")
def ill(tour):
    card = "[...document.querySelectorAll('.card')].find((e) => e.querySelector('h2')?.textContent === 'bedroom')"
    tour.house.end("bedroom")
    try:
        browser = tour.visit("viewer", size=PHONE, route="#/nodes")
        browser.wait(f"{card}.querySelector('.tag').textContent === 'offline'", "the node's card says so", 20)
        assert browser.run(f"return {card}.querySelectorAll('ol.remedies > li').length") == 2, "the remedies have no order"
        assert "Tell whoever looks after bedroom" in browser.run(f"return {card}.textContent"), "a viewer is not told whom to ask"
        browser.wait("document.querySelector('.doctor').textContent.includes('1 node needs a look')", "the doctor counts it", 40)
        for language, words in (("de", "Der Broker nimmt"), ("ja", "ブローカーに接続"), ("zh", "已连接到代理")):
            browser.driver.execute_async_script(
                "const [language, done] = arguments; import('./js/preferences.js').then(({ preferences }) => {"
                " preferences.set('language', language); done(); })", language)
            browser.driver.refresh()
            browser.wait(f"document.querySelector('.doctor details')?.textContent.includes('{words}')", f"the doctor speaks {language}")
            own = browser.run("return [...document.querySelectorAll('.doctor [lang=en]')].map((e) => e.textContent)")
            assert not own, f"in {language} the doctor says: {own}"
        tour.close(browser)
    finally:
        tour.house.start_node("bedroom")


@story("the connection is lost for a minute, and what was missed is caught up")
def connection(tour):
    browser = tour.visit()
    with without_reload(browser):
        browser.expected += ["net::ERR_INTERNET_DISCONNECTED", "net::ERR_NETWORK_CHANGED"]
        browser.offline(True)
        browser.wait("document.body.classList.contains('offline')", "the page says that the connection is lost")
        rename(tour.house, "Tiger")
        time.sleep(60)
        assert "ago" in browser.text(".connection-text"), "the age of what is shown is not said"
        assert "Tiger" not in browser.text(".room-list"), "the browser is not cut off"
        began = time.monotonic()
        browser.offline(False)
        browser.wait(LIVE, "the page is live again", 20)
        browser.wait("document.querySelector('.room-list').textContent.includes('Tiger')", "the new name is caught up", 5)
        took = time.monotonic() - began
    tour.close(browser)
    return f"caught up {took * 1000:.0f} ms after the network was back"


@story("the fuser is restarted while the page is open")
def restart(tour):
    browser = tour.visit()
    with without_reload(browser):
        browser.expected += ["net::ERR_", "401"]
        tour.house.end("fuser")
        browser.wait("document.body.classList.contains('offline')", "the page says that the connection is lost")
        tour.house.start_fuser()
        began = time.monotonic()
        signed_in = browser.wait(f"document.querySelector('#token') ? 'again' : {LIVE} ? 'still' : null", "the page goes on", 30)
        assert signed_in == "still", "the page wants a sign-in after a restart"
        browser.wait(LIVE, "the page is live again", 20)
        browser.wait(ITEMS_SHOWN, "the plan shows the items", 20)
        took = time.monotonic() - began
    tour.close(browser)
    return f"live {took:.1f} s after the fuser, with its session"


@story("the broker goes and comes back")
def broker(tour):
    browser = tour.visit()
    with without_reload(browser):
        tour.house.end("mosquitto")
        browser.wait("document.querySelector('.connection-text').textContent.includes('broker')", "the page says so", 30)
        tour.house.start_broker()
        browser.wait(LIVE, "the page is live again", 60)
        places = browser.run(f"return {PLACES}")
        browser.wait(f"{PLACES} !== {json.dumps(places)}", "items move again", 60)
    tour.close(browser)


@story("behind Home Assistant's ingress")
def ingress(tour):
    address = tour.house.start_proxy()
    browser = tour.browse()
    browser.open(address)
    browser.wait(LIVE, "the user is signed in")
    browser.wait(ITEMS_SHOWN, "the plan shows the items")
    browser.go("#/items/cat")
    browser.one("button[type=submit]")
    browser.take_log()
    outside = [url for url in browser.addresses.values() if url.startswith("http") and INGRESS_PATH not in url]
    assert not outside, f"asked outside of the prefix: {outside}"
    tour.close(browser, tour.house.proxy.server_port)


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


@story("no error in the console, no request elsewhere", short=True)
def quiet(tour):
    assert not tour.complaints, "the console has " + "; ".join(tour.complaints[:5])
    assert not tour.strange, f"asked elsewhere: {tour.strange[:5]}"
