"""What every test of the inspector's pages has: a process of its own, and windows of a browser."""

import atexit
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

from support import browser


class Process:
    """A process with a journal and live objects, and the address that it printed."""

    def __init__(self, program):
        self._process = subprocess.Popen(
            [program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        watchdog = threading.Timer(60, self._process.kill)
        watchdog.start()
        line = self._process.stdout.readline()
        watchdog.cancel()
        if not line.startswith("Serving http://127.0.0.1:"):
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

    def setUp(self):
        if InspectedCase._driver is None:
            InspectedCase._driver = browser.start()
            atexit.register(InspectedCase._driver.quit)
        self.process = Process(os.environ["INSPECTOR_PROGRAM"])
        self.addCleanup(self.process.close)
        self.expected_complaints = []
        self.page = browser.Window(InspectedCase._driver, self.process.address)
        self.addCleanup(self._close)
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
        return self.page.script(
            "return document.querySelector('table.runs tbody a').href"
        ).removeprefix(self.process.address)

    def keep(self, name):
        folder = pathlib.Path(
            os.environ.get("INSPECTOR_ARTEFACTS")
            or pathlib.Path(tempfile.gettempdir()) / "inspector-browser")
        folder.mkdir(parents=True, exist_ok=True)
        self.page.picture(folder / f"{name}.png")

    def _close(self):
        self.keep(self.id().split(".")[-1].removeprefix("test_"))
        unexpected = [
            complaint for complaint in self.page.complaints()
            if not any(part in complaint for part in self.expected_complaints)]
        self.page.close()
        self.assertEqual(unexpected, [], "the browser complains")
