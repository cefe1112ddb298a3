"""The page of an airport and the form that edits it, as a person uses them."""

import re

from support.case import BrowserCase


class AirportPageTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.page = self.window()

    def _facts(self):
        return {
            fact.find_element("tag name", "dt").text: fact.find_element("tag name", "dd").text
            for fact in self.page.all("#airport dl > div")}

    def test_it_shows_where_it_is_what_time_it_is_there_and_what_lies_around_it(self):
        self.page.open_live("/airports/LOWW")
        self.assertRegex(self._facts()["Local time"], r"\d{2}:\d{2}")
        self.page.script("document.querySelector('.around').scrollIntoView()")
        self.page.wait(
            lambda: self.page.script("""
                const map = document.querySelector(".around img");
                return map.complete && map.naturalWidth > 0;
                """), "the map never came")
        neighbours = self.page.all(".neighbours li")
        self.assertEqual(len(neighbours), 5)
        distances = [
            float(re.search(r"([0-9.,]+) km", neighbour.text).group(1).replace(",", ""))
            for neighbour in neighbours]
        self.assertEqual(distances, sorted(distances))
        self.keep(self.page, "airport-around")
        first = self.page.text(".neighbours a")
        self.page.leave_by(first)
        self.assertEqual(self.page.text("h1"), first)

    def test_the_title_follows_the_search_and_the_airport(self):
        title = lambda: self.page.front().title  # noqa: E731
        self.page.open_live("/")
        self.assertEqual(title(), "airfield – airports of the world")
        for text in ["vienna", "vienna austria"]:
            self.page.find("#q").clear()
            self.page.find("#q").send_keys(text)
            self.page.wait(lambda: title() == f"“{text}” – airfield", "the title does not follow")
        # The rows come a moment after the title.
        found = self.page.wait(
            lambda: re.match("Vienna.*", self.page.text("#rows a")), "the rows do not follow")
        self.page.leave_by(found.group())
        self.assertEqual(title(), self.page.text("h1") + " – airfield")
        self.page.front().back()
        self.page.wait(lambda: title() == "“vienna austria” – airfield", "the title did not come back")


    def test_the_way_back_leads_to_the_list_as_it_was_left(self):
        self.page.open_live("/?q=vienna")
        found = self.page.wait(lambda: self.page.text("#rows a"), "nothing was found")
        self.page.find("[aria-label='Zoom in']").click()
        self.page.wait(lambda: "map=" in self.page.path, "the address has no view of the map")
        left = self.page.path
        self.page.leave_by(found)
        self.page.wait_live()
        self.page.leave_by(self.page.text(".neighbours a"))
        self.page.wait_live()
        self.page.leave_by("Edit")
        self.page.wait_live()
        self.page.fill("City", "Elsewhere")
        self.page.leave_by("Save")
        self.page.leave_by("Back to the list")
        self.assertEqual(self.page.path, left)


class EditFormTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.page = self.window()

    def _mark(self, label):
        return self.page.script(
            "return getComputedStyle(arguments[0], '::after').content", self.page.find_label(label))

    def test_required_fields_are_marked_for_the_eye_and_for_assistive_technology(self):
        self.page.open_live("/airports/BIBD/edit")
        for label, is_required in [
                ("ICAO code", True), ("Name", True), ("Country", True), ("Latitude", True),
                ("Time zone", True), ("IATA code", False), ("City", False), ("Elevation", False)]:
            with self.subTest(label=label):
                self.assertEqual("required" in self._mark(label), is_required)
                required = self.page.labelled(label).get_attribute("aria-required")
                self.assertEqual(required == "true", is_required)

    def test_time_zones_are_suggested_and_their_case_is_forgiven(self):
        self.page.open_live("/airports/BIBD/edit")
        zones = self.page.script(
            "return [...arguments[0].list.options].map((zone) => zone.value)",
            self.page.labelled("Time zone"))
        self.assertGreater(len(zones), 300)
        self.assertIn("Europe/Vienna", zones)
        self.page.fill("Time zone", "europe/vienna")
        self.page.leave_by("Save")
        self.assertIn("Europe/Vienna", self.page.text("#airport dl"))

    def test_several_tags_are_typed_at_once_with_commas_between_them(self):
        self.page.open_live("/airports/BIBD/edit")
        self.page.fill("Tags", "grass, scenic ,short")
        self.page.leave_by("Save")
        self.assertEqual(
            [tag.text for tag in self.page.all(".tags li")], ["grass", "scenic", "short"])
        self.page.wait_live()
        self.page.leave_by("Edit")
        boxes = [box.get_attribute("value") for box in self.page.all("input[name=tags]")]
        self.assertEqual([text for text in boxes if text], ["grass", "scenic", "short"])

    def test_the_address_of_a_former_code_leads_to_the_airport(self):
        self.page.open_live("/airports/BIBD/edit")
        self.page.fill("ICAO code", "bibx")
        self.page.leave_by("Save")
        self.assertEqual(self.page.path, "/airports/BIBX?saved")
        for path in ["/airports/BIBD", "/airports/bibd"]:
            self.page.open(path)
            self.assertEqual(self.page.path, "/airports/BIBX")
        self.page.open("/airports/BIBD/edit")
        self.assertTrue(self.page.path.startswith("/airports/BIBX/edit"), self.page.path)
