"""What every test of the inspector's pages has: a process of its own, and windows of a browser."""

import atexit
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest
import urllib.parse
import urllib.request

from support import browser


class Process:
    """A process with a journal and live objects, and the address that it printed.

    With the arguments --session and a file it serves an exported timeline.
    """

    def __init__(self, program, *arguments):
        self._process = subprocess.Popen(
            [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        watchdog = threading.Timer(60, self._process.kill)
        watchdog.start()
        line = self._process.stdout.readline()
        watchdog.cancel()
        if not line.startswith("Serving http://"):
            self._process.kill()
            raise RuntimeError(f"the inspector did not serve: {line}{self._process.stderr.read()}")
        address, _, self.query = line.removeprefix("Serving ").strip().partition("/?")
        self.address = address

    def close(self):
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()


class InspectedCase(unittest.TestCase):
    """A test with a process of its own; its last look at the window is kept as an artefact."""

    _driver = None
    # Whether the pages' script runs; a test class without it runs the same tests.
    has_scripts = True

    def setUp(self):
        if InspectedCase._driver is None:
            InspectedCase._driver = browser.start()
            atexit.register(InspectedCase._driver.quit)
        self.process = Process(os.environ["INSPECTOR_PROGRAM"])
        self.addCleanup(self.process.close)
        self.expected_complaints = []
        self.page = browser.Window(InspectedCase._driver, self.process.address)
        self.addCleanup(self._close)
        if not self.has_scripts:
            self.page.scripts_off()
        self.page.open("/?" + self.process.query)

    def run_page(self, state):
        """The address of a run in a state."""
        return self.first_run(f"state={state}")

    def first_run(self, filter):
        """The address of the first run of a filter.

        One script reads it: between two calls a live page may have another table.
        """
        self.page.open(f"/runs?{filter}")
        self.page.find("table.runs tbody a")
        return self.link("table.runs tbody a")

    def rows(self, css):
        """The texts of the cells of each row, read at one moment: a live page replaces its rows."""
        return self.page.script(
            "return [...document.querySelectorAll(arguments[0])]"
            ".map((row) => [...row.cells].map((cell) => cell.innerText.trim()))", css)

    def facts(self):
        """The facts of the page: a dictionary of texts."""
        return dict(self.page.script(
            "return [...document.querySelectorAll('dl.facts dt')].map("
            "(name) => [name.innerText.trim(), name.nextElementSibling.innerText.trim()])"))

    def texts(self, css):
        return self.page.script(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText.trim())",
            css)

    def scroll_to(self, css):
        self.page.script(
            "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", css)

    def wait_until(self, condition, message):
        """Waits for a live page to change; a page without scripts is opened again and again."""
        path = self.page.path

        def look():
            if not self.has_scripts:
                self.page.open(path)
            return condition()
        return self.page.wait(look, message)

    def link(self, css):
        """Where a link leads, read at one moment."""
        return self.page.script(
            "return document.querySelector(arguments[0]).href", css
        ).removeprefix(self.process.address)

    @property
    def cookies(self):
        """The cookies of the browser, as a header has them."""
        return "; ".join(
            f"{one['name']}={one['value']}" for one in self.page.front().get_cookies())

    def read(self, path):
        """The body of an address, with the cookies of the browser."""
        # Browsers know that names below localhost are this machine; not every resolver does.
        host = urllib.parse.urlsplit(self.process.address)
        request = urllib.request.Request(
            f"http://127.0.0.1:{host.port}{path}",
            headers={"Cookie": self.cookies, "Host": host.netloc})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    def keep(self, name):
        folder = pathlib.Path(
            os.environ.get("INSPECTOR_ARTEFACTS")
            or pathlib.Path(tempfile.gettempdir()) / "inspector-browser")
        folder.mkdir(parents=True, exist_ok=True)
        self.page.picture(folder / f"{name}.png")

    def _close(self):
        name = self.id().split(".")[-1].removeprefix("test_")
        self.keep(name if self.has_scripts else name + "-without-scripts")
        unexpected = [
            complaint for complaint in self.page.complaints()
            if not any(part in complaint for part in self.expected_complaints)]
        self.page.close()
        self.assertEqual(unexpected, [], "the browser complains")
