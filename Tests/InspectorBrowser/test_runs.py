"""What the pages show of runs and do with them, with scripts and without."""

import json

from inspected import InspectedCase


class Runs:
    def confirm(self, button, result):
        self.page.leave_by(button)
        self.page.wait_text("[role=status]", result)

    def differences(self):
        """The texts of the removed and of the added lines."""
        return self.texts("pre.json del"), self.texts("pre.json ins")

    # The overview

    def test_the_figures_of_the_overview_are_those_of_the_tables_they_lead_to(self):
        self.page.open("/")
        tiles = dict(self.page.script(
            "return [...document.querySelectorAll('ul.tiles a')].map((tile) =>"
            "[new URL(tile.href).search, tile.querySelector('.figure').innerText])"))
        self.assertEqual(tiles["?state=dead"], "5")
        self.assertEqual(tiles["?state=blocked"], "3")
        self.assertEqual(tiles["?state=completed"], "51")
        self.assertEqual(len(tiles), 6)
        # A chart, its words and its table say the same.
        self.page.click("#hour-figures summary")
        for kind, column in [("running", 1), ("dead", 3)]:
            figure, words = self.page.script(
                "const chart = document.querySelector(`figure.chart.${arguments[0]}`);"
                "return [chart.querySelector('.figure').innerText,"
                " chart.querySelector('svg').getAttribute('aria-label')]", kind)
            self.assertIn(f": {figure} in the last hour", words)
            rows = self.rows("#hour-figures tbody tr")
            self.assertEqual(sum(int(row[column]) for row in rows), int(figure))
        flows = {row[0].split()[0]: row[1:] for row in self.rows("table.flows tbody tr")}
        self.assertEqual(flows["order"][:2], ["3", "3"])
        self.assertIn(
            ["No courier goes to Akureyri; choose another town.", "3"],
            self.rows("table.errors tbody tr"))
        for search, figure in tiles.items():
            self.page.open("/runs" + search)
            self.assertEqual(len(self.rows("table.runs tbody tr")), min(int(figure), 50), search)

    def test_the_overview_has_the_workers_and_what_they_work_on(self):
        self.page.open("/")
        rows = self.rows("table.announced tbody tr")
        self.assertEqual([row[0] for row in rows], ["worker-1", "worker-2 of the mill silent"])
        self.assertIn("mill.example.org, process 4711", rows[0][1])
        self.assertIn("order", rows[0][2])
        self.page.leave_by(rows[0][3].removeprefix("1 run: "))
        self.assertEqual(self.facts()["Worker"], "worker-1")
        self.page.open("/workers")
        self.assertEqual(
            self.texts("ul.tiles .figure"), ["1", "1", "1"], "at work, silent and under way")
        self.assertIn(["order", "3", "1"], self.rows("table.served tbody tr"))

    def test_a_flow_has_its_limits_and_how_much_of_them_is_used(self):
        self.page.open("/limits")
        [full, row] = self.rows("table.limits tbody tr")
        self.assertEqual(full[0], "picture")
        self.assertEqual(row[0], "order")
        self.assertIn("3 of 20\n20 runs at a time", row[1])
        self.page.leave_by("order")
        self.assertIn("3 of 20 taken", self.facts()["In all"])

    def test_the_overview_has_the_limits_that_are_full_and_the_runs_that_are_due(self):
        self.page.open("/")
        [row] = self.rows("table.limits tbody tr")
        self.assertEqual(row[0], "picture")
        self.assertRegex(row[1], "^1 of 1 full\n1 run at a time")
        due = self.rows("table[aria-label='Runs that wait longest for a worker'] tbody tr")
        [row] = [row for row in due if "picture" in row]
        self.assertTrue(row[1].startswith("picture 2"), row)
        self.assertIn("Due for", row[-1])
        self.page.leave_by("All limits")
        self.assertEqual(len(self.rows("table.limits tbody tr")), 2)

    # A run

    def test_a_run_has_its_stages_their_json_and_their_differences(self):
        path = self.first_run("key=airports.csv")
        self.page.open(path)
        self.assertIn("62 %, row 35,000 of 56,451", self.facts()["Progress"])
        self.assertIn("LO40", self.texts("ol.log li")[-1])
        # It is fetched once it is about to be seen.
        self.scroll_to("a[href$='path.svg'] img")
        self.page.wait(
            lambda: self.page.find("a[href$='path.svg'] img").get_property("naturalWidth"),
            "the path was never drawn")
        self.assertEqual(self.texts("#stage-70 summary .name"), ["read"])
        removed, added = self.differences()
        self.assertIn("−   \"write\": {", "\n".join(removed).replace("\u00a0", " "))
        self.assertTrue(any("34500" in line for line in added), added)
        # The stage before it is closed until somebody opens it.
        is_open = "return document.getElementById('stage-69').open"
        self.assertFalse(self.page.script(is_open))
        self.scroll_to("#stage-69 summary")
        self.page.click("#stage-69 summary")
        self.assertTrue(self.page.script(is_open))
        stage = self.read(self.link("#stage-69 a[href$='69.json']"))
        self.assertEqual(stage, '{"write":{"row":34000}}')
        # A link to a stage shows it below the bar that stays at the top.
        self.page.open(path + "#stage-60")
        gap = self.page.script(
            "return document.getElementById('stage-60').getBoundingClientRect().top"
            " - document.querySelector('.top').getBoundingClientRect().bottom")
        self.assertGreaterEqual(gap, 0)
        self.page.leave_by("Older")
        self.assertIn("before=", self.page.path)
        self.assertTrue(self.page.all("#stage-5"))

    def test_a_run_has_its_path_on_the_diagram_of_its_flow(self):
        waiting = self.first_run("flow=refund&state=ready")
        self.page.open(waiting)
        self.scroll_to(".path img")
        image = self.page.find(".path img")
        self.page.wait(
            lambda: image.get_property("naturalWidth"), "the diagram was never drawn")
        self.assertIn(
            "diagram of its flow: ask, then approve (waiting).", image.get_attribute("alt"))
        # A page of a desk and of a phone has room for it.
        for width in [1280, 390]:
            self.page.size(width, 900)
            wide = self.page.script(
                "return document.querySelector('.path img').getBoundingClientRect().right"
                " - innerWidth")
            self.assertLessEqual(wide, 0)
        self.page.size(1280, 900)
        self.page.open(waiting + "/path.svg")
        self.assertEqual(
            self.drawn("g.box:not(.quiet) .name"), ["ask", "approve"], "the run's path")
        self.assertEqual(self.drawn("g.current .name"), ["approve"])
        self.assertEqual(
            sorted(self.drawn("g.quiet .name")), ["completed", "pay", "refuse", "thank"])
        self.assertIn("Only other runs: ", self.drawn("desc")[0])
        # A completed run of the flow has another path on it.
        self.page.open(self.first_run("flow=refund&key=order+991") + "/path.svg")
        self.assertEqual(
            self.drawn("g.box:not(.quiet) .name"), ["ask", "approve", "refuse", "completed"])

    def drawn(self, css):
        return self.page.script(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", css)

    def test_numbers_are_shown_as_the_journal_has_them(self):
        self.page.open(self.first_run("key=order+1010"))
        self.assertIn('"weight": 1.10', self.page.text("pre.json").replace("\u00a0", " "))

    def test_a_run_has_its_errors_and_the_time_of_the_next_attempt(self):
        self.page.open(self.first_run("state=ready&flow=order"))
        [row, taken] = self.rows("table.errors tbody tr")
        self.assertIn("send", row[0])
        self.assertIn("Attempt 1, by worker-1, failed", row[2])
        self.assertIn("The courier did not answer.", row[2])
        self.assertRegex(row[1], "again in|next")
        self.assertIn("Taken over by worker-1", taken[2])
        self.assertNotRegex(taken[1], "again in|next")
        self.page.open(self.first_run("state=dead&flow=order"))
        self.assertIn(
            "No courier goes to Akureyri", self.rows("table.errors tbody tr")[0][2])

    def test_the_bar_of_a_stage_marks_the_attempts_that_failed(self):
        self.page.open(self.first_run("state=ready&flow=order"))
        [words] = self.page.script(
            "return [...document.querySelectorAll('.current .bar')]"
            ".map((bar) => bar.getAttribute('aria-label'))")
        self.assertRegex(words, "^has waited .*, 2 notes of failures, crashes or refusals$")
        self.assertEqual(len(self.page.all(".current .bar rect.mark")), 2)

    def test_a_run_has_its_children_and_each_has_its_parent(self):
        parent = self.first_run("flow=catalogue")
        self.page.open(parent)
        self.assertEqual(len(self.rows("table.children tbody tr")), 10)
        self.page.click("#children .more a")
        self.page.wait(lambda: self.page.path.endswith("/children"), "the link led nowhere")
        rows = self.rows("table.children tbody tr")
        self.assertEqual(len(rows), 14)
        self.assertIn("detached", rows[13][3])
        dead = next(row for row in rows if row[0] == "dead")
        self.assertEqual(dead[4], "The page has no picture.")
        self.page.leave_by(dead[1])
        self.page.leave_by(self.facts()["Parent"])
        self.assertEqual(self.page.path, parent)

    # Acting on a run

    def test_a_run_is_cancelled(self):
        self.page.open(self.first_run("state=ready&flow=order"))
        self.page.leave_by("Cancel the run")
        self.assertIn("called off", self.page.text(".effect"))
        self.confirm("Cancel the run", "The run is cancelled.")
        self.assertEqual(self.page.text(".heading .state"), "cancelled")
        self.page.open("/changes")
        [row] = [row for row in self.rows("table.changes tbody tr") if row[2] == "cancel"][:1]
        self.assertEqual(row[1], "inspector")

    def test_a_run_is_paused_and_goes_on(self):
        self.page.open(self.first_run("state=ready&flow=order"))
        self.page.leave_by("Pause…")
        self.page.leave_by("Review")
        self.confirm("Pause", "is paused.")
        self.assertIn("pause", self.page.text(".heading .standing"))
        self.page.leave_by("Resume…")
        self.confirm("Resume", "goes on.")
        self.page.open("/changes")
        actions = [row[2] for row in self.rows("table.changes tbody tr")]
        self.assertEqual(actions[:2], ["resume", "pause"])

    def test_a_key_of_a_flow_is_paused_and_goes_on(self):
        def pauses():
            return self.rows("table.pauses tbody tr")
        self.page.open("/flow?name=order")
        before = len(pauses())
        self.page.find("input[name=key]").send_keys("customer 23")
        self.page.leave_by("Pause this key…")
        self.assertIn("key=customer", self.page.path)
        self.page.leave_by("Review")
        self.confirm("Pause", "customer 23")
        self.assertEqual(len(pauses()), before + 1)
        self.assertTrue(any("customer 23" in " ".join(row) for row in pauses()), pauses())
        self.page.open("/resume?flow=order&key=customer+23")
        self.confirm("Resume", "goes on.")
        self.assertEqual(len(pauses()), before)

    def test_a_run_is_forked_from_one_of_its_stages(self):
        path = self.first_run("key=airports.csv")
        self.page.open(path)
        self.scroll_to("#stage-69 summary")
        self.page.click("#stage-69 summary")
        self.page.open(self.link("#stage-69 .links a:nth-of-type(2)"))
        self.assertEqual(self.page.find("input[name=from]").get_property("value"), "69")
        self.page.leave_by("Review")
        self.assertIn("From stage 69.", self.texts("section.action > p"))
        self.confirm("Fork", "This run was started from a stage of another one.")
        self.assertEqual(
            self.facts()["Forked from"], f"{path.removeprefix('/runs/')}, stage 69")
        self.assertIn('"row": 34000', self.page.text("pre.json").replace("\u00a0", " "))

    def act_on_all(self, action, count, done):
        """Acts on all runs of the page's filter, with a wrong number before the right one."""
        self.page.leave_by(action + "…")
        self.expected_complaints.append("422")
        for typed in [count + 1, count]:
            number = self.page.find("input[name=count]")
            number.clear()
            number.send_keys(str(typed))
            self.page.click("button.primary")
            if typed != count:
                self.page.wait_text(
                    "[role=alert]", f"Type the number of runs to confirm: {count}.")
        self.page.wait_text("[role=status]", f"{count} runs were {done}.")

    def test_all_that_a_filter_finds_are_paused_cancelled_and_deleted(self):
        self.page.open("/runs?flow=order&state=ready")
        self.act_on_all("Pause", 3, "paused")
        self.page.open("/runs?flow=order&state=ready")
        self.act_on_all("Resume", 3, "resumed")
        self.page.open("/runs?flow=order&state=ready")
        self.act_on_all("Cancel", 3, "cancelled")
        self.page.open("/runs?flow=order&state=cancelled")
        self.assertEqual(len(self.rows("table.runs tbody tr")), 3)
        self.act_on_all("Delete", 3, "deleted")
        self.page.open("/runs?flow=order&state=cancelled")
        self.assertEqual(self.page.text(".nothing"), "There are no such runs.")
        self.page.open("/runs?flow=order")
        self.assertEqual(len(self.rows("table.runs tbody tr")), 9)

    def test_a_stage_is_edited_once_its_difference_was_seen(self):
        self.page.open(self.first_run("state=dead&flow=order"))
        self.page.leave_by("Edit the stage")
        stage = self.page.find("textarea[name=payload]")
        before = json.loads(stage.get_property("value"))

        def review(weight):
            before["send"]["weight"] = weight
            field = self.page.find("textarea[name=payload]")
            field.clear()
            field.send_keys(json.dumps(before))
            self.page.leave_by("Review")

        # The running code refuses what it can't read, before anything is written.
        self.expected_complaints.append("422")
        review(1.9)
        self.page.wait_text("[role=alert]", "No courier takes more than 1.8 kg")
        review(1.75)
        removed, added = self.differences()
        self.assertEqual(len(removed), 1)
        self.assertIn("1.75", added[0])
        self.confirm("Edit the stage", "The stage was replaced, and the run is ready.")
        self.assertEqual(self.page.text(".heading .state"), "ready")
        self.assertIn('"weight": 1.75', self.page.text("pre.json").replace("\u00a0", " "))

    def test_a_signal_is_sent_by_a_form_that_begins_with_its_example(self):
        self.page.open(self.first_run("flow=refund"))
        self.assertIn("approval", self.facts()["Signal"])
        self.page.leave_by("Send a signal")
        self.assertEqual(self.page.find("input[name=name]").get_property("value"), "approval")
        payload = self.page.find("textarea[name=payload]")
        self.assertEqual(payload.get_property("value").strip(), "1.2")
        payload.clear()
        payload.send_keys("\"much\"")
        self.expected_complaints.append("422")
        self.page.leave_by("Review")
        self.page.wait_text("[role=alert]", "no payload of the signal “approval”")
        payload = self.page.find("textarea[name=payload]")
        payload.clear()
        payload.send_keys("1.30")
        self.page.leave_by("Review")
        self.assertEqual(self.page.text("pre.json").strip(), "1.30")
        self.confirm("Send a signal", "The signal is with the run.")

    def test_a_signal_is_sent_to_all_that_a_filter_finds(self):
        self.page.open("/runs?flow=refund&state=ready")
        self.page.leave_by("Send a signal…")
        self.assertIn("The filter finds 1 run that allows it.", self.page.text(".effect"))
        self.assertEqual(self.page.find("input[name=name]").get_property("value"), "approval")
        self.assertEqual(
            self.page.find("textarea[name=payload]").get_property("value").strip(), "1.2")
        self.expected_complaints.append("422")

        def send(payload, count):
            field = self.page.find("textarea[name=payload]")
            field.clear()
            field.send_keys(payload)
            number = self.page.find("input[name=count]")
            number.clear()
            number.send_keys(count)
            self.page.click("button.primary")
        send("\"much\"", "1")
        self.page.wait_text("[role=alert]", "no payload of the signal “approval”")
        send("1.30", "2")
        self.page.wait_text("[role=alert]", "Type the number of runs to confirm: 1.")
        self.assertEqual(
            self.page.find("textarea[name=payload]").get_property("value").strip(), "1.30")
        send("1.30", "1")
        self.page.wait_text("[role=status]", "1 run was sent the signal.")
        self.page.open("/changes")
        row = self.rows("table.changes tbody tr")[0]
        self.assertEqual(row[1:3], ["inspector", "signal"])

    def test_all_that_a_filter_finds_are_edited_by_a_patch_once_their_differences_were_seen(self):
        self.page.open("/runs?flow=order&state=blocked")
        self.page.leave_by("Edit…")
        self.assertIn("The filter finds 3 runs that allow it.", self.page.text(".effect"))
        patch = self.page.find("textarea[name=payload]").get_property("value")
        self.assertEqual(json.loads(patch), {"send": {}})
        self.expected_complaints.append("422")

        def review(patch):
            field = self.page.find("textarea[name=payload]")
            field.clear()
            field.send_keys(patch)
            self.page.leave_by("Review")
        review('{"send": ')
        self.page.wait_text("[role=alert]", "no JSON")
        review('{"send": {"to": "Graz"}}')
        self.assertIn("The patch changes 2 runs.", self.page.text(".effect"))
        # The third is heavier than the running code allows.
        self.page.wait_text(".banner.bad", "1 run is left alone")
        removed, added = self.differences()
        self.assertEqual([len(removed), len(added)], [2, 2])
        self.assertTrue(all("Graz" in line for line in added), added)
        # The patch is there to be changed, and nothing is written yet.
        self.page.click("details summary")
        field = self.page.find("details textarea[name=payload]")
        self.assertEqual(field.get_property("value").strip(), '{"send": {"to": "Graz"}}')
        for count in ["3", "2"]:
            number = self.page.find("input[name=count]")
            number.clear()
            number.send_keys(count)
            self.page.click("button.primary:not(details button)")
            if count == "3":
                self.page.wait_text("[role=alert]", "Type the number of runs to confirm: 2.")
        self.page.wait_text("[role=status]", "2 runs were edited.")
        self.assertEqual(len(self.rows("table.runs tbody tr")), 1)
        self.page.open("/changes")
        row = self.rows("table.changes tbody tr")[0]
        self.assertEqual(row[1:3], ["inspector", "edit"])

    # Schedules

    def test_a_schedule_is_paused_resumed_and_run_now(self):
        name = "nightly-export"

        def act(action):
            self.page.open("/schedules")
            self.page.open(self.link(f"a[aria-label='{action} {name}…']"))
            self.page.leave_by(action)

        def row():
            [row] = [row for row in self.rows("table.schedules tbody tr") if name in row[0]]
            return row
        act("Pause")
        self.page.wait_text("[role=status]", f"The schedule “{name}” is paused.")
        self.assertEqual(row()[2], "paused")
        before = row()[3]
        act("Resume")
        self.page.wait_text("[role=status]", f"The schedule “{name}” goes on.")
        self.assertNotEqual(row()[2], "paused")
        # The run that was started is shown, and is the schedule's last one.
        act("Run now")
        self.assertIn(name, self.facts()["Attributes"])
        run = self.page.path.removeprefix("/runs/")
        self.page.open("/schedules")
        self.assertIn(run, row()[3])
        self.assertNotIn(run, before)

    def test_a_schedule_is_removed_once_that_was_confirmed(self):
        def names():
            return [row[0].split("\n")[0] for row in self.rows("table.schedules tbody tr")]
        self.page.open("/schedules")
        self.assertIn("weekly report", names())
        self.page.open(self.link("a[aria-label='Remove weekly report…']"))
        self.page.leave_by("Back")
        self.assertIn("weekly report", names())
        self.page.open(self.link("a[aria-label='Remove weekly report…']"))
        self.confirm("Remove", "The schedule “weekly report” is removed.")
        self.assertNotIn("weekly report", names())
        self.page.open("/changes")
        self.assertEqual(self.rows("table.changes tbody tr")[0][2], "remove")


class RunTests(Runs, InspectedCase):
    pass


class RunTestsWithoutScripts(Runs, InspectedCase):
    has_scripts = False
