"""The map: every airport of the search as a dot, on the coastlines of the world."""

import re

from support.case import BrowserCase
from support.looks import dots


class MapTests(BrowserCase):
    # Malta, by the data: near the middle of the map, and not in it.
    NAME = "Luqa Airport (LMML)"
    LATITUDE, LONGITUDE = 35.8575, 14.4775

    def setUp(self):
        super().setUp()
        self.page = self.window()

    def _open_one(self):
        self.page.open_live("/?q=lmml")
        self.page.wait_text("#count", "1 airport")
        self.page.find("[aria-label='Whole world']").click()
        return self.page.find("#map canvas")

    def _place(self, canvas, zoom=1.0):
        """Where the airport is, from the middle of the map, in pixels."""
        width = canvas.size["width"]
        degree = width / 360
        x = (self.LONGITUDE + 180) * degree - width / 2
        y = (90 - self.LATITUDE) * degree - width / 4
        return x * zoom, y * zoom

    def _point_at(self, canvas, x, y):
        """Points at a place, and again, because the dots come when they are loaded."""
        self.page.actions().move_to_element_with_offset(canvas, 0, 0).perform()
        self.page.actions().move_to_element_with_offset(canvas, round(x), round(y)).perform()

    def _wait_tip(self, canvas, x, y):
        def has_tip():
            self._point_at(canvas, x, y)
            return self.page.text("#map .map-tip") == self.NAME
        self.page.wait(has_tip, f"there is no airport at {x}, {y}")

    def test_all_airports_are_dots_and_the_list_is_beside_them(self):
        self.page.open_live("/")
        self.page.wait(lambda: dots(self.page) > 1_000, "there are hardly any dots")
        size = self.page.find("#map canvas").size
        self.assertLess(dots(self.page), size["width"] * size["height"] / 2, "one dark blot")
        self.assertEqual(
            self.page.find("#map canvas").get_attribute("aria-label"),
            "World map with 28,298 airports; the list has them all.")
        picture, rows = self.page.find("#map").rect, self.page.find("#rows").rect
        self.assertGreaterEqual(picture["x"], rows["x"] + rows["width"])
        self.page.size(390, 844)
        picture, rows = self.page.find("#map").rect, self.page.find("#rows").rect
        self.assertLessEqual(picture["y"] + picture["height"], rows["y"])

    def test_the_dots_are_those_of_the_search(self):
        self.page.open_live("/")
        self.page.wait(lambda: dots(self.page) > 1_000, "there are hardly any dots")
        self.page.find("#q").send_keys("lmml")
        self.page.wait_text("#count", "1 airport")
        self.page.wait(lambda: 0 < dots(self.page) < 200, "the map shows other airports")
        self.assertIn("with 1 airport;", self.page.find("#map canvas").get_attribute("aria-label"))

    def test_pointing_at_a_dot_tells_its_name_and_a_click_opens_it(self):
        canvas = self._open_one()
        x, y = self._place(canvas)
        self._wait_tip(canvas, x, y)
        self.keep(self.page, "map-hover")
        self._point_at(canvas, x + 60, y + 40)
        self.page.wait(
            lambda: not self.page.find("#map .map-tip").is_displayed(), "the name stays")
        self._wait_tip(canvas, x, y)
        self.page.actions().click().perform()
        self.page.wait(lambda: self.page.path == "/airports/LMML", "the click led nowhere")

    def test_only_the_left_button_opens_an_airport(self):
        canvas = self._open_one()
        x, y = self._place(canvas)
        self._wait_tip(canvas, x, y)
        # It is told of at once, and before anything is loaded.
        self.page.script("""
            window.led = [];
            navigation.addEventListener("navigate", (event) => {
              // The address that says where the map is leads nowhere.
              if (event.destination.sameDocument) return;
              window.led.push(event.destination.url);
              event.preventDefault();
            });""")
        self.page.actions().context_click().perform()
        self.assertEqual(self.page.script("return window.led"), [])
        self.page.actions().click().perform()
        self.page.wait(lambda: self.page.script("return window.led.length"), "the click led nowhere")
        self.assertTrue(self.page.script("return window.led[0]").endswith("/airports/LMML"))

    def test_buttons_enlarge_the_map_and_show_the_whole_world_again(self):
        canvas = self._open_one()
        x, y = self._place(canvas)
        self._wait_tip(canvas, x, y)
        self.page.find("[aria-label='Zoom in']").click()
        self._wait_tip(canvas, *self._place(canvas, 1.8))
        self.page.find("[aria-label='Zoom out']").click()
        self._wait_tip(canvas, x, y)
        self.page.find("[aria-label='Zoom in']").click()
        self.page.find("[aria-label='Zoom in']").click()
        self.page.find("[aria-label='Whole world']").click()
        self._wait_tip(canvas, x, y)

    def test_dragging_moves_the_map_and_opens_nothing(self):
        canvas = self._open_one()
        self._wait_tip(canvas, *self._place(canvas))
        self.page.find("[aria-label='Zoom in']").click()
        x, y = self._place(canvas, 1.8)
        self._wait_tip(canvas, x, y)
        drag = self.page.actions().move_to_element_with_offset(canvas, round(x), round(y))
        drag.click_and_hold().move_by_offset(40, 20).release().perform()
        self._wait_tip(canvas, x + 40, y + 20)
        self.page.wait(lambda: self._view(), "the address does not say where the map is")
        self.assertTrue(self.page.path.startswith("/?q=lmml&map="), self.page.path)

    def test_ctrl_and_the_wheel_enlarge_and_the_wheel_alone_scrolls(self):
        canvas = self._open_one()
        x, y = self._place(canvas)
        self._wait_tip(canvas, x, y)
        before = self.page.script("return document.querySelector('#map canvas').toDataURL()")
        for with_control in [False, True]:
            canceled = self.page.script("""
                const canvas = document.querySelector("#map canvas");
                return !canvas.dispatchEvent(new WheelEvent("wheel", {
                  deltaY: -200, ctrlKey: arguments[0], bubbles: true, cancelable: true }));
                """, with_control)
            self.assertEqual(canceled, with_control)
        self.page.wait(
            lambda: self.page.script(
                "return document.querySelector('#map canvas').toDataURL()") != before,
            "the map is no larger")

    def _tip(self):
        tip = self.page.find("#map .map-tip")
        return tip.text if tip.is_displayed() else ""

    def _view(self):
        """Where the address says that the map is: north, east, and how much it is enlarged."""
        found = re.search(r"[?&]map=([-0-9.]+)(?:,|%2C)([-0-9.]+)(?:,|%2C)([-0-9.]+)", self.page.path)
        return tuple(float(number) for number in found.groups()) if found else None

    def test_coastlines_are_drawn(self):
        self.page.open_live("/?q=zzzz")
        coast = "return getComputedStyle(document.getElementById('map')).getPropertyValue('--coast')"
        self.assertTrue(self.page.script(coast).strip())

        def has_coast():
            return self.page.script("""
                const { canvas } = document.querySelector("#map canvas").getContext("2d");
                const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
                copy.drawImage(canvas, 0, 0);
                const pixels = copy.getImageData(0, 0, canvas.width, canvas.height).data;
                const style = getComputedStyle(document.getElementById("map"));
                const tone = (name) => parseInt(style.getPropertyValue(name).trim().slice(1, 3), 16);
                const [coast, grid] = [tone("--coast"), tone("--grid")];
                let count = 0;
                for (let at = 0; at < pixels.length; at += 4) {
                  count += Math.abs(pixels[at] - coast) < Math.abs(pixels[at] - grid);
                }
                return count;
                """) > 500
        self.page.wait(has_coast, "there is no coast")
        self.keep(self.page, "map-coast")

    def test_it_shows_what_was_found_as_large_as_it_can(self):
        self.page.open_live("/?q=lmml")
        canvas = self.page.find("#map canvas")
        # In the middle of the map, without a button being pressed.
        self._wait_tip(canvas, 0, 0)
        self.assertIsNone(self._view())
        self.keep(self.page, "map-found")

    def test_its_view_stands_in_the_address_and_comes_back(self):
        canvas = self._open_one()
        self._wait_tip(canvas, *self._place(canvas))
        self.page.find("[aria-label='Zoom in']").click()
        self.page.wait(lambda: self._view() and self._view()[2] == 1.8, "the address says nothing")
        drag = self.page.actions().move_to_element_with_offset(canvas, 0, 40)
        drag.click_and_hold().move_by_offset(-60, 0).release().perform()
        self.page.wait(lambda: self._view()[1] > 1, "the address does not follow")
        view = self._view()
        self.page.open_live(self.page.path)
        degree = self.page.find("#map canvas").size["width"] / 360 * view[2]
        x, y = (self.LONGITUDE - view[1]) * degree, (view[0] - self.LATITUDE) * degree
        self._wait_tip(self.page.find("#map canvas"), x, y)
        # Another search is shown from its own middle.
        self.page.find("#q").clear()
        self.page.find("#q").send_keys("efhk")
        self.page.wait_text("#count", "1 airport")
        self.page.wait(lambda: self._view() is None, "the address keeps the view")

    def test_a_dot_of_several_is_enlarged_by_enter_and_keys_go_on_from_there(self):
        # More than are sent one by one; 40 of them where no other airport is.
        near = lambda number: 0.3 + number / 100  # noqa: E731
        self.server.import_by_command("icao,name,country,lat,lon,tz\n" + "".join(
            f"_{number:03X},{'Near' if number < 40 else 'Far'} {number},IS,"
            + (f"{near(number)},{near(number)}" if number < 40
               else f"{-20 - number % 40 / 4},{-100 - number // 40 / 4}") + ",UTC\n"
            for number in range(2_400)))
        self.page.open_live("/")
        self.page.wait(lambda: dots(self.page) > 1_000, "there are hardly any dots")
        self.page.script("document.querySelector('#map canvas').focus()")
        keys = self.page.actions()

        def said():
            keys.send_keys("\ue014").perform()
            return self._tip() == "40 airports"
        self.page.wait(said, "the dot is not chosen by an arrow")
        keys = self.page.actions()
        keys.send_keys("\ue007").perform()
        found = self.page.wait(
            lambda: re.fullmatch(
                r"Near \d+ \((....)\)",
                self.page.find("#map-said").get_attribute("textContent")),
            "nothing is said of what the dot is made of")
        self.page.actions().send_keys("\ue007").perform()
        self.page.wait(
            lambda: self.page.path == "/airports/" + found.group(1), "Enter led nowhere")

    def test_airports_are_reached_and_opened_by_keys(self):
        self.page.open_live("/?country=MT")
        canvas = self.page.find("#map canvas")
        self.page.script("arguments[0].focus()", canvas)
        keys = self.page.actions()

        def press(*names):
            keys.send_keys(*names).perform()
        right, left, escape, enter = "\ue014", "\ue012", "\ue00c", "\ue007"

        def first():
            press(right)
            return self._tip() != ""
        self.page.wait(first, "no airport is chosen by an arrow")
        said = self.page.find("#map-said").get_attribute("textContent")
        self.assertRegex(said, r"\([A-Z0-9]{4}\)$")
        press(escape)
        self.page.wait(lambda: self._tip() == "", "Escape lets none go")
        press(left)
        self.page.wait(lambda: self._tip() != "", "no airport is chosen by an arrow")
        code = re.search(r"\((....)\)$", self._tip()).group(1)
        press(enter)
        self.page.wait(lambda: self.page.path == "/airports/" + code, "Enter led nowhere")
