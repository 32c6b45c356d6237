"""A story of other sites: one that lives, and one whose broker is away and comes back."""

import socket

from house import free_port, until
from stories import LIVE
from telling import teller

STORIES, story = teller()
SITES = """\
- {{id: north, name: North clinic, mqtt: {{url: "mqtt://127.0.0.1:{north}"}}, page: "http://127.0.0.1:{page}/"}}
- {{id: south, name: South clinic, mqtt: {{url: "mqtt://127.0.0.1:{south}"}}}}
"""


def card(site, words):
    """An expression that is true once the card of a site has these words."""
    return f"document.querySelector('[data-site={site}]')?.textContent.includes('{words}')"


@story("show other sites, name the one that is away, and find an item there")
def sites(tour):
    house, page, south = tour.house, free_port(), free_port()
    house.write("sites.yaml", SITES.format(north=house.broker, page=house.page, south=south))
    house.write_fuser("office", page)
    path = house.folder / "office.yaml"
    path.write_text(path.read_text().replace("token_file: tokens", "token_file: tokens, sites: sites.yaml"))
    house.run("office", str(house.programs / "whereabouts-fuser"), "--config", "office.yaml")
    until(lambda: socket.create_connection(("127.0.0.1", page), 1).close() or True, "the page of the office listens")
    browser = tour.browse()
    browser.open(f"http://127.0.0.1:{page}/#token={house.tokens['viewer']}")
    browser.wait(LIVE, "the page is live")
    browser.go("#/more")
    browser.click(".big-choice", "Sites")
    browser.wait(card("north", "Online"), "the site that lives is online")
    browser.wait(card("north", "3 of 3"), "all its nodes are online", 30)
    browser.wait(card("south", "Unreachable"), "the other one is unreachable")
    first = browser.run("return document.querySelector('.card').dataset.site")
    assert first == "south", f"the first card is that of {first}"
    assert browser.all("[data-site=north] a") and not browser.all("[data-site=south] a"), "links lead elsewhere"

    # A broker without a house: it answers, and says nothing.
    house.write("south.conf", f"listener {south} 127.0.0.1\nallow_anonymous true\npersistence false\n")
    house.run("south", "mosquitto", "-c", "south.conf")
    browser.wait(f"!({card('south', 'Unreachable')})", "the other one answers again", 45)
    house.end("south")
    browser.wait(card("south", "Unreachable"), "it is unreachable again", 20)

    browser.go("#/live")
    browser.fill(".search-field", "cat")
    browser.wait("document.querySelector('.elsewhere')?.textContent.includes('North clinic')", "the cat is found there")
    browser.fill(".search-field", "elephant")
    browser.wait("document.querySelector('.elsewhere')?.textContent.includes('No other site')", "the elephant is not")
    browser.fill(".search-field", " ")
    browser.wait("!document.querySelector('.elsewhere')", "nothing is shown without a word")
    tour.close(browser, page)
    house.end("office")
