"""Two windows on the same directory."""

from selenium.webdriver.common.keys import Keys

from support.case import BrowserCase


class TwoWindowTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.mine = self.window()
        self.theirs = self.window()

    def _they_save(self, city):
        self.theirs.open_live("/airports/LOWW/edit")
        self.theirs.fill("City", city)
        self.theirs.leave_by("Save")
        self.theirs.wait_text(".note", "Saved.")

    def test_a_list_follows_what_is_saved_elsewhere(self):
        self.mine.open_live("/?q=vienna")
        row = self.mine.text("#a-LOWW")
        self.assertNotIn("Wien", row)
        self._they_save("Wien")
        self.mine.wait_text("#a-LOWW", "Wien")
        self.assertIn("fresh", self.mine.find("#a-LOWW").get_attribute("class"))

    def test_a_map_follows_what_is_saved_elsewhere(self):
        loads = """
            return performance.getEntriesByType("resource")
              .filter((entry) => entry.name.includes("/map.txt")).length"""
        self.mine.open_live("/?q=vienna")
        self.mine.wait(lambda: self.mine.script(loads) == 1, "the map has no airports")
        self._they_save("Wien")
        self.mine.wait_text("#a-LOWW", "Wien")
        self.mine.wait(lambda: self.mine.script(loads) == 2, "the map does not follow")

    def test_a_map_that_could_not_be_loaded_again_keeps_its_view(self):
        self.mine.open_live("/?q=vienna")
        self.mine.find("[aria-label='Zoom in']").click()
        self.mine.wait(lambda: "map=" in self.mine.path, "the address says nothing")
        path = self.mine.path
        self.mine.script("""
            const real = window.fetch;
            Object.assign(window, { isDown: true, failures: 0, loads: 0 });
            window.fetch = async (address, ...rest) => {
              if (!String(address).includes("/map.txt")) return real(address, ...rest);
              if (window.isDown) {
                window.failures += 1;
                throw new TypeError("down");
              }
              const answer = await real(address, ...rest);
              const text = await answer.text();
              // Counted once whoever asks has taken it.
              setTimeout(() => { window.loads += 1; });
              return { ok: answer.ok, text: async () => text };
            };""")
        self._they_save("Wien")
        self.mine.wait(lambda: self.mine.script("return failures") == 1, "nothing was loaded")
        self.mine.script("isDown = false")
        self._they_save("Beč")
        self.mine.wait(lambda: self.mine.script("return loads") == 1, "the map does not follow")
        self.assertEqual(self.mine.path, path)

    def test_a_list_follows_what_the_command_imports(self):
        self.mine.open_live("/?q=vienna")
        self.mine.wait_text("#a-LOWW", "Vienna")
        self.server.import_by_command(
            "icao,name,country,lat,lon,tz\nLOWW,Flughafen Vienna,AT,48.11,16.57,Europe/Vienna\n")
        self.mine.wait_text("#a-LOWW", "Flughafen")

    def test_the_page_of_an_airport_follows_what_is_saved_elsewhere(self):
        self.mine.open_live("/airports/LOWW")
        self._they_save("Wien")
        self.mine.wait_text("#airport", "Wien")

    def test_an_airport_that_is_added_elsewhere_is_found(self):
        self.mine.open_live("/?q=zyxwvut")
        self.mine.wait_text("#count", "0 airports")
        self.theirs.open_live("/new")
        for label, text in [
                ("ICAO code", "ZZQY"), ("Name", "Zyxwvut Field"), ("Country", "Austria"),
                ("Latitude", "48.1"), ("Longitude", "16.5"), ("Time zone", "Europe/Vienna")]:
            self.theirs.fill(label, text)
        self.theirs.leave_by("Save")
        self.mine.wait_text("#rows", "Zyxwvut Field")
        self.mine.wait_text("#count", "1 airport")

    def test_an_untouched_edit_shows_what_is_saved_elsewhere(self):
        self.mine.open_live("/airports/LOWW/edit")
        self._they_save("Wien")
        self.mine.wait(
            lambda: self.mine.labelled("City").get_attribute("value") == "Wien",
            "the form still shows what is no longer so")
        self.mine.leave_by("Save")
        self.mine.wait_text(".note", "Saved.")
        self.assertIn("Wien", self.mine.text("#airport"))

    def test_an_edit_without_scripts_does_not_undo_what_is_saved_elsewhere(self):
        self.mine.scripts_off()
        self.mine.open("/airports/LOWW/edit")
        self._they_save("Wien")
        self.expect_complaint("422")
        self.mine.leave_by("Save")
        self.assertIn("Somebody else has saved this airport", self.mine.text("#notice"))
        self.mine.leave_by("Take theirs (LOWW)")
        self.assertEqual(self.mine.labelled("City").get_attribute("value"), "Wien")

    def test_what_is_being_typed_is_not_replaced_by_what_is_saved_elsewhere(self):
        self.mine.open_live("/airports/LOWW/edit")
        # The field is not left, so that the server knows nothing of it yet.
        self.mine.labelled("Region").send_keys(" and around")
        self._they_save("Wien")
        self.expect_complaint("422")
        self.mine.leave_by("Save")
        self.assertEqual(
            self.mine.labelled("Region").get_attribute("value"), "Lower-Austria and around")
        self.assertIn("theirs: Wien", self.mine.text(".differences"))

    def test_a_conflict_shows_both_sides_and_keeps_the_edits_of_whoever_says_so(self):
        self._make_conflict()
        differences = self.mine.text(".differences")
        for part in ["City", "yours: Vindobona", "theirs: Wien"]:
            self.assertIn(part, differences)
        self.keep(self.mine, "state-conflict")
        self.mine.leave_by("Keep my edits")
        self.assertEqual(self.mine.labelled("City").get_attribute("value"), "Vindobona")
        self.assertEqual(self.mine.text("#notice"), "")
        self.mine.leave_by("Save")
        self.mine.wait_text(".note", "Saved.")
        self.theirs.wait_text("#airport", "Vindobona")

    def test_a_conflict_gives_way_to_the_edits_of_others_where_they_are_taken(self):
        self._make_conflict()
        self.mine.leave_by("Take theirs (LOWW)")
        self.assertEqual(self.mine.labelled("City").get_attribute("value"), "Wien")
        self.assertEqual(self.mine.text("#notice"), "")

    def test_a_save_in_spite_of_a_conflict_is_refused(self):
        self._make_conflict()
        self.expect_complaint("422")
        self.mine.leave_by("Save")
        self.mine.wait_text("#notice", "Somebody else has saved this airport meanwhile.")
        self.mine.open("/airports/LOWW")
        self.assertIn("Wien", self.mine.text("#airport"))

    def test_enter_chooses_nothing_in_a_conflict(self):
        self._make_conflict()
        self.mine.labelled("City").click()
        self.expect_complaint("422")
        self.mine.leave_by_keys(Keys.ENTER)
        self.assertIn("Somebody else has saved this airport", self.mine.text("#notice"))

    def _make_conflict(self):
        self.mine.open_live("/airports/LOWW/edit")
        self.mine.fill("City", "Vindobona")
        self.mine.labelled("Name").click()
        # The server knows of the edit once there is something to undo.
        self.mine.wait(
            lambda: not self.mine.find("[value=undo]").get_attribute("data-off"),
            "the edit never came to the server")
        self._they_save("Wien")
        self.mine.wait_text("#notice", "Somebody else has saved this airport meanwhile.")

    def test_the_focus_stays_where_it_is_when_something_is_replaced(self):
        self.mine.open_live("/?q=vienna")
        self.mine.script("document.querySelector('#a-LOWW a').focus()")
        self._they_save("Wien")
        self.mine.wait_text("#a-LOWW", "Wien")
        self.assertEqual(
            self.mine.script("return document.activeElement.closest('tr')?.id"), "a-LOWW")

    def test_what_is_pressed_stays_until_it_is_let_go(self):
        self.mine.open_live("/airports/LOWW")
        edit = self.mine.find("#airport .button")
        self.mine.actions().click_and_hold(edit).perform()
        self._they_save("Wien")
        self.mine.actions().release().perform()
        self.mine.wait(lambda: self.mine.path.endswith("/edit"), "the click was lost")
