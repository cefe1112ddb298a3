"""Every state of a screen, seen through the panel of faults."""

from support.case import BrowserCase
from support.looks import dots

UNAVAILABLE = "503 (Service Unavailable)"


class StateTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.panel = self.window()
        self.page = self.window()

    def test_the_panel_switches_faults_on_and_off_and_every_page_says_so(self):
        self.faults(self.panel, latency=5, next_page=True)
        self.page.open("/")
        self.page.wait_text(".banner.warning", "Faults are switched on.")
        self.page.leave_by("Look at them")
        self.assertTrue(self.page.labelled("The next page fails").is_selected())
        self.assertEqual(self.page.labelled("Latency").get_attribute("value"), "5")
        self.page.fill("Latency", "6000")
        self.page.leave_by("Save")
        self.expect_complaint("422")
        self.assertEqual(
            self.page.focused.get_attribute("id"),
            self.page.labelled("Latency").get_attribute("id"))
        self.assertNotEqual(self.page.issues("Latency"), "")
        self.page.leave_by("Switch everything off")
        self.assertEqual(self.page.all(".banner.warning"), [])
        self.assertFalse(self.page.labelled("The next page fails").is_selected())

    def test_no_results_says_what_to_try_and_gives_way_to_results(self):
        self.page.open_live("/")
        self.page.find("#q").send_keys("qqqq")
        self.page.wait_text("#results .screen-noResults", "No airport matches.")
        self.page.wait_text("#count", "0 airports for “qqqq”")
        self.keep(self.page, "state-no-results")
        self.page.find("#q").clear()
        self.page.find("#q").send_keys("vienna")
        self.page.wait_text("#rows", "Vienna")

    def test_searches_that_find_nothing_can_be_tried_again_in_place(self):
        self.page.open_live("/")
        self.faults(self.panel, nothing=True)
        self.page.find("#q").send_keys("vienna")
        self.page.wait_text("#results .screen-noResults", "No airport matches.")
        self.faults(self.panel)
        self._try_again_in_place()
        self.page.wait_text("#rows", "Vienna")

    def test_an_error_is_told_and_trying_again_shows_that_it_is_loading(self):
        self.expect_complaint(UNAVAILABLE)
        self.faults(self.panel, offline=True)
        self.page.open_live("/")
        self.page.wait_text("#results .screen-error", "The airports could not be loaded.")
        self.page.wait_text("#results .screen-error", "“Offline” is switched on")
        self.keep(self.page, "state-error")
        self.faults(self.panel, latency=5_000)
        self._try_again_in_place()
        self.page.wait_text("#results .screen-loading", "Loading airports…")
        self.assertEqual(
            self.page.find("#results .screen").get_attribute("aria-busy"), "true")
        self.assertEqual(
            self.page.script("return document.activeElement.id"), "results",
            "what was clicked is gone, and the focus with it")
        self.keep(self.page, "state-loading")
        self.page.wait_rows(50)
        self.assertEqual(self.page.text("#count"), "28,298 airports, by name")

    def test_a_map_that_could_not_be_loaded_comes_with_the_list(self):
        self.expect_complaint(UNAVAILABLE)
        self.faults(self.panel, offline=True)
        self.page.open_live("/?q=vienna")
        self.page.wait_text("#results .screen-error", "could not be loaded")
        self.faults(self.panel)
        self._try_again_in_place()
        self.page.wait_text("#rows", "Vienna")
        self.page.wait(
            lambda: "World map with 0 airports" not in
            self.page.find("#map canvas").get_attribute("aria-label"), "the map stays empty")
        self.page.wait(lambda: dots(self.page) > 0, "no dot is drawn")

    def test_a_refresh_leaves_the_list_and_says_that_it_is_searching(self):
        self.page.open_live("/?q=vienna")
        rows = len(self.page.all("#rows tr"))
        self.faults(self.panel, latency=5_000)
        self.page.find("#q").send_keys(" austria")
        self.page.wait_text("#count", "Searching…")
        self.assertEqual(len(self.page.all("#rows tr")), rows)
        self.keep(self.page, "state-refreshing")
        self.page.wait_text("#count", "for “vienna austria”")

    def test_a_failed_refresh_keeps_the_list_and_can_be_tried_again(self):
        self.page.open_live("/?q=vienna")
        rows = len(self.page.all("#rows tr"))
        self.faults(self.panel, offline=True)
        self.page.find("#q").send_keys(" austria")
        self.page.wait_text("#results .screen-error", "The airports could not be loaded.")
        self.assertEqual(len(self.page.all("#rows tr")), rows)
        self.keep(self.page, "state-refresh-failed")
        self.faults(self.panel)
        self._try_again_in_place()
        self.page.wait_text("#count", "for “vienna austria”")
        self.assertEqual(self.page.all("#results .screen-error"), [])

    def test_a_failing_next_page_is_told_below_the_list_and_can_be_tried_again(self):
        self.page.open_live("/?q=vienna")
        self.faults(self.panel, next_page=True)
        self.page.open_live("/")
        self.page.wait_rows(50)
        self._scroll_to_end()
        self.page.wait_text("#more .screen-error", "The next airports could not be loaded.")
        self.assertEqual(len(self.page.all("#rows tr")), 50)
        self._scroll_to_end()
        self.keep(self.page, "state-next-page-failed")
        self.faults(self.panel)
        self.page.click_text("Try again", "button")
        self.page.wait(
            lambda: len(self.page.all("#rows tr")) >= 100, "no more rows came")

    def test_the_list_grows_as_its_end_comes_into_view_and_says_when_that_was_all(self):
        self.page.open_live("/?country=AT&kind=icao")
        self.page.wait(lambda: self.page.text("#count")[:1].isdigit(), "nothing was found")
        total = int(self.page.text("#count").split()[0].replace(",", ""))
        self.assertGreater(total, 50)
        self._scroll_to_end()
        self.page.wait_rows(total)
        self.page.wait_text("#shown", f"That is all: {total} airports.")

    def test_rows_that_come_later_are_told_in_a_few_words_and_not_read_out_whole(self):
        self.page.open_live("/")
        self.page.wait_text("#shown", "50 of 28,298 airports shown")
        # What is added where somebody listens is read out to them.
        self.page.script("""
            window.heard = [];
            const listening = "[aria-live=polite], [aria-live=assertive], [role=status], " +
              "[role=alert], [role=log]";
            new MutationObserver((changes) => {
              for (const { target, addedNodes } of changes) {
                const region = (target.closest ? target : target.parentElement).closest(listening);
                if (!region) continue;
                for (const node of addedNodes) window.heard.push(node.textContent);
              }
            }).observe(document.body, { childList: true, characterData: true, subtree: true });
            """)
        self._scroll_to_end()
        self.page.wait(lambda: len(self.page.all("#rows tr")) >= 100, "no more rows came")
        self.page.wait_text("#shown", "of 28,298 airports shown")
        heard = self.page.wait(
            lambda: self.page.script("return window.heard"), "nothing is told of the new rows")
        self.assertIn("100 of 28,298 airports shown", heard)
        for text in heard:
            self.assertRegex(text, r"^\d+ of 28,298 airports shown$")

    def test_a_failing_save_keeps_what_was_typed_until_it_can_be_saved(self):
        self.faults(self.panel, save=True)
        self.page.open_live("/airports/LOWW/edit")
        self.page.fill("City", "Wien")
        self.page.leave_by("Save")
        self.expect_complaint("422")
        self.page.wait_text("#notice [role=alert]", "It was not saved.")
        self.assertEqual(self.page.labelled("City").get_attribute("value"), "Wien")
        self.keep(self.page, "state-save-failed")
        self.faults(self.panel)
        self.page.leave_by("Save")
        self.assertEqual(self.page.text(".note"), "Saved.")
        self.assertIn("Wien", self.page.text("#airport"))

    def test_a_page_that_can_not_be_read_says_so_and_leads_back(self):
        self.expect_complaint(UNAVAILABLE)
        self.faults(self.panel, offline=True)
        self.page.open("/airports/LOWW")
        self.assertEqual(self.page.text("h1"), "The directory can’t be read")
        self.page.wait_text(".banner.warning", "Faults are switched on.")
        self.keep(self.page, "state-unreachable")
        self.faults(self.panel)
        self.page.leave_by("Try again")
        self.assertEqual(self.page.text("h1"), "Vienna International Airport")

    def test_an_address_that_leads_nowhere_says_so(self):
        self.expect_complaint("404 (Not Found)")
        for path in ["/airports/NONE", "/nothing", "/airports/LOWW/nothing"]:
            self.page.open(path)
            self.assertEqual(self.page.text("h1"), "Not found", path)
        self.page.leave_by("See all airports")
        self.page.wait_rows(50)

    def _scroll_to_end(self):
        self.page.script("scrollTo(0, document.body.scrollHeight)")

    def _try_again_in_place(self):
        """Tries again, on the same page: whatever else is in it stays."""
        self.page.script("document.body.dataset.stayed = 'true'")
        self.page.click_text("Try again", "a")
        self.page.wait(
            lambda: not self.page.all("#results .screen-retry"), "trying again did nothing")
        self.assertEqual(self.page.script("return document.body.dataset.stayed"), "true")
