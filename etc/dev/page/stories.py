"""Stories of people with the page, in the order in which check-page does it. A story returns what is worth a word."""

import json
import pathlib
import time

from selenium.webdriver.common.keys import Keys

from browser import DESKTOP, PHONE, Browser
from house import until
from telling import teller

OPENINGS = 5
LIVE = "document.querySelector('.connection')?.dataset.state === 'live'"
ITEMS_SHOWN = "document.querySelectorAll('.token').length > 2"
# The place of each sign, and its look: both are seen to move.
PLACES = "JSON.stringify([...document.querySelectorAll('.token')].map((e) => [e.dataset.id, e.style.transform]).sort())"
SEEN = ("JSON.stringify([...document.querySelectorAll('.token')].map((e) => [e.dataset.id, e.style.transform,"
        " e.querySelector('.face').style.getPropertyValue('--share')]).sort())")
ROOMS = ("JSON.stringify([...document.querySelectorAll('.room-card')].map((card) => [card.dataset.place,"
         " ...[...card.querySelectorAll('.item-row')].map((row) => row.dataset.id)]).sort())")
STORIES, story = teller()


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
    # The published answer names the nodes that heard it; the fuser's explanation, which comes next, names all.
    browser.wait("document.querySelectorAll('.item-panel .node-bars li').length === 3", "all three nodes have a bar", 10)
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
        room = answer.removeprefix("Perhaps ").partition(",")[0]
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


def keep_lesson(browser, seconds=15):
    """Waits for the end of a lesson, and keeps it where the page doubts it."""
    browser.wait("document.querySelector('.walk-buttons .link, .walk-buttons.pair')", "the lesson has ended", seconds)
    if browser.all(".walk-buttons.pair"):
        browser.click(".pair .button", "Yes")
    browser.one(".walk-buttons .link")


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
    keep_lesson(browser)
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
        plain = browser.run(f"const card = {card}.cloneNode(true); card.querySelectorAll('details').forEach((e) => e.remove()); return card.textContent")
        assert "systemctl" not in plain, f"a household reads commands: {plain}"
        assert "systemctl" in browser.run(f"return {card}.querySelector('.installer').textContent"), "the installer finds no command"
        assert "Tell whoever looks after bedroom" in browser.run(f"return {card}.textContent"), "a viewer is not told whom to ask"
        browser.wait("document.querySelector('.doctor').textContent.includes('1 node needs a look')", "the doctor counts it", 40)
        for language, words in (("de", "Der Broker nimmt"), ("ja", "ブローカーに接続"), ("zh", "已连接到 broker")):
            browser.driver.execute_async_script(
                "const [language, done] = arguments; import('./js/preferences.js').then(({ preferences }) => {"
                " preferences.set('language', language); done(); })", language)
            browser.driver.refresh()
            browser.wait(f"document.querySelector('.doctor > details')?.textContent.includes('{words}')", f"the doctor speaks {language}")
            own = browser.run("return [...document.querySelectorAll('.doctor [lang=en]')].map((e) => e.textContent)")
            assert not own, f"in {language} the doctor says: {own}"
        browser.driver.execute_script("location.hash = '#/more'")
        browser.wait("document.querySelector('[href=\"#/nodes\"].big-choice .badge')?.textContent.startsWith('1')", "“More” says where something is wrong")
        browser.driver.execute_script("location.hash = '#/live'")
        browser.wait("document.querySelector('[data-place=bedroom] .deaf')?.textContent", "an empty room says that its node is offline")
        tour.close(browser)
    finally:
        tour.house.start_node("bedroom")


@story("no error in the console, no request elsewhere", short=True)
def quiet(tour):
    assert not tour.complaints, "the console has " + "; ".join(tour.complaints[:5])
    assert not tour.strange, f"asked elsewhere: {tour.strange[:5]}"
