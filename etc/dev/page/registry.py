"""Stories of the items: added, imported, enrolled."""

import json

from browser import PHONE
from house import until
from telling import teller

STORIES, story = teller()


@story("the form of an item opens once its entry comes")
def late(tour):
    browser = tour.visit(route="#/items/mug")
    browser.wait("document.querySelector('main').textContent.includes('not registered')", "the item is unknown")
    entry = {"id": "mug", "name": "Mug", "address": "aa:bb:cc:00:00:09"}
    assert tour.house.request("PUT", "api/items/mug", json.dumps(entry))[0] == 200
    browser.wait("document.querySelector('#field-name')?.value === 'Mug'", "its form is shown")
    assert tour.house.request("DELETE", "api/items/mug")[0] == 200
    tour.close(browser)


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
