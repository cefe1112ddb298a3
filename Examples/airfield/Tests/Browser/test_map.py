"""The map: every airport of the search as a dot."""

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
        self.assertEqual(self.page.path, "/?q=lmml")

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
