"""Stories of a household that has only the page: what it reads is plain, true now, and stays under the pointer."""

import json
import time

from browser import DESKTOP, PHONE
from house import until
from stories import PLACES, ROOMS
from telling import teller

STORIES, story = teller()
TABLET = (900, 700, False)
# For each row of the table of stays its cells, and whether all bars' colours are explained.
STAYS = "[...document.querySelectorAll('.stays tbody tr:not(.day-row)')].map((row) => [...row.cells].map((cell) => cell.textContent))"
# The width of the text of a field's placeholder, and that of its place.
PLACEHOLDER = ("((field) => { const style = getComputedStyle(field); const pen = document.createElement('canvas').getContext('2d');"
               " pen.font = style.font; return [pen.measureText(field.placeholder).width,"
               " field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)]; })(document.querySelector('.search-field'))")
# A lesson that the kitchen's node heard louder than the node of the room that was taught.
DOUBTED = {"stage": "done", "item": "phone", "room": "bedroom", "lesson": {
    "id": "no-lesson", "seconds": 58, "packets": 40, "nodes": [{"node": "kitchen", "level": -52}, {"node": "bedroom", "level": -66}]}}


@story("the history says what was not sure, has its days, and no stay without a length")
def history(tour):
    browser = tour.visit(route="#/time/item/cat")
    rows = browser.wait(f"((rows) => rows.length ? rows : null)({STAYS})", "stays are listed", 30)
    for who, room, begin, end, _, sure in rows:
        assert who and room and begin != end, f"a stay from {begin} to {end} in {room}"
        assert sure in ("", "not sure") or int(sure.rstrip("%")) >= 70, f"a stay in {room} is {sure} sure"
        assert ("perhaps" in room) == (sure == "not sure"), f"a stay in {room} is {sure}"
    browser.one(".stays .day-row th")
    assert "70%" in browser.run("return [...document.querySelectorAll('.page > .hint')].map((e) => e.textContent).join()"), \
        "“sure” is not explained"
    assert browser.all(".legend .swatch"), "the bars have no legend"
    assert len({tuple(row) for row in rows}) == len(rows), "a stay is listed twice"
    tour.close(browser)
    return f"{len(rows)} stays"


@story("the reasons compare with the room that is next")
def compared(tour):
    browser = tour.visit(route="#/live/keys")
    browser.one(".item-panel .room-bars li")
    compare = ("(() => { const room = document.querySelector('[data-section=why] h3').textContent.replace('Why ', '');"
               " const next = [...document.querySelectorAll('.room-bars li')].map((row) => row.firstChild.textContent).find((name) => name !== room);"
               " const words = document.querySelector('.why-compared')?.textContent;"
               " return words && next ? [words.includes(`compared with ${next},`), words, next] : null; })()")
    for _ in range(10):
        right, words, other = browser.wait(compare, "the comparison is named", 30)
        assert right, f"{other} is next, and it says: {words}"
        time.sleep(0.7)
    tour.close(browser)
    return words


@story("what a node measured before it went offline is old, and no reason")
def old(tour):
    browser = tour.visit(route="#/live/phone")
    fresh = "[...document.querySelectorAll('.node-bar:not(.old) .node-bar-name')].some((e) => e.textContent.startsWith('bedroom'))"
    browser.wait(fresh, "the bedroom's node has its bar")
    tour.house.end("bedroom")
    try:
        browser.wait("[...document.querySelectorAll('.node-bar.old')].some((e) => e.textContent.startsWith('bedroom')"
                     " && e.textContent.includes('offline'))", "its bar is grey", 40)
        # Whether or not it had a distance: none is shown as if it were of now.
        now = browser.run("return [...document.querySelectorAll('[data-section=distances] dt:not(.old)')].map((e) => e.textContent)")
        assert not any(text.startswith("bedroom") for text in now), f"its distance is shown as one of now: {now}"
        told = browser.text("[data-section=why] p").replace("Bedroom", "")
        assert "bedroom" not in told, f"it is a reason: {told}"
        tour.close(browser)
    finally:
        tour.house.start_node("bedroom")


