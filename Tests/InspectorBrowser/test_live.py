"""Live objects, the timeline and texts to copy, with scripts and without."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from inspected import InspectedCase, Process
from support import browser


class Live:
    def table(self, title):
        """The rows of the table of a title."""
        return self.rows(f"div[aria-label='{title}'] tbody tr")

    # A call

    def test_a_call_has_its_parameters_and_a_value_its_local_changes(self):
        self.page.open("/watched/6")
        rows = [" ".join(row) for row in self.rows("table.events tbody tr")]
        [row] = [row for row in rows if "call began" in row]
        self.assertIn('"Linz"', row)
        self.assertTrue(self.facts()["Local changes"].startswith("1 pending"))
        self.assertIn("Not loaded yet", self.page.text("pre.json"))

    def test_a_call_is_made_again_and_cancelled(self):
        self.page.open("/watched/6")
        self.page.click("form.force input[value=loading]")
        self.page.leave_by("Force")
        # It loads with the parameters of its last call.
        self.page.leave_by("Reload")
        self.wait_until(lambda: self.table("Calls under way"), "no call is under way")
        [row] = self.table("Calls under way")
        self.assertEqual(row[1:4], ['"Linz"', "1", "loads"])
        button = self.page.find("button[aria-label^='Cancel call']")
        name = button.get_attribute("aria-label")
        if self.has_scripts:
            self.page.script("arguments[0].focus()", button)
            time = self.page.text("#as-of")
            self.page.wait(lambda: self.page.text("#as-of") != time, "the page stands still")
            self.assertEqual(self.page.focused.get_attribute("aria-label"), name)
        self.page._leave(button.click, "the button led nowhere")
        self.wait_until(lambda: not self.table("Calls under way"), "it was never cancelled")
        # Each event of a call says why it ended.
        events = [" ".join(row) for row in self.rows("table.events tbody tr")]
        self.assertTrue(any("cancelled" in row for row in events), events)

    # A screen

    def test_a_screen_is_forced_to_each_of_its_states(self):
        self.page.open("/watched/7")
        for load, state in [
            ("empty", "noResults"), ("error", "retry"), ("offline", "retry"),
            ("loading", "loading"), ("none", "primary"), ("error", "forced this load to fail"),
            ("slow", "refreshing"),
        ]:
            self.page.click(f"form.force input[value={load}]")
            self.page.leave_by("Force")
            self.assertTrue(self.page.find(f"input[value={load}]").is_selected())
            self.page.leave_by("Reload")
            self.wait_until(
                lambda: state in self.page.text(".standing"),
                f"forced to {load}, the screen never was: {state}")
        self.assertTrue(self.page.text(".standing").startswith("primary"))

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

    def test_a_list_has_its_local_edits(self):
        self.page.open("/watched/2")
        self.assertIn("1 changed", self.facts()["Local edits"])
        self.assertIn("Renamed here", self.table("Items")[3][2])

    def test_the_items_after_the_first_are_shown(self):
        self.page.open("/watched/2")
        for count in [40, 60, 80]:
            self.page.leave_by("Load more")
            self.wait_until(
                lambda: self.facts()["Items"].startswith(f"{count} "), f"{count} never came")
        self.assertEqual(len(self.table("Items")), 50)
        self.page.leave_by("Further items")
        self.assertIn("from=50", self.page.path)
        self.assertEqual([row[0] for row in self.table("Items")], [str(n) for n in range(50, 80)])
        self.assertIn("Field 79", self.table("Items")[29][2])
        self.page.leave_by("Earlier items")
        self.assertEqual(self.table("Items")[0][0], "0")

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
            [row[1] for row in self.table("Undo")], ["password", "latitude", "name"])
        self.page.leave_by("Undo")
        self.page.leave_by("Undo")
        self.wait_until(
            lambda: self.facts()["Redo"] == "2 edits", "the edits were never taken back")
        self.assertEqual(self.table("Airport")[1][1], "")
        self.assertEqual([row[1] for row in self.table("Undo")], ["name"])
        self.page.leave_by("Redo")
        self.wait_until(
            lambda: self.table("Airport")[1][1] == "north", "the edit never came back")

    def test_a_form_is_validated(self):
        self.page.open("/watched/4")
        self.page.leave_by("Validate")
        self.wait_until(
            lambda: "with the whole form" in self.table("Rules")[0][2], "it never was validated")

    def test_a_form_has_each_rule_and_why_it_did_not_run(self):
        self.page.open("/watched/4")
        rules = self.table("Each rule")
        self.assertEqual([row[0] for row in rules], ["name", "latitude"])
        self.assertEqual(
            [row[2:] for row in rules],
            [["at once", "did not run: not asked about this value"]] * 2)
        self.page.leave_by("Validate")
        self.wait_until(
            lambda: self.table("Each rule")[0][3] == "held", "it never was asked")
        # “north” is no number.
        self.assertEqual(self.table("Each rule")[1][3], "did not run: there is no value")
        self.page.open("/watched/8")
        blank, taken = self.table("Each rule")
        self.assertEqual(blank[2:], ["at once", "held"])
        self.assertEqual([taken[1], taken[2]], ["taken", "asynchronous"])
        self.assertRegex(taken[3], r"^waits: \d+\.\d\d s left of 600\.00 s$")

    def left_of_debounce(self):
        """The seconds that are left of a form's debounce."""
        text = " ".join(cell for row in self.table("Rules") for cell in row)
        return float(re.search(r"(\d+\.\d\d) s left of 600\.00 s", text)[1])

    def test_a_form_has_what_is_left_of_a_debounce(self):
        self.page.open("/watched/8")
        left = self.left_of_debounce()
        self.assertLessEqual(left, 600)
        self.wait_until(lambda: self.left_of_debounce() < left, "it never got less")
        # A validation of the whole form does not wait for it.
        self.page.leave_by("Validate")
        self.wait_until(
            lambda: "answered" in " ".join(self.table("Rules")[0]), "it never was answered")

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

    def test_an_event_of_a_run_leads_to_the_run(self):
        self.page.open("/timeline?kind=run")
        link = "table.events .at-source a.quiet"
        run = self.page.find(link).get_attribute("aria-label").removeprefix("run ")
        self.page.open(self.link(link))
        self.assertEqual(self.page.path, f"/runs/{run}")
        self.assertEqual(self.facts()["Run"], run)

    # Without changes

    def test_a_process_that_only_reads_has_no_form_that_changes_anything(self):
        other = Process(os.environ["INSPECTOR_PROGRAM"], "--read-only")
        self.addCleanup(other.close)
        page, process = self.page, self.process
        self.process = other
        self.page = browser.Window(InspectedCase._driver, other.address)
        try:
            if not self.has_scripts:
                self.page.scripts_off()
            self.page.open("/?" + other.query)
            for address in [
                "/", "/runs?state=dead", "/runs?state=blocked", self.run_page("dead"),
                self.first_run("flow=refund&state=ready"), "/flow?name=order", "/limits",
                "/schedules", "/workers", "/changes", "/watched", "/timeline",
                *(f"/watched/{number}" for number in range(1, 9)),
            ]:
                self.page.open(address)
                with self.subTest(address=address):
                    self.assertTrue(self.page.find("h1"))
                    self.assertEqual(self.page.text(".read-only"), "read-only")
                    self.assertEqual(self.page.all("form[method=post]"), [])
                    self.assertEqual(self.page.all("a[href$='/retry'], a[href$='/edit']"), [])
            # Nor is there a page that would ask.
            self.expected_complaints += ["403", "favicon"]
            self.page.open("/pause?flow=order")
            self.assertIn("only reads", self.page.text("body"))
        finally:
            self.page.close()
            self.page, self.process = page, process

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
