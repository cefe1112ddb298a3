"""Everything with keys alone."""

from selenium.webdriver.common.keys import Keys

from support.case import BrowserCase


class KeyboardTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.page = self.window()

    def _focused_name(self):
        return self.page.script("""
            const at = document.activeElement;
            return at.getAttribute("aria-label") || at.labels?.[0]?.textContent ||
              at.innerText?.trim() || at.id;
            """)

    def _assert_focus_is_seen(self):
        self.page.wait(lambda: self.page.script("""
            const at = document.activeElement;
            const { left, top, right, bottom } = at.getBoundingClientRect();
            const style = getComputedStyle(at);
            return at.matches(":focus-visible") && style.outlineStyle !== "none" &&
              parseFloat(style.outlineWidth) >= 2 &&
              right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
            """), f"the focus on {self._focused_name()} can’t be seen", patience=5)

    def _hold(self, held, key):
        self.page.actions().key_down(held).send_keys(key).key_up(held).perform()

    def _tab_to(self, name, limit=80):
        """Goes on by the Tab key until this has the focus."""
        passed = []
        for _ in range(limit):
            self.page.keys(Keys.TAB)
            passed.append(self._focused_name())
            self._assert_focus_is_seen()
            if passed[-1] == name:
                return passed
        raise AssertionError(f"{name} can’t be reached by the Tab key, past {passed}")

    def test_the_focus_goes_through_the_page_in_order_and_is_seen_everywhere(self):
        for size in [(1280, 900), (390, 844)]:
            with self.subTest(size=size):
                self.page.size(*size)
                self.page.open_live("/?q=vienna")
                first_row = self.page.text("#rows a")
                passed = self._tab_to(first_row)
                self.assertEqual(passed, [
                    "Skip to content", "airfield", "Search airports", "Search", "Add", "Import", "Exports",
                    "Settings", "Show all", "Country", "Codes", "Sorted by", "Download as CSV",
                    self.page.find("#map canvas").get_attribute("aria-label"),
                    "Zoom in", "Zoom out", "Whole world",
                    "Airport", "City", "Country", "ICAO", "IATA", first_row])
                self._tab_to("airportsdata")

    def test_what_comes_first_for_keys_comes_first_for_the_eye_on_a_phone(self):
        self.page.size(390, 844)
        self.page.open_live("/?q=vienna")
        # The tools of the map lie on it.
        heights = self.page.script("""
            return [...document.querySelectorAll(
              "main a[href], main button, main select, main canvas")]
              .filter((element) => element.checkVisibility() && !element.closest(".map-tools"))
              .map((element) => [element, element.getBoundingClientRect()])
              .map(([element, { top, bottom }]) => [
                top, bottom, element.textContent.trim().slice(0, 30) || element.id]);
            """)
        self.assertGreater(len(heights), 4)
        for (above, _, first), (_, below, then) in zip(heights, heights[1:]):
            self.assertGreater(below, above, f"“{then}” is higher up than “{first}”, and comes later")

    def test_the_first_key_leads_past_the_head_of_the_page(self):
        self.page.open_live("/airports/BIBD")
        self.page.keys(Keys.TAB)
        self.assertEqual(self._focused_name(), "Skip to content")
        self._assert_focus_is_seen()
        self.page.keys(Keys.ENTER)
        self.page.wait(
            lambda: self.page.focused.get_attribute("id") == "content", "the head was not left")
        self.page.keys(Keys.TAB)
        self.assertEqual(self._focused_name(), "All airports")

    def test_an_airport_is_found_edited_and_saved(self):
        self.page.open_live("/")
        self._tab_to("Search airports")
        self.page.keys("bildudalur")
        self.page.wait_text("#count", "1 airport for “bildudalur”")
        self._tab_to("Bíldudalur Airport")
        self.page.leave_by_keys(Keys.ENTER)
        self.page.wait_live()
        self._tab_to("Edit")
        self.page.leave_by_keys(Keys.ENTER)
        self.page.wait_live()
        self._tab_to("IATA code")
        self.page.keys("WRONG")
        self._tab_to("City")
        self.page.wait(lambda: self.page.issues("IATA code"), "the mistake is not told")
        self._tab_to("Save")
        self.page.leave_by_keys(Keys.ENTER)
        self.expect_complaint("422")
        self.assertEqual(self._focused_name(), "IATA code")
        self._assert_focus_is_seen()
        self.page.wait_live()
        self._hold(Keys.CONTROL, "a")
        self.page.keys("BIU")
        self.page.leave_by_keys(Keys.ENTER)
        self.assertEqual(self.page.text(".note"), "Saved.")

    def test_the_focus_is_on_the_first_of_several_mistakes(self):
        self.page.open_live("/new")
        self._tab_to("Save")
        self.page.leave_by_keys(Keys.SPACE)
        self.expect_complaint("422")
        self.assertEqual(self._focused_name(), "ICAO code")
        self._assert_focus_is_seen()

    def test_undo_and_redo_are_buttons_that_keys_reach(self):
        self.page.open_live("/airports/BIBD/edit")
        self._tab_to("City")
        self.page.keys("x")
        self._tab_to("Undo")
        self.page.leave_by_keys(Keys.ENTER)
        self.assertEqual(self.page.labelled("City").get_attribute("value"), "Bíldudalur")
        self._tab_to("Redo")
        self.page.leave_by_keys(Keys.ENTER)
        self.assertNotEqual(self.page.labelled("City").get_attribute("value"), "Bíldudalur")

    def test_more_of_the_list_comes_by_a_button_and_the_focus_stays_near(self):
        self.page.open_live("/?country=AT")
        # As if the button were far from sight, where the list does not grow by itself.
        self.page.wait_rows(50)
        self.page.wait(
            lambda: self.page.script("""
                const button = document.querySelector("#more button");
                if (!button) return false;
                button.focus({ preventScroll: true });
                return document.activeElement === button;
                """), "there is no button for more")
        self.page.keys(Keys.ENTER)
        self.page.wait_rows(55)
        self.assertEqual(
            self.page.script("return document.activeElement.closest('#more')?.id"), "more")

    def test_the_map_is_moved_and_enlarged_by_keys_and_is_no_trap(self):
        self.page.open_live("/?q=vienna")
        self._tab_to(self.page.find("#map canvas").get_attribute("aria-label"))
        picture = lambda: self.page.script(  # noqa: E731
            "return document.querySelector('#map canvas').toDataURL()")
        before = self.page.wait(picture, "no picture")
        self.page.keys("+")
        self.page.wait(lambda: picture() != before, "+ did not enlarge the map")
        larger = picture()
        self.page.keys(Keys.ARROW_RIGHT)
        self.page.wait(lambda: picture() != larger, "the arrow did not move the map")
        self.page.keys(Keys.TAB)
        self.assertEqual(self._focused_name(), "Zoom in")
        self._hold(Keys.SHIFT, Keys.TAB)
        self.assertIn("World map", self._focused_name())
