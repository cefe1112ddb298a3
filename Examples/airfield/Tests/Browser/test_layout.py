"""Every page on a phone and on a desk, light and dark."""

from support import looks, pages
from support.case import BrowserCase

SIZES = {"phone": (390, 844), "desk": (1280, 900)}


class LayoutTests(BrowserCase):
    def test_every_page_fits_a_phone_and_a_desk_light_and_dark(self):
        self.expected_complaints += pages.COMPLAINTS
        window = self.window()
        for page in pages.ALL:
            page(window)
            for width, theme in looks.PAIRS:
                window.size(width, 900)
                window.theme(theme)
                with self.subTest(page=page.__name__, width=width, theme=theme):
                    window.script("scrollTo(0, 0)")
                    self.keep(window, f"page-{page.__name__}-{width}-{theme}")
                    self.assertEqual(looks.faults(window, looks.LAYOUT), [])

    def test_on_a_phone_the_first_result_is_on_the_first_screen(self):
        window = self.window()
        window.size(390, 844)
        for path in ["/", "/?q=vienna"]:
            with self.subTest(path=path):
                window.open_live(path)
                window.wait(lambda: window.all("#rows tr"), "nothing was found")
                bottom = window.script(
                    "return document.querySelector('#rows tr').getBoundingClientRect().bottom")
                self.assertLessEqual(bottom, 844)

    def test_every_page_fits_a_window_of_320_pixels_as_one_enlarged_four_times_has(self):
        self.expected_complaints += pages.COMPLAINTS
        window = self.window()
        window.size(320, 640)
        for page in pages.ALL:
            with self.subTest(page=page.__name__):
                page(window)
                self.assertEqual(looks.faults(window, ["sideways", "overlapping"]), [])

    def test_at_twice_the_text_size_nothing_overlaps_or_runs_out_of_its_box(self):
        self.expected_complaints += pages.COMPLAINTS
        window = self.window()
        for page in pages.ALL:
            window.size(*SIZES["desk"])
            page(window)
            window.script("document.documentElement.style.fontSize = '200%'")
            for size, (width, height) in SIZES.items():
                with self.subTest(page=page.__name__, size=size):
                    window.size(width, height)
                    window.script("scrollTo(0, 0)")
                    self.keep(window, f"page-{page.__name__}-{size}-large")
                    self.assertEqual(looks.faults(window, ["sideways", "overlapping", "cut"]), [])

    def test_the_menu_says_which_of_its_pages_this_is(self):
        window = self.window()
        for path, current in [
                ("/", []), ("/new", ["Add"]), ("/import", ["Import"]), ("/exports", ["Exports"]),
                ("/settings", ["Settings"]), ("/airports/BIBD/edit", [])]:
            with self.subTest(path=path):
                window.open(path)
                marked = window.all(".menu [aria-current=page]")
                self.assertEqual([link.text for link in marked], current)
                for link in marked:
                    self.assertIn("underline", link.value_of_css_property("text-decoration-line"))

    def test_every_page_fits_without_scripts(self):
        self.expected_complaints += pages.COMPLAINTS
        for width in [390, 1280]:
            window = self.window()
            window.scripts_off()
            window.size(width, 844)
            for path in ["/", "/?page=283", "/airports/BIBD", "/airports/BIBD/edit", "/faults"]:
                with self.subTest(path=path, width=width):
                    window.open(path)
                    self.assertEqual(looks.faults(window, looks.LAYOUT), [])

    def test_long_and_foreign_names_stay_within_their_boxes(self):
        window = self.window()
        window.open_live("/airports/BIBD/edit")
        window.fill("Name", "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch" * 3)
        window.fill("City", "مدينة <b>نصر</b> & “sons”")
        window.leave_by("Save")
        for width in [320, 390, 1280]:
            window.size(width, 844)
            for path in ["/airports/BIBD", "/?q=llanfairpwll", "/airports/BIBD/edit"]:
                with self.subTest(path=path, width=width):
                    window.open_live(path)
                    self.assertEqual(looks.faults(window, ["sideways", "overlapping"]), [])
        window.open("/airports/BIBD")
        self.assertIn("<b>نصر</b> & “sons”", window.text("#airport"))
