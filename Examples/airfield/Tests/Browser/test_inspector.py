"""The inspector of airfield's own process under /inspector, beside the pages that it looks at."""

import tempfile

from support import files, looks, pages
from support.case import BrowserCase


class InspectedCase(BrowserCase):
    # Whether the scripts of the inspector run; without them its pages are opened again to look.
    has_scripts = True

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="airfield-exports-")
        self.addCleanup(folder.cleanup)
        self.options = ["--inspector", "--nightly-export", folder.name]
        super().setUp()
        self.inspector = self.window()
        if not self.has_scripts:
            self.inspector.scripts_off()
        self.inspector.open(self.server.inspector)

    def wait_seen(self, condition, message):
        """Waits until the inspector's page shows something, which is live or opened again."""
        path = self.inspector.path

        def look():
            if not self.has_scripts:
                self.inspector.open(path)
            return condition()
        return self.inspector.wait(look, message)

    def rows(self, css):
        """The texts of the cells of each row, read at one moment: a live page replaces its rows."""
        return self.inspector.script(
            "return [...document.querySelectorAll(arguments[0])]"
            ".map((row) => [...row.cells].map((cell) => cell.innerText.trim()))", css)

    def watched(self):
        """The names of all that is watched."""
        return [row[1] for row in self.rows("table.objects tbody tr")]

    def open_object(self, name):
        """Opens the page of what is watched under a name, of several the last."""
        self.inspector.open("/inspector/watched")
        self.wait_seen(lambda: name in self.watched(), f"“{name}” is not watched")
        self.inspector.open(self.inspector.script(
            "return [...document.querySelectorAll('table.objects th a')]"
            ".filter((link) => link.innerText.trim() === arguments[0]).at(-1).href", name
        ).removeprefix(self.server.address))

    def force(self, load):
        self.inspector.click(f"form.force input[value={load}]")
        self.inspector.leave_by("Force")
        self.assertTrue(self.inspector.find(f"input[value={load}]").is_selected())


