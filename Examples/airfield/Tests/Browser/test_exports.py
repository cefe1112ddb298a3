"""The nightly export: its page with a schedule, an export that is made now, and a pause."""

import pathlib
import tempfile

from support import looks, pages
from support.case import BrowserCase

SEEN = """
    window.seen = [];
    const note = () => {
      const shown = document.querySelector("#nightly-current .import-bar span");
      if (shown) window.seen.push(parseInt(shown.textContent, 10));
    };
    new MutationObserver(note).observe(
      document.querySelector("#nightly-current"), { childList: true, subtree: true });
    """


class ExportTests(BrowserCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="airfield-exports-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.options = [
            "--nightly-export", folder.name, "--at", "2:30", "--zone", "Europe/Berlin",
            "--keep", "2"]
        super().setUp()
        self.page = self.window()

    def _export(self, count):
        self.page.click_text("Export now")
        self.page.wait(
            lambda: len(self.page.all("#nightly-past tbody tr")) == count, "no export has ended")

    def test_an_export_is_made_now_and_its_progress_is_followed(self):
        pages.exports(self.page)
        self.assertEqual(self.page.text("#nightly-schedule h2"), "Every night at 02:30")
        other = self.window()
        pages.exports(other)
        other.script(SEEN)
        self._export(1)
        other.wait_text("#nightly-past tbody", "28,298 airports")
        seen = other.script("return window.seen")
        self.assertGreater(len(set(seen)), 3, "the progress was not followed")
        self.assertEqual(seen, sorted(seen))
        files = list(self.folder.iterdir())
        self.assertEqual(len(files), 1)
        self.assertIn(files[0].name, self.page.text("#nightly-past tbody"))
        self.assertEqual(len(files[0].read_bytes().split(b"\r\n")), 28_300)

    def test_it_is_paused_and_goes_on_in_every_window_and_without_scripts(self):
        pages.exports(self.page)
        self.page.click_text("Pause")
        self.page.wait_text("#nightly-schedule .tag", "Paused")
        plain = self.window()
        plain.scripts_off()
        plain.open("/exports")
        self.assertIn("Not before it goes on", plain.text("#nightly-schedule"))
        plain.click_text("Go on")
        plain.wait(lambda: not plain.all("#nightly-schedule .tag"), "it did not go on")
        self.page.wait(lambda: not self.page.all("#nightly-schedule .tag"), "nobody was told")

    def test_its_page_fits_a_phone_and_a_desk_and_can_be_read(self):
        pages.exports(self.page)
        for count in [1, 2, 3]:
            self._export(count)
        self.page.wait_text("#nightly-past tbody", "(removed since)")
        self.page.click_text("Pause")
        self.page.wait_text("#nightly-schedule .tag", "Paused")
        source = looks.axe_source()
        for width, height in [(390, 844), (1280, 900)]:
            self.page.size(width, height)
            for theme in ["light", "dark"]:
                self.page.theme(theme)
                with self.subTest(width=width, theme=theme):
                    self.page.script("scrollTo(0, 0)")
                    self.keep(self.page, f"page-exports-set-{width}-{theme}")
                    self.assertEqual(looks.faults(self.page, looks.LAYOUT + looks.ACCESS), [])
                    if source:
                        self.assertEqual(looks.axe_faults(self.page, source), [])
