"""The road of somebody who has never seen airfield."""

from support.case import BrowserCase


class NewcomerTests(BrowserCase):
    def test_a_newcomer_finds_an_airport_mends_a_mistake_and_saves_it(self):
        window = self.window()
        window.open("/")
        self.assertEqual(window.text("h1"), "Airports of the world")
        self.assertEqual(window.text("#count"), "28,298 airports, by name")
        window.wait_rows(50)
        window.wait_live()

        window.find("#q").send_keys("bildudalur")
        window.wait_text("#count", "1 airport for “bildudalur”")
        window.wait_rows(1)
        self.assertEqual(window.path, "/?q=bildudalur")
        self.keep(window, "newcomer-1-found")

        window.leave_by("Bíldudalur Airport")
        self.assertEqual(window.path, "/airports/BIBD")
        self.assertEqual(window.text("h1"), "Bíldudalur Airport")
        self.keep(window, "newcomer-2-airport")

        window.wait_live()
        window.leave_by("Edit")
        self.assertEqual(window.text("h1"), "Edit an airport")
        window.wait_live()
        window.fill("City", "Bíldudalsvogur")
        window.fill("IATA code", "TOO LONG")
        window.labelled("Name").click()
        window.wait(
            lambda: "three of A–Z and 0–9" in window.issues("IATA code"),
            "the mistake is not told as the field is left")
        self.assertEqual(window.labelled("IATA code").get_attribute("aria-invalid"), "true")

        window.leave_by("Save")
        self.assertEqual(window.text("h1"), "Edit an airport")
        self.assertEqual(
            window.focused.get_attribute("id"), window.labelled("IATA code").get_attribute("id"))
        self.assertIn("IATA code", window.text(".form-announcement"))
        self.keep(window, "newcomer-3-mistake")
        self.expect_complaint("422 (Unprocessable Content)")

        window.wait_live()
        window.fill("IATA code", "biu")
        window.labelled("Name").click()
        window.wait(lambda: not window.issues("IATA code"), "the mended mistake is still told")
        window.leave_by("Save")
        self.assertEqual(window.text(".note"), "Saved.")
        self.assertIn("Bíldudalsvogur", window.text("#airport"))
        self.assertIn("BIU", window.text("#airport dl"))
        self.keep(window, "newcomer-4-saved")

        # The way back leads to what was searched for.
        window.leave_by("Back to the list")
        window.wait_live()
        find = window.find("#q")
        self.assertTrue(find.get_property("value"))
        find.clear()
        find.send_keys("bíldudalsvogur")
        window.wait_text("#count", "1 airport for")
        self.assertIn("BIU", window.text("#a-BIBD"))

    def test_what_was_searched_for_is_there_again_on_the_way_back(self):
        window = self.window()
        window.open_live("/")
        window.find("#q").send_keys("reykjavik")
        window.wait_text("#count", "for “reykjavik”")
        found = window.text("#count")
        window.wait(lambda: window.find("#rows a").click() or True, "no row can be clicked")
        window.wait(lambda: window.path.startswith("/airports/"), "the row led nowhere")
        window.front().back()
        window.wait_text("#count", found)
        self.assertEqual(window.find("#q").get_attribute("value"), "reykjavik")

    def test_filters_narrow_the_list_at_once_and_can_be_taken_off(self):
        window = self.window()
        window.open_live("/")
        window.fill("Country", "Iceland (79)")
        window.wait_text("#count", "79 airports")
        window.fill("Codes", "With an IATA code")
        window.wait(lambda: "79" not in window.text("#count"), "the second filter did nothing")
        self.assertEqual(window.path, "/?country=IS&kind=iata")
        window.wait(
            lambda: all("Iceland" in row.text for row in window.all("#rows tr")),
            "the list is not of Iceland alone")
        window.leave_by("Show all")
        window.wait_text("#count", "28,298 airports")

    def test_a_new_airport_is_added_and_a_taken_code_is_told_as_it_is_typed(self):
        window = self.window()
        window.open_live("/")
        window.leave_by("Add")
        window.wait_live()
        window.fill("ICAO code", "LOWW")
        window.labelled("Name").click()
        window.wait(
            lambda: "is taken by another airport" in window.issues("ICAO code"),
            "that the code is taken is not told")
        for label, text in [
                ("ICAO code", "zzqx"), ("Name", "Newcomer’s Field"), ("City", "Nowhere"),
                ("Country", "Austria"), ("Latitude", "48.1"), ("Longitude", "16.5"),
                ("Time zone", "Europe/Vienna"), ("Tags", "grass, scenic")]:
            window.fill(label, text)
        # Another box is there for the next one.
        self.assertEqual(len(window.all("input[name=tags]")), 2)
        window.all("input[name=tags]")[1].send_keys("long")
        self.assertEqual(len(window.all("input[name=tags]")), 3)
        window.leave_by("Save")
        self.assertEqual(window.path, "/airports/ZZQX?saved")
        self.assertEqual(window.text("h1"), "Newcomer’s Field")
        self.assertEqual(window.text(".tags").split(), ["grass", "scenic", "long"])

    def test_an_airport_is_deleted_and_comes_back_and_other_tabs_follow(self):
        self.expect_complaint("status of 410")
        other = self.window()
        other.open_live("/?q=bildudalur")
        other.wait_text("#rows", "Bíldudalur")
        window = self.window()
        window.open_live("/airports/BIBD")
        window.leave_by("Delete")
        self.assertIn("BIBD was deleted.", window.text("#airport"))
        self.assertEqual(window.path, "/airports/BIBD")
        other.wait_text("#results", "No airport matches.")
        window.leave_by("Undo")
        window.wait_text("#airport", "Coordinates")
        other.wait_text("#rows", "Bíldudalur")

    def test_the_list_is_sorted_by_a_column_and_goes_on_in_that_order(self):
        window = self.window()
        window.open_live("/?country=IS")
        window.fill("Sorted by", "City")
        window.wait_text("thead [aria-sort=ascending]", "City")
        self.assertEqual(window.path, "/?country=IS&sort=city")
        first = window.text("#rows tr")
        window.leave_by("City")
        window.wait_live()
        window.wait_text("thead [aria-sort=descending]", "City")
        self.assertNotEqual(window.text("#rows tr"), first)
        window.find("#q").send_keys("airport")
        window.wait_text("#count", "for “airport”")
        self.assertEqual(window.path, "/?q=airport&country=IS&sort=-city")
        cities = [city.text.casefold() for city in window.all("#rows .city") if city.text]
        self.assertGreater(len(cities), 5)
        self.assertGreater(cities[0], cities[-1])

    def test_settings_hold_on_every_page(self):
        window = self.window()
        window.theme("light")
        window.open_live("/settings")
        window.fill("Colours", "Dark")
        window.fill("Airports on a page", "25")
        window.fill("Heights", "Metres")
        window.leave_by("Save")
        window.wait_text(".note", "Saved.")
        window.open("/")
        window.wait_rows(25)
        self.assertEqual(
            window.script("return getComputedStyle(document.body).backgroundColor"),
            "rgb(20, 22, 26)")
        window.open("/airports/LOWW")
        window.wait_text("dl", "183 m (600 ft)")