class Inspecting:
    def test_it_shows_what_a_visitor_has_open_and_follows_what_is_typed_there(self):
        self.assertEqual(self.inspector.path, "/inspector/")
        visitor = self.window()
        pages.directory(visitor)
        self.inspector.open("/inspector/watched")
        names = ["Settings", "Faults", "Imports", "Nightly exports", "Directory", "Airports"]
        self.assertEqual(self.watched(), names)
        pages.edit(visitor)
        self.wait_seen(lambda: "Edit BIBD" in self.watched(), "the form was never seen")
        self.open_object("Edit BIBD")
        visitor.fill("City", "Bildudalur by the fjord")
        visitor.labelled("Name").click()
        self.wait_seen(
            lambda: any(
                "Bildudalur by the fjord" in " ".join(row) and "modified" in " ".join(row)
                for row in self.rows("table.rows tbody tr")),
            "what was typed was never seen")
        # What is done here is seen there.
        self.inspector.leave_by("Undo")
        self.wait_seen(
            lambda: "Bildudalur by the fjord" not in self.inspector.text("table.rows"),
            "nothing was taken back")

    def test_a_visitors_list_is_seen_to_grow_and_is_forced_to_fail(self):
        visitor = self.window()
        pages.directory(visitor)
        self.open_object("Airports")
        self.assertIn("50 ", self.inspector.text("dl.facts"))
        self.force("error")
        visitor.script("scrollTo(0, document.body.scrollHeight)")
        visitor.wait_text("#more [role=alert]", "The inspector forced this load to fail")
        self.wait_seen(
            lambda: "failed: The inspector forced" in self.inspector.text("dl.facts"),
            "that it failed was never seen")
        self.force("none")
        visitor.click_text("Try again")
        visitor.wait(lambda: len(visitor.all("#rows tr")) >= 100, "the list never went on")
        self.wait_seen(
            lambda: "50 of Airport" not in self.inspector.text("dl.facts").split("\n"),
            "that it grew was never seen")
        self.force("empty")
        visitor.script("scrollTo(0, document.body.scrollHeight)")
        visitor.wait_text("#shown", "That is all")
        count = len(visitor.all("#rows tr"))
        self.assertEqual(visitor.text("#shown"), f"That is all: {count} airports.")

    def test_the_directory_stands_what_it_is_forced_to(self):
        self.expect_complaint("503 (Service Unavailable)")
        visitor = self.window()
        pages.directory(visitor)
        # A browser without scripts gets other pages of the same directory.
        plain = self.window()
        plain.scripts_off()
        self.open_object("Directory")

        self.force("error")
        visitor.find("#q").send_keys("vienna")
        visitor.wait_text("#results .screen-error", "The inspector forced this load to fail")
        plain.open("/?q=vienna")
        self.assertIn("The inspector forced", plain.text("#results .screen-error"))
        self.keep(plain, "inspector-forced-error")
        self.wait_seen(
            lambda: "forced this load to fail" in self.inspector.text(".standing"),
            "that it failed was never seen")
        self.force("offline")
        visitor.click_text("Try again", "a")
        visitor.wait_text("#results .screen-error", "There is no network.")
        plain.open("/")
        self.assertIn("There is no network.", plain.text("#results .screen-error"))
        self.force("empty")
        visitor.click_text("Try again", "a")
        visitor.wait_text("#results .screen-noResults", "No airport matches.")
        plain.open("/?q=vienna")
        self.assertIn("No airport matches.", plain.text("#results"))
        visitor.wait(lambda: looks.dots(visitor) == 0, "the map has what the list has not")
        self.force("loading")
        visitor.find("#q").send_keys(" austria")
        visitor.wait_text("#count", "Searching…")
        self.wait_seen(
            lambda: self.inspector.text(".standing").startswith("loading"),
            "that it loads was never seen")
        self.force("none")
        visitor.wait_text("#rows", "Vienna International Airport")
        plain.open("/?q=vienna")
        self.assertIn("Vienna International Airport", plain.text("#rows"))

    def test_an_import_and_a_nightly_export_are_seen_to_their_end(self):
        visitor = self.window()
        self.inspector.open("/inspector/runs?flow=airfield.upload")
        pages.import_nothing(visitor)
        pages.send(visitor, files.FAULTS)
        self.wait_seen(
            lambda: any("completed" in row[0] for row in self.rows("table.runs tbody tr")),
            "the import was never seen")
        pages.exports(visitor)
        visitor.click_text("Export now")
        self.inspector.open("/inspector/runs?flow=airfield.nightly")
        self.wait_seen(
            lambda: any("completed" in row[0] for row in self.rows("table.runs tbody tr")),
            "the export was never seen")
        self.open_object("Nightly exports")
        self.assertIn("airfield.nightly", self.inspector.text("main"))


class InspectorTests(Inspecting, InspectedCase):
    def test_its_pages_and_the_forced_ones_fit_a_phone_and_a_desk_and_can_be_read(self):
        self.expect_complaint("503 (Service Unavailable)")
        visitor = self.window()
        pages.directory(visitor)
        editor = self.window()
        pages.edit(editor)
        self.inspector.open("/inspector/runs?flow=airfield.import")
        run = self.inspector.script(
            "return document.querySelector('table.runs tbody a').href"
        ).removeprefix(self.server.address)
        seen = {
            "overview": "/inspector/", "runs": "/inspector/runs", "run": run,
            "schedules": "/inspector/schedules", "watched": "/inspector/watched",
            "timeline": "/inspector/timeline"}
        for name in ["Directory", "Airports", "Edit BIBD", "Nightly exports"]:
            self.open_object(name)
            seen[name.split()[0].lower()] = self.inspector.path
        source = looks.axe_source()

        def look(window, name):
            for width, theme in looks.PAIRS:
                window.size(width, 900)
                window.theme(theme)
                with self.subTest(page=name, width=width, theme=theme):
                    window.script("scrollTo(0, 0)")
                    self.keep(window, f"inspector-{name}-{width}-{theme}")
                    self.assertEqual(looks.faults(window, ["sideways"]), [])
                    if source:
                        self.assertEqual(looks.axe_faults(window, source), [])

        for name, path in seen.items():
            self.inspector.size(1280, 900)
            self.inspector.open(path)
            look(self.inspector, name)
        self.open_object("Directory")
        for load in ["error", "offline", "empty"]:
            self.force(load)
            self.open_object("Directory")
            visitor.open_live("/?q=vienna")
            visitor.wait_text("#results .screen", "")
            look(visitor, f"forced-{load}")


class InspectorTestsWithoutScripts(Inspecting, InspectedCase):
    has_scripts = False
