"""A headless Chromium, and its windows as a person uses them."""

import os
import shutil
import time

from selenium import webdriver
from selenium.common.exceptions import (
    InvalidSessionIdException, StaleElementReferenceException, WebDriverException)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

# How long something may take at most, in seconds; a machine that is busy with other work is slow.
PATIENCE = 120
# The same once something took longer: the others are still told of, but not waited for as long.
SHORT_PATIENCE = 15


def start():
    """Starts the browser; its driver and itself are found on the path."""
    options = Options()
    options.binary_location = next(filter(None, map(shutil.which, PROGRAMS)))
    options.add_argument("--headless=new")
    options.add_argument("--hide-scrollbars")
    # Drawn without an emulated graphics processor, which takes more time than all else.
    options.add_argument("--disable-gpu")
    options.add_argument("--disable-dev-shm-usage")
    # Windows behind others are windows of somebody else, and go on.
    options.add_argument("--disable-backgrounding-occluded-windows")
    options.add_argument("--disable-renderer-backgrounding")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


class Window:
    """A window with a page, which waits for what it is asked for."""

    kind = "window"

    def __init__(self, driver, address):
        self.driver = driver
        self.address = address
        driver.switch_to.new_window(self.kind)
        self._handle = driver.current_window_handle
        self.prepare()
        self.size(1280, 900)

    def prepare(self):
        # Without a screen no window is the one in front, and none would show its focus.
        self.command("Emulation.setFocusEmulationEnabled", enabled=True)

    # What the window is like

    def front(self):
        if self.driver.current_window_handle != self._handle:
            self.driver.switch_to.window(self._handle)
        return self.driver

    def command(self, name, **values):
        return self.front().execute_cdp_cmd(name, values)

    def size(self, width, height):
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=width < 600)

    def theme(self, name):
        self.command(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": name},
                      {"name": "prefers-reduced-motion", "value": "reduce"}])

    def scripts_off(self):
        self.command("Emulation.setScriptExecutionDisabled", value=True)

    def close(self):
        self.front().close()
        self.driver.switch_to.window(self.driver.window_handles[0])

    # Going somewhere

    def open(self, path):
        self.front().get(self.address + path)

    @property
    def path(self):
        return self.front().current_url.removeprefix(self.address)

    def open_live(self, path):
        """Opens a page and waits until it hears from the server."""
        self.open(path)
        self.wait_live()

    def wait_live(self):
        self.wait(lambda: self.find("html.live"), "the page never heard from the server")

    # Looking

    # Whether something took longer than it may, in any window.
    has_failed = False

    def wait(self, condition, message, patience=None):
        """What the condition gives once that is something; looks again until then."""
        usual = SHORT_PATIENCE if Window.has_failed else PATIENCE
        end = time.monotonic() + (patience or usual)
        last = None
        while True:
            try:
                value = condition()
                if value:
                    return value
                last = None
            except InvalidSessionIdException:
                raise
            except WebDriverException as error:
                # The page is changed under us by what the server sends; then one looks again.
                last = error
            if time.monotonic() > end:
                Window.has_failed = Window.has_failed or patience is None
                detail = f" ({type(last).__name__})" if last else ""
                raise AssertionError(f"{message}{detail}, at {self.path}")
            time.sleep(0.02)

    def find(self, css):
        return self.front().find_element(By.CSS_SELECTOR, css)

    def all(self, css):
        return self.front().find_elements(By.CSS_SELECTOR, css)

    def text(self, css):
        for _ in range(5):
            try:
                return self.find(css).text
            except StaleElementReferenceException:
                # What the server sends has taken its place since it was found.
                continue
        return self.find(css).text

    def wait_text(self, css, part):
        try:
            self.wait(lambda: part in self.text(css), "")
        except AssertionError:
            there = [element.text[:200] for element in self.all(css)]
            raise AssertionError(
                f"{css} never said “{part}”; at {self.path} it says {there}") from None

    def wait_rows(self, count):
        self.wait(
            lambda: len(self.all("#rows tr")) == count,
            f"there were never {count} rows")

    def script(self, text, *values):
        return self.front().execute_script(text, *values)

    @property
    def focused(self):
        return self.front().switch_to.active_element

    def labelled(self, label):
        """The control with this label."""
        element = self.find_label(label)
        return self.find("#" + element.get_attribute("for"))

    def find_label(self, label):
        return self.front().find_element(By.XPATH, f"//label[normalize-space()='{label}']")

    def issues(self, label):
        """What is said to be wrong with the control of this label."""
        identifier = self.find_label(label).get_attribute("for")
        return self.text(f"#{identifier}-issues")

    # Doing

    def click(self, css):
        self._do(lambda: self.find(css).click(), f"{css} can’t be clicked")

    def click_text(self, text, tag="*"):
        """Clicks the link or button that says this."""
        path = f"//{tag}[self::a or self::button][normalize-space()='{text}']"
        self._do(
            lambda: self.front().find_element(By.XPATH, path).click(), f"“{text}” can’t be clicked")

    def leave_by(self, text):
        """Clicks a link or button that leads to another page, and waits for that."""
        self._leave(lambda: self.click_text(text), f"“{text}” led nowhere")

    def leave_by_keys(self, *keys):
        self._leave(lambda: self.keys(*keys), "the keys led nowhere")

    def _leave(self, action, message):
        self.script("window.isLeft = true")
        action()
        self.wait(
            lambda: self.script("return !window.isLeft && document.readyState === 'complete'"),
            message)

    def fill(self, label, text):
        def fill():
            control = self.labelled(label)
            if control.tag_name == "select":
                Select(control).select_by_visible_text(text)
            else:
                control.clear()
                control.send_keys(text)
            return True
        self.wait(fill, f"“{label}” can’t be filled in")

    def choose(self, label, path):
        """Chooses a file of this machine."""
        self.labelled(label).send_keys(str(path))

    def tick(self, label, is_on):
        if self.labelled(label).is_selected() != is_on:
            self.labelled(label).click()

    def keys(self, *keys):
        ActionChains(self.front()).send_keys(*keys).perform()

    def actions(self):
        self.front()
        return ActionChains(self.driver, duration=0)

    def _do(self, action, message):
        def act():
            action()
            return True
        self.wait(act, message)

    # Keeping

    def picture(self, file):
        self.front().save_screenshot(str(file))

    def complaints(self):
        """What the browser has logged of this window's pages: errors and warnings."""
        self.front()
        return [
            entry["message"] for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING")]


class Tab(Window):
    """A tab in the window that was looked at last; only one of that window's tabs is seen.

    What a page is asked for shows its tab, as a person can do nothing in one that is not seen.
    """

    kind = "tab"

    def prepare(self):
        # Emulated focus would make each of them one that is seen.
        pass

    def front(self):
        if self.driver.current_window_handle != self._handle:
            self.driver.switch_to.window(self._handle)
            self.driver.execute_cdp_cmd("Page.bringToFront", {})
        return self.driver
