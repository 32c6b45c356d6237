"""A headless chromium with what the stories do in it."""

import json
import pathlib
import time
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from programs import CHROMIUM, DRIVER, find_program

DESKTOP, PHONE = (1280, 800, False), (390, 844, True)


class Browser:
    """One browser with a profile of its own."""

    def __init__(self, size=DESKTOP, dark=False, scale=1):
        width, height, mobile = size
        options = Options()
        options.binary_location = find_program(CHROMIUM)
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--disable-component-update", "--disable-background-networking", "--no-first-run",
                     f"--window-size={width},{height}"):
            options.add_argument(word)
        options.add_experimental_option("prefs", {"intl.accept_languages": "en-GB,en"})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(find_program(DRIVER)))
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.addresses = {}
        self.bytes = 0
        # Statuses and network errors that a story brings about on purpose, which chromium writes to the console.
        self.expected = []

    def command(self, name, **parameters):
        """Gives a command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def open(self, address):
        """Opens an address."""
        self.driver.get(address)

    def go(self, route):
        """Goes to a view, such as `#/items`."""
        self.run("location.hash = arguments[0]", route)

    def run(self, script, *values):
        """Runs a script and returns its value."""
        return self.driver.execute_script(script, *values)

    def wait(self, script, what, seconds=15):
        """Waits until an expression of JavaScript is true, and returns its value."""
        end = time.monotonic() + seconds
        while True:
            try:
                if value := self.run(f"return {script}"):
                    return value
            except (JavascriptException, StaleElementReferenceException):
                pass
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s in vain until {what}")
            time.sleep(0.03)

    def all(self, selector):
        """The elements of a selector."""
        return self.driver.find_elements("css selector", selector)

    def one(self, selector, seconds=15):
        """The first element of a selector, awaited."""
        return self.wait(f"document.querySelector({json.dumps(selector)})", f"there is {selector}", seconds)

    def click(self, selector, text=None):
        """Clicks the first element of a selector, or the first with this text, once it is there."""
        def find():
            return (f"[...document.querySelectorAll({json.dumps(selector)})]"
                    f".find((e) => {json.dumps(text)} === null || e.textContent.includes({json.dumps(text)}))")
        for attempt in range(3):
            try:
                return self.wait(find(), f"there is {selector} {text or ''}").click()
            except StaleElementReferenceException:
                if attempt == 2:
                    raise

    def text(self, selector):
        """The text of the first element of a selector; empty where there is none."""
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def fill(self, selector, text):
        """Replaces the text of a field."""
        field = self.one(selector)
        field.clear()
        field.send_keys(text)

    def pinch(self, centre, before, after):
        """Moves two fingers beside a point from one distance of it to another."""
        x, y = centre
        for step in range(9):
            distance = before + (after - before) * step / 8
            self.command("Input.dispatchTouchEvent", type="touchMove" if step else "touchStart",
                         touchPoints=[{"x": x - distance, "y": y, "id": 0}, {"x": x + distance, "y": y, "id": 1}])
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def drag(self, start, end):
        """Drags the mouse from a point to another."""
        def send(kind, at):
            self.command("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", buttons=1, clickCount=1)
        send("mousePressed", start)
        for step in range(1, 5):
            send("mouseMoved", [a + (b - a) * step / 4 for a, b in zip(start, end)])
        send("mouseReleased", end)

    def offline(self, yes):
        """Cuts the browser off from the network, or connects it again."""
        self.command("Network.enable")
        self.command("Network.emulateNetworkConditions", offline=yes, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def take_log(self):
        """Reads what the browser asked of whom, and counts the bytes of answers."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            parameters = message["params"]
            if message["method"] == "Network.requestWillBeSent":
                self.addresses[parameters["requestId"]] = parameters["request"]["url"]
            elif message["method"] == "Network.loadingFinished":
                self.bytes += parameters["encodedDataLength"]
            elif message["method"] == "Network.dataReceived" and "events" in self.addresses.get(parameters["requestId"], ""):
                self.bytes += parameters["encodedDataLength"]

    def foreign(self, port):
        """The addresses asked for that are not of 127.0.0.1 and this port."""
        self.take_log()
        own = {f"127.0.0.1:{port}"}
        return sorted({address for address in self.addresses.values()
                       if urllib.parse.urlsplit(address).scheme in ("http", "https", "ws", "wss")
                       and urllib.parse.urlsplit(address).netloc not in own})

    def errors(self):
        """The console's errors and warnings but those that were expected."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")
                and not any(word in entry["message"] for word in self.expected)]

    def picture(self, path):
        """Writes a picture of what is seen."""
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(path))

    def quit(self):
        """Ends the browser."""
        self.driver.quit()
