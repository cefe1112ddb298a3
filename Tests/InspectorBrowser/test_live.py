"""Live objects, the timeline and texts to copy, with scripts and without."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from inspected import InspectedCase, Process
from support import browser


class Live:
    def table(self, title):
        """The rows of the table of a title."""
        return self.rows(f"div[aria-label='{title}'] tbody tr")

    # A list

    def test_a_list_is_loaded_on_and_reloaded(self):
        self.page.open("/watched/2")
        self.assertEqual(self.table("Items")[19][:2], ["19", '"LO19"'])
        self.assertEqual(self.facts()["At the end"], "more to load")
        self.page.leave_by("Load more")
        self.wait_until(
            lambda: self.facts()["Items"].startswith("40 "), "the next page was never loaded")
        self.assertEqual(self.facts()["Pages"], "2")
        self.assertIn("Field 39", self.table("Items")[39][2])
        self.page.leave_by("Reload")
        self.wait_until(
            lambda: self.facts()["Items"].startswith("20 "), "the list was never reloaded")
        self.assertIn("list load succeeded", self.page.text("table.events"))

    def test_an_edge_of_a_list_fails_as_forced_and_is_retried(self):
        self.page.open("/watched/2")
        self.page.find("input[value=error]").click()
        self.page.leave_by("Force")
        self.page.leave_by("Load more")
        self.wait_until(
            lambda: self.facts()["At the end"].startswith("failed: The inspector forced"),
            "the edge never failed")
        # What was loaded stays.
        self.assertTrue(self.facts()["Items"].startswith("20 "))
        self.page.find("input[value=none]").click()
        self.page.leave_by("Force")
        self.page.leave_by("Retry")
        self.wait_until(
            lambda: self.facts()["Items"].startswith("40 "), "the edge was never retried")

    # A form

    def test_a_form_has_its_fields_and_takes_edits_back(self):
        self.page.open("/watched/4")
        name, latitude = self.table("Airport")
        self.assertEqual(name[:3], ["name", "Graz", '"Graz"'])
        self.assertIn("modified", name[5])
        self.assertEqual(latitude[1], "north")
        self.assertNotEqual(latitude[4], "")
        [password] = self.table("Account")
        self.assertEqual(password[1:3], ["•••", "•••"])
        self.assertNotIn("hunter2", self.page.front().page_source)
        self.assertEqual([row[0] for row in self.table("Rules")], ["name", "latitude"])
        self.assertEqual(
            [row[1] for row in self.table("Edits")], ["password", "latitude", "name"])
        self.page.leave_by("Undo")
        self.page.leave_by("Undo")
        self.wait_until(
            lambda: self.facts()["Redo"] == "2 edits", "the edits were never taken back")
        self.assertEqual(self.table("Airport")[1][1], "")
        self.assertEqual([row[1] for row in self.table("Edits")], ["name"])
        self.page.leave_by("Redo")
        self.wait_until(
            lambda: self.table("Airport")[1][1] == "north", "the edit never came back")

    def test_a_form_is_validated(self):
        self.page.open("/watched/4")
        self.page.leave_by("Validate")
        self.wait_until(
            lambda: "with the whole form" in self.table("Rules")[0][2], "it never was validated")

    # The timeline

    def test_the_timeline_is_exported_and_opened_elsewhere(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        self.page.command(
            "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        self.page.open("/timeline?from=Airport+form")
        events = self.rows("table.events tbody tr")
        self.assertGreater(len(events), 2)
        self.page.click_text("Export")
        file = folder / "timeline.json"
        self.page.wait(file.exists, "the file never came")
        session = json.loads(file.read_text(encoding="utf-8"))
        self.assertEqual(len(session["entries"]), len(events))
        self.assertNotIn("hunter2", file.read_text(encoding="utf-8"))

        other = Process(os.environ["INSPECTOR_PROGRAM"], "--session", str(file))
        self.addCleanup(other.close)
        page = self.page
        self.page = browser.Window(InspectedCase._driver, other.address)
        try:
            if not self.has_scripts:
                self.page.scripts_off()
            self.page.open("/?" + other.query)
            self.page.open("/timeline")
            self.assertEqual(self.rows("table.events tbody tr"), events)
            # Nothing there can be changed: no button but those that find and filter.
            self.assertEqual(self.page.all("form[method=post]"), [])
        finally:
            self.page.close()
            self.page = page

    # Texts to copy

    def test_a_run_is_copied_as_texts_that_work_where_they_go(self):
        self.page.open(self.first_run("state=dead&flow=order"))
        self.page.leave_by("Copy as…")
        titles = self.texts("section.copy h2")
        texts = dict(zip(titles, self.texts("section.copy pre[data-copy]")))
        stage = texts["The stage as JSON"]
        self.assertEqual(json.loads(stage)["send"]["to"], "Akureyri")
        self.assertRegex(texts["The command fieldstone"], "^fieldstone runs show --journal ")
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        sample = next(text for title, text in texts.items() if "StageFixtures" in title)
        subprocess.run(["sh", "-c", sample], cwd=folder, check=True)
        self.assertEqual(
            (folder / "Fixtures/order/1/send.json").read_text(encoding="utf-8"), stage)
        if shutil.which("curl"):
            answer = subprocess.run(
                ["sh", "-c", texts["curl"]], check=True, capture_output=True, text=True,
                env={**os.environ, "FIELDSTONE_COOKIE": self.cookies})
            self.assertEqual(answer.stdout, stage)


class LiveTests(Live, InspectedCase):
    pass


class LiveTestsWithoutScripts(Live, InspectedCase):
    has_scripts = False
