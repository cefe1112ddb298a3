"""A database that can't be written."""

from support import looks
from support.case import BrowserCase
from test_layout import SIZES


class ReadOnlyTests(BrowserCase):
    options = ["--read-only"]

    def test_pages_say_so_and_offer_nothing_that_writes(self):
        self.expect_complaint("status of 403")
        window = self.window()
        for path in ["/", "/airports/BIBD", "/airports/BIBD/edit"]:
            window.open(path)
            for size, (width, height) in SIZES.items():
                window.size(width, height)
                for theme in ["light", "dark"]:
                    window.theme(theme)
                    with self.subTest(path=path, size=size, theme=theme):
                        name = path.strip("/").replace("/", "-") or "directory"
                        self.keep(window, f"read-only-{name}-{size}-{theme}")
                        self.assertIn("can’t be written", window.text("#read-only"))
                        self.assertEqual(looks.faults(window, looks.LAYOUT), [])
                        links = window.script(
                            "return [...document.querySelectorAll('a, main button')]"
                            ".map((link) => link.textContent.trim())")
                        for text in ["Add", "Import", "Edit", "Delete", "Save"]:
                            self.assertNotIn(text, links)

    def test_the_list_is_searched_and_live_all_the_same(self):
        window = self.window()
        window.open_live("/")
        window.find("#q").send_keys("vienna")
        window.wait_text("#count", "for “vienna”")
        window.wait_text("#rows", "Vienna")
