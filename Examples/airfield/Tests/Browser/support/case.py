"""What every test in a browser has: a server of its own and windows that are closed after it."""

import atexit
import os
import pathlib
import tempfile
import unittest

from support import browser
from support.server import Server, imported


class Shared:
    """What all tests of a run share: the browser, the imported directory and the artefacts."""

    _driver = None
    _folder = None
    _database = None

    @classmethod
    def driver(cls):
        if cls._driver is None:
            cls._driver = browser.start()
            atexit.register(cls._driver.quit)
        return cls._driver

    @classmethod
    def database(cls):
        if cls._database is None:
            cls._folder = tempfile.TemporaryDirectory(prefix="airfield-browser-")
            cls._database = imported(cls.program(), cls._folder.name)
        return cls._database

    @staticmethod
    def program():
        return os.environ["AIRFIELD_PROGRAM"]

    @staticmethod
    def artefacts():
        folder = pathlib.Path(
            os.environ.get("AIRFIELD_ARTEFACTS")
            or pathlib.Path(tempfile.gettempdir()) / "airfield-browser")
        folder.mkdir(parents=True, exist_ok=True)
        return folder


class BrowserCase(unittest.TestCase):
    """A test with a server of its own; its last look at each window is kept as an artefact.

    A page about which the browser complains has failed, unless the test says which complaint is
    to come.
    """

    # What the server is started with besides.
    options = []

    def setUp(self):
        self.server = Server(Shared.program(), Shared.database(), *self.options)
        self.addCleanup(self.server.close)
        self.expected_complaints = []
        self._windows = []
        self.addCleanup(self._close_windows)

    def window(self):
        return self._opened(browser.Window(Shared.driver(), self.server.address))

    def tab(self):
        """Another tab, in the window that was looked at last."""
        return self._opened(browser.Tab(Shared.driver(), self.server.address))

    def _opened(self, window):
        self._windows.append(window)
        return window

    def keep(self, window, name):
        """Keeps a picture of the window among the artefacts."""
        window.picture(Shared.artefacts() / f"{name}.png")

    def expect_complaint(self, part):
        self.expected_complaints.append(part)

    def faults(self, window, **switched):
        """Switches faults on the panel as a person does: by name, latency in milliseconds."""
        labels = {
            "next_page": "The next page fails", "save": "Saving fails",
            "nothing": "Searches find nothing", "offline": "Offline"}
        window.open_live("/faults")
        window.fill("Latency", str(switched.get("latency", 0)))
        for name, label in labels.items():
            window.tick(label, switched.get(name, False))
        window.leave_by("Save")
        window.wait_text(".note", "Switched.")

    def _close_windows(self):
        complaints = []
        for number, window in enumerate(self._windows):
            name = self.id().split(".")[-1].removeprefix("test_")
            self.keep(window, f"{name}-{number + 1}" if number else name)
            complaints += window.complaints()
        for window in self._windows:
            window.close()
        unexpected = [
            complaint for complaint in complaints
            if not any(part in complaint for part in self.expected_complaints)]
        self.assertEqual(unexpected, [], "the browser complains")
