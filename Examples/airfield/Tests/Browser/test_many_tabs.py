"""Many tabs of one window, of which one is seen at a time."""

from support.case import BrowserCase, Shared

# Browsers open six connections to a server, and everything else waits for one of them.
TABS = 8

# What a page that waits without end is given up after, in seconds; the driver waits for 300.
LOADING = 180

WATCH = """
    window.seen = [];
    document.addEventListener("visibilitychange", () => seen.push(document.visibilityState));
    """


class ManyTabsTests(BrowserCase):
    def setUp(self):
        super().setUp()
        Shared.driver().set_page_load_timeout(LOADING)
        Shared.driver().set_script_timeout(LOADING)

    def _watched(self, path):
        tab = self.tab()
        tab.open_live(path)
        tab.script(WATCH)
        return tab

    def _assert_was_hidden(self, tab):
        """That the browser has told the page, without which these tests would show nothing."""
        self.assertEqual(tab.script("return window.seen"), ["hidden", "visible"])

    def test_the_last_of_many_tabs_loads_and_acts_and_the_first_is_up_to_date_when_shown(self):
        first = self._watched("/?q=vienna")
        for _ in range(TABS - 2):
            self._watched("/airports/LOWW")
        last = self._watched("/")
        last.find("#q").send_keys("vienna")
        last.wait_text("#count", "for “vienna”")
        last.open_live("/airports/LOWW/edit")
        last.fill("City", "Wien")
        last.leave_by("Save")
        last.wait_text(".note", "Saved.")
        first.wait_text("#a-LOWW", "Wien")
        self._assert_was_hidden(first)
        first.find("#q").send_keys(" austria")
        first.wait_text("#count", "for “vienna austria”")

    def _they_save(self, city):
        theirs = self.tab()
        theirs.open_live("/airports/LOWW/edit")
        theirs.fill("City", city)
        theirs.leave_by("Save")
        theirs.wait_text(".note", "Saved.")
        return theirs

    def test_an_airport_that_is_shown_again_is_up_to_date(self):
        mine = self._watched("/airports/LOWW")
        self._they_save("Wien")
        mine.wait_text("#airport", "Wien")
        self._assert_was_hidden(mine)

    def test_an_untouched_edit_that_is_shown_again_is_up_to_date_and_can_be_saved(self):
        mine = self._watched("/airports/LOWW/edit")
        self._they_save("Wien")
        mine.wait(
            lambda: mine.labelled("City").get_attribute("value") == "Wien",
            "the form still shows what is no longer so")
        self._assert_was_hidden(mine)
        mine.fill("City", "Vindobona")
        mine.leave_by("Save")
        mine.wait_text(".note", "Saved.")
        self.assertIn("Vindobona", mine.text("#airport"))

    def test_an_edit_that_is_shown_again_tells_of_a_conflict(self):
        mine = self._watched("/airports/LOWW/edit")
        mine.fill("City", "Vindobona")
        mine.labelled("Name").click()
        mine.wait(
            lambda: not mine.find("[value=undo]").get_attribute("data-off"),
            "the edit never came to the server")
        self._they_save("Wien")
        mine.wait_text("#notice", "Somebody else has saved this airport meanwhile.")
        self._assert_was_hidden(mine)
        self.assertEqual(mine.labelled("City").get_attribute("value"), "Vindobona")

    def test_a_list_that_was_forgotten_while_it_was_hidden_is_as_long_as_before(self):
        mine = self._watched("/")
        mine.wait_rows(50)
        mine.wait(lambda: mine.all("#more button"), "the list never became one that grows")
        for count in range(100, 301, 50):
            mine.script("document.querySelector('#more').scrollIntoView()")
            mine.wait(
                lambda: len(mine.all("#rows tr")) >= count, "the list never became a long one")
        mine.script("document.querySelector('#rows tr:nth-child(240)').scrollIntoView()")
        # What takes its place when it is shown has no such sign.
        mine.script("document.querySelector('#rows').dataset.sign = 'old'")
        place = "return [scrollY, document.querySelector('#rows tr:nth-child(240)')?.id]"
        before = mine.script(place)
        other = self.tab()
        other.open_live("/settings")
        # A server that is started anew remembers nobody, as one does after a while.
        self.expected_complaints += [
            "ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED", "ERR_CONNECTION_RESET",
            "ERR_EMPTY_RESPONSE"]
        self.server.kill()
        self.server.start()
        other.wait_live()
        mine.wait(lambda: not mine.all("#rows[data-sign]"), "the list was never sent anew")
        self.assertEqual(mine.script(place), before)

    def test_a_page_one_goes_back_to_is_live_again(self):
        mine = self.tab()
        mine.open_live("/airports/LOWW")
        mine.open_live("/settings")
        mine.front().back()
        mine.wait_live()
        self._they_save("Wien")
        mine.wait_text("#airport", "Wien")
