"""Stories of what goes away and comes back, and of a proxy in between."""

import contextlib
import json
import time

from house import INGRESS_PATH
from stories import ITEMS_SHOWN, LIVE, PLACES
from telling import teller

STORIES, story = teller()


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
        browser.wait("document.querySelector('.connection-text').textContent.includes('Cut off from the nodes')", "the page says so", 30)
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
