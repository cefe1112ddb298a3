"""A file that is imported in the page: its road, its states, and its server killed meanwhile."""

import urllib.request

from support import files, looks, pages
from support.case import BrowserCase
from test_connection import LOST

UNAVAILABLE = "503 (Service Unavailable)"


class ImportTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.page = self.window()

    def _counts(self):
        names = [name.text for name in self.page.all("#import-progress dt")]
        return dict(zip(names, [number.text for number in self.page.all("#import-progress dd")]))

    def test_a_file_is_imported_and_its_rejected_rows_are_shown_with_line_and_reason(self):
        pages.import_finished(self.page)
        self.assertEqual(self._counts()["Rejected"], "40")
        rows = [row.text.split(maxsplit=1) for row in self.page.all("#import-rejects tbody tr")]
        self.assertEqual(len(rows), 40)
        self.assertIn(["14", "iata “KE” is not three of A-Z and 0-9"], rows)
        link = self.page.find("#import-rejects a").get_attribute("href")
        with urllib.request.urlopen(link) as answer:
            self.assertEqual(len(answer.read().splitlines()), 41)
        # Another one can be imported at once.
        self.assertTrue(self.page.find("#import-form").is_displayed())
        self.page.leave_by("See the airports")
        self.assertEqual(self.page.text("h1"), "Airports of the world")

    def test_an_import_is_followed_in_every_window_and_a_list_follows_at_its_end(self):
        other, listed = self.window(), self.window()
        other.open_live("/import")
        listed.open_live("/?q=qaaa")
        # Those whose words are nearly the same, as long as there is none of that code.
        listed.wait_text("#count", "airports for")
        pages.import_running(self.page)
        # While one is under way there is no place for another.
        self.assertFalse(self.page.find("#import-form").is_displayed())
        other.wait_text("#import-head h2", "Importing long.csv…")
        other.click_text("Cancel")
        for window in [self.page, other]:
            window.wait_text("#import-head h2", "long.csv was cancelled")
        listed.wait_text("#count", "1 airport for")

    def test_a_cancelled_import_goes_on_and_is_given_up(self):
        pages.import_cancelled(self.page)
        read = int(self._counts()["Rows read"].replace(",", ""))
        self.page.click_text("Go on")
        self.page.wait_text("#import-head h2", "Importing long.csv…")
        self.page.wait(
            lambda: int(self._counts()["Rows read"].replace(",", "")) > read, "it never went on")
        pages.import_nothing(self.page)
        self.assertEqual(self.page.text("#import-head"), "")
        self.assertTrue(self.page.find("#import-form").is_displayed())

    def test_an_import_goes_on_when_the_server_was_killed(self):
        pages.import_running(self.page)
        self.expected_complaints += LOST
        self.server.kill()
        self.page.wait_text("#connection", "The connection to the server is lost.")
        read = int(self._counts()["Rows read"].replace(",", ""))
        self.server.start()
        self.page.wait(
            lambda: int(self._counts()["Rows read"].replace(",", "")) > read,
            "it never went on by itself")
        self.assertEqual(self.page.text("#import-head h2"), "Importing long.csv…")

    def test_a_file_is_dropped_anywhere_on_the_page(self):
        self.page.open_live("/import")
        self.page.script("""
            const data = new DataTransfer();
            data.items.add(new File([arguments[0]], "dropped.csv", { type: "text/csv" }));
            for (const kind of ["dragenter", "dragover", "drop"]) {
              document.querySelector("h1").dispatchEvent(new DragEvent(
                kind, { dataTransfer: data, bubbles: true, cancelable: true }));
            }
            """, files.FAULTS.read_text(encoding="utf-8", errors="replace"))
        self.page.wait_text("#import-head h2", "dropped.csv is imported")

    def test_a_file_that_is_no_list_of_airports_says_so_and_another_can_be_taken(self):
        pages.import_refused(self.page)
        self.assertIn("not a CSV file of airports", self.page.text("#import-head"))
        pages.send(self.page, files.FAULTS)
        self.page.wait_text("#import-head h2", "faults.csv is imported")

    def _preview_and_decide(self, page):
        listed = self.window()
        page.wait_text("#import-head h2", "Preview of changes.csv")
        names = [name.text for name in page.all("#import-progress .import-counts dt")]
        numbers = [number.text for number in page.all("#import-progress .import-counts dd")]
        counts = dict(zip(names, numbers))
        self.assertEqual((counts["New"], counts["Changed"]), ("1", "2"))
        facts = [fact.text.split("\n") for fact in page.all("#import-progress .facts > div")]
        self.assertIn(["Name", "changed in 1 airport"], facts)
        self.assertIn(["City", "cleared in 1 airport"], facts)
        page.wait_text("#import-rejects", "Bíldudalur Airport becomes Bíldudalur Field")
        self.assertFalse(page.find("#import-form").is_displayed())
        listed.open("/airports/BIBD")
        self.assertEqual(listed.text("h1"), "Bíldudalur Airport")
        page.click_text("Discard", "button")
        page.wait(lambda: not page.all("#import-head h2"), "it was not discarded")
        self.assertTrue(page.find("#import-form").is_displayed())
        page.choose("A CSV file of airports", files.changes())
        page.click_text("Preview", "button")
        page.wait_text("#import-head h2", "Preview of changes.csv")
        page.click_text("Import", "button")
        page.wait_text("#import-head h2", "changes.csv is imported")
        listed.open("/airports/BIBD")
        self.assertEqual(listed.text("h1"), "Bíldudalur Field")

    def test_a_preview_shows_what_would_change_before_anything_does(self):
        pages.import_preview(self.page)
        self.keep(self.page, "import-preview")
        self._preview_and_decide(self.page)

    def test_a_preview_works_without_scripts(self):
        page = self.window()
        page.scripts_off()
        page.open("/import")
        page.choose("A CSV file of airports", files.changes())
        page.click_text("Preview", "button")
        self._preview_and_decide(page)

    def test_without_scripts_the_page_comes_again_by_itself_until_it_is_over(self):
        page = self.window()
        page.scripts_off()
        page.open("/import")
        page.choose("A CSV file of airports", files.long())
        page.click_text("Import", "button")
        page.wait_text("#import-head h2", "Importing long.csv…")
        seen = page.text("#import-progress")
        page.wait(lambda: page.text("#import-progress") != seen, "the page never came again")
        page.click_text("Cancel")
        page.wait_text("#import-head h2", "long.csv was cancelled")
        page.click_text("Give it up")
        page.wait(lambda: not page.all("#import-head h2"), "it was not given up")


