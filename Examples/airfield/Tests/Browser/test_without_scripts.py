"""Everything again with scripts switched off: links, forms and pages."""

from support.case import BrowserCase


class WithoutScriptsTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.page = self.window()
        self.page.scripts_off()
        self.page.open("/")

    def test_no_script_runs_here(self):
        self.assertEqual(self.page.all("html.scripted"), [])
        self.assertEqual(self.page.all("canvas"), [])

    def test_the_list_goes_on_by_links(self):
        self.assertEqual(len(self.page.all("#rows tr")), 50)
        first = self.page.text("#rows")
        self.page.leave_by("Next")
        self.assertEqual(self.page.path, "/?page=2")
        self.assertNotEqual(self.page.text("#rows"), first)
        self.assertEqual(self.page.text(".pages a[aria-current=page]"), "2")
        self.page.leave_by("566")
        self.assertEqual(len(self.page.all("#rows tr")), 28_298 - 565 * 50)
        self.page.leave_by("Previous")
        self.page.leave_by("1")
        self.assertEqual(self.page.text("#rows"), first)

    def test_a_search_and_its_filters_are_sent_by_a_button(self):
        self.page.find("#q").send_keys("vienna")
        self.page.leave_by("Search")
        self.assertIn("for “vienna”", self.page.text("#count"))
        self.page.fill("Country", "Austria (55)")
        self.page.leave_by("Filter")
        self.assertEqual(self.page.path, "/?q=vienna&country=AT&kind=&sort=")
        self.assertEqual(self.page.find("#q").get_attribute("value"), "vienna")
        self.assertIn("Vienna International Airport", self.page.text("#rows"))

    def test_the_map_is_a_picture(self):
        picture = self.page.find("#map img")
        self.page.script("arguments[0].scrollIntoView()", picture)
        self.page.wait(
            lambda: picture.get_property("complete") and picture.get_property("naturalWidth") > 0,
            "the picture never came")
        self.assertEqual(
            picture.get_attribute("alt"),
            "World map with 28,298 airports; the list has them all.")

    def test_an_airport_is_edited_with_its_mistakes_its_tags_and_its_history(self):
        self.page.open("/airports/BIBD")
        self.page.leave_by("Edit")
        self.page.fill("IATA code", "TOO LONG")
        self.page.fill("City", "Bildudalur")
        self.page.leave_by("Save")
        self.expect_complaint("422")
        self.assertIn("three of A–Z and 0–9", self.page.issues("IATA code"))
        self.assertEqual(
            self.page.focused.get_attribute("id"),
            self.page.labelled("IATA code").get_attribute("id"))
        self.assertEqual(self.page.labelled("City").get_attribute("value"), "Bildudalur")
        self.keep(self.page, "without-scripts-mistake")

        self.page.fill("IATA code", "BIU")
        self._add_tag("gravel")
        self._add_tag("fjord")
        self.assertEqual(self._tags(), ["gravel", "fjord", ""])
        self.page.leave_by("Undo")
        self.assertEqual(self._tags(), ["gravel", ""])
        self.page.leave_by("Redo")
        self.assertEqual(self._tags(), ["gravel", "fjord", ""])
        self.page.leave_by("Save")
        self.assertEqual(self.page.text(".note"), "Saved.")
        self.assertEqual(self.page.text(".tags").split(), ["gravel", "fjord"])

        self.page.leave_by("Edit")
        self.page.wait(lambda: self.page.labelled("Tags").clear() or True, "no tag")
        self.page.leave_by("Save")
        self.assertEqual(self.page.text(".tags").split(), ["fjord"])
        self.page.open("/?q=fjord+bildudalur")
        self.assertIn("1 airport for", self.page.text("#count"))

    def test_settings_and_faults_are_forms(self):
        self.page.leave_by("Settings")
        self.page.fill("Airports on a page", "25")
        self.page.leave_by("Save")
        self.page.leave_by("Faults")
        self.page.tick("Searches find nothing", True)
        self.page.leave_by("Save")
        self.page.open("/")
        self.assertIn("There are no airports yet.", self.page.text("#results"))
        self.page.leave_by("Look at them")
        self.page.leave_by("Switch everything off")
        self.page.open("/")
        self.assertEqual(len(self.page.all("#rows tr")), 25)

    def test_an_error_can_be_tried_again_by_a_link(self):
        self.expect_complaint("503")
        self.page.leave_by("Faults")
        self.page.tick("Offline", True)
        self.page.leave_by("Save")
        self.page.open("/?q=vienna")
        self.assertIn("could not be loaded", self.page.text("#results .screen-error"))
        panel = self.window()
        self.faults(panel)
        self.page.leave_by("Try again")
        self.assertIn("for “vienna”", self.page.text("#count"))

    def _tags(self):
        return [box.get_attribute("value") for box in self.page.all("input[name=tags]")]

    def _add_tag(self, text):
        """Types a tag into the empty box, and saves nothing: going back and forth in the history
        sends the form, and gives another box."""
        self.page.all("input[name=tags]")[-1].send_keys(text)
        self.page.leave_by("Undo")
        self.page.leave_by("Redo")