@story("where no rule is about an item there is nothing to silence")
def nothing_to_silence(tour):
    browser = tour.visit(size=PHONE, route="#/live/phone")
    browser.wait("document.querySelector('.panel-quiet').textContent.includes('nothing to silence')", "the panel says so")
    assert not browser.all(".panel-quiet select"), "it can be silenced"
    browser.go("#/live/keys")
    browser.wait("document.querySelector('.item-panel h2')?.textContent.includes('keys')", "the other panel is shown")
    browser.click(".panel-quiet .button", "Silence")
    again = "[...document.querySelectorAll('.panel-quiet .button')].find((e) => e.textContent === 'Tell again')"
    browser.wait(again, "it can be taken back")
    browser.wait("document.querySelector('.item-panel').getAnimations().length === 0", "the panel has come to rest")
    left, right, bottom, bar = browser.run(
        f"const button = {again}; button.scrollIntoView({{ block: 'nearest' }}); const box = button.getBoundingClientRect();"
        "return [box.left, box.right, box.bottom, document.querySelector('.side nav').getBoundingClientRect().top]")
    assert 0 <= left and right <= PHONE[0] and bottom <= bar + 1, f"the button ends at {right} and {bottom}, above the bar at {bar}"
    under = browser.run("const { left, top, width, height } = document.querySelector('.side nav a').getBoundingClientRect();"
                        "return document.elementFromPoint(left + width / 2, top + height / 2).closest('nav') !== null")
    assert under, "the panel covers the navigation"
    browser.go("#/alerts")
    browser.wait("document.querySelector('.silenced')?.textContent.includes('keys')", "what is silenced is listed")
    browser.click(".silenced .button", "Tell again")
    browser.wait("document.querySelector('main').textContent.includes('Nothing is silenced')", "the list says that it is empty")
    tour.close(browser)


def point(browser, x, y):
    """Moves the mouse."""
    browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)


@story("rows stay where they are under the pointer")
def held(tour):
    browser = tour.visit()
    x, y = browser.wait("((row) => row && [row.getBoundingClientRect().x + 40, row.getBoundingClientRect().y + 20])"
                        "(document.querySelector('.room-list .item-row'))", "there is a row")
    point(browser, x, y)
    rows, places = browser.run(f"return [{ROOMS}, {PLACES}]")
    end, moved, step = time.monotonic() + 60, 0, 0
    while moved < 8:
        step += 1
        point(browser, x + step % 2, y)
        assert browser.run(f"return {ROOMS}") == rows, "a row moved under the pointer"
        moved += browser.run(f"return {PLACES}") != places
        assert time.monotonic() < end, "the flat was at rest for a minute"
        time.sleep(0.3)
    browser.wait("document.querySelector('.item-row.elsewhere')", "a row says that its item has gone elsewhere")
    point(browser, 300, 400)
    browser.wait(f"{ROOMS} !== {json.dumps(rows)} && !document.querySelector('.item-row.elsewhere')", "the rows follow", 10)
    browser.run("document.querySelector('.room-list [data-id=cat]').focus()")
    card = "document.querySelector('.room-list [data-id=cat]').closest('.room-card').dataset.place"
    before = browser.run(f"return {card}")
    browser.wait(f"{card} !== '{before}'", "the cat's row goes to another card", 60)
    focused = browser.run("return document.activeElement.dataset.id")
    assert focused == "cat", f"the row loses the focus to {focused}"
    tour.close(browser)


@story("the end of a lesson asks with two equal answers, and suggests one room")
def lesson(tour):
    browser = tour.visit(size=PHONE)
    browser.driver.execute_async_script(
        "const [state, done] = arguments; import('./js/preferences.js').then(({ preferences }) => {"
        " preferences.set('walk', state); done(); })", DOUBTED)
    browser.go("#/teach/walk")
    browser.wait("document.querySelectorAll('.walk-buttons.pair .button').length === 2", "there are two answers")
    looks = browser.run("return [...document.querySelectorAll('.pair .button')].map((e) => [e.className, e.offsetWidth, e.offsetHeight])")
    assert looks[0] == looks[1], f"one answer weighs more: {looks}"
    browser.click(".pair .button", "Yes")
    following = browser.wait("document.querySelector('.walk-buttons .primary')?.textContent", "the next room is named").removeprefix("Next: ")
    browser.click(".walk-buttons .button", "Another room")
    badge = browser.wait("[...document.querySelectorAll('.big-choice')].find((e) => e.querySelector('.tag'))?.firstChild.textContent",
                         "a room is suggested")
    time.sleep(1)
    assert badge == following, f"{following} was next, and {badge} is suggested"
    browser.run("localStorage.clear()")
    tour.close(browser)


@story("names have room, and the product has a name")
def names(tour):
    for size in (DESKTOP, TABLET, PHONE):
        browser = tour.visit(size=size)
        until(lambda: browser.driver.title.endswith("Whereabouts"), "the title names the product")
        text, room = browser.run(f"return {PLACEHOLDER}")
        assert text <= room, f"the placeholder of {text:.0f} pixels has {room:.0f} at {size}"
        if size != TABLET:
            assert browser.run("return document.querySelector('.product').getBoundingClientRect().width") > 60, f"no name at {size}"
        beside = browser.run("return [...document.querySelectorAll('.token .label')].filter((e) => { const [name, share] = e.children;"
                             " return share.textContent && share.getBoundingClientRect().top < name.getBoundingClientRect().bottom - 2; }).length")
        assert beside == 0, "a share collides with a name"
        browser.go("#/more")
        browser.wait("document.querySelector('.about h2')?.textContent === 'Whereabouts'", "it says what this is")
        tour.close(browser)