class ImportFaultTests(BrowserCase):
    """The faults of the panel, on the page that imports."""

    def setUp(self):
        super().setUp()
        self.panel = self.window()
        self.page = self.window()
        self.expect_complaint(UNAVAILABLE)

    def test_offline_the_page_can_not_tell_how_it_stands_until_it_is_tried_again(self):
        self.faults(self.panel, offline=True)
        self.page.open_live("/import")
        self.page.wait_text("#import-problem [role=alert]", "“Offline” is switched on")
        # What can't be reached takes no file.
        self.assertFalse(self.page.find("#import-form").is_displayed())
        self.keep(self.page, "state-import-offline")
        for theme in ["light", "dark"]:
            self.page.theme(theme)
            self.assertEqual(looks.faults(self.page, looks.LAYOUT + looks.ACCESS), [])
        self.page.click_text("Try again")
        self.page.wait_text("#import-problem [role=alert]", "“Offline” is switched on")
        self.faults(self.panel)
        self.page.click_text("Try again")
        self.page.wait(
            lambda: self.page.find("#import-form").is_displayed(), "the form never came back")
        self.assertEqual(self.page.text("#import-problem"), "")

    def test_offline_an_import_is_out_of_sight_and_goes_on(self):
        pages.import_running(self.page)
        self.faults(self.panel, offline=True)
        self.page.wait_text("#import-problem [role=alert]", "“Offline” is switched on")
        self.assertEqual(self.page.text("#import-head h2"), "Importing long.csv…")
        seen = self.page.text("#import-progress dd")
        self.keep(self.page, "state-import-out-of-sight")
        self.page.click_text("Cancel")
        self.page.wait_text("#import-problem [role=alert]", "The directory can’t be reached")
        self.faults(self.panel)
        # The next rows that are stored bring it into sight.
        self.page.wait(lambda: not self.page.text("#import-problem"), "it stays out of sight")
        self.page.wait(
            lambda: self.page.text("#import-progress dd") != seen, "it did not go on meanwhile")
        pages.import_nothing(self.page)

    def test_where_saving_fails_no_file_is_taken_and_it_can_be_sent_again(self):
        self.faults(self.panel, save=True)
        self.page.open_live("/import")
        pages.send(self.page, files.FAULTS)
        self.page.wait_text("#import-refusal [role=alert]", "Saving was told to fail")
        self.keep(self.page, "state-import-save-failed")
        self.assertEqual(self.page.text("#import-head"), "")
        self.faults(self.panel)
        # The file is still chosen.
        self.page.click_text("Import", "button")
        self.page.wait_text("#import-head h2", "faults.csv is imported")
        self.assertEqual(self.page.text("#import-refusal"), "")

    def test_an_answer_that_is_held_back_is_waited_for(self):
        self.faults(self.panel, latency=5_000)
        self.page.open_live("/import")
        pages.send(self.page, files.FAULTS)
        self.page.wait_text("#import-head h2", "Receiving the file…")
        self.keep(self.page, "state-import-receiving")
        self.page.wait_text("#import-head h2", "faults.csv is imported")
