"""What assistive technology needs: structure, names, contrast and a word when something changes."""

import unittest

from support import looks, pages
from support.case import BrowserCase


class AccessibilityTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.expected_complaints += pages.COMPLAINTS
        self.page = self.window()

    def test_every_page_has_its_structure_its_names_and_its_contrast(self):
        for page in pages.ALL:
            page(self.page)
            for theme in ["light", "dark"]:
                self.page.theme(theme)
                with self.subTest(page=page.__name__, theme=theme):
                    self.assertEqual(looks.faults(self.page, looks.ACCESS), [])

    def test_axe_finds_nothing_wrong_with_any_page(self):
        source = looks.axe_source()
        if source is None:
            raise unittest.SkipTest("axe-core could not be installed here")
        for page in pages.ALL:
            self.page.size(1280, 900)
            page(self.page)
            for width, theme in looks.PAIRS:
                self.page.size(width, 900)
                self.page.theme(theme)
                with self.subTest(page=page.__name__, theme=theme, width=width):
                    self.assertEqual(looks.axe_faults(self.page, source), [])

    def test_every_state_of_the_list_is_told_and_can_be_read(self):
        self.expect_complaint("503")
        panel = self.window()
        source = looks.axe_source()

        def look(state):
            for theme in ["light", "dark"]:
                self.page.theme(theme)
                with self.subTest(state=state, theme=theme):
                    self.assertEqual(looks.faults(self.page, looks.ACCESS), [])
                    if source:
                        self.assertEqual(looks.axe_faults(self.page, source), [])

        self.faults(panel, offline=True)
        self.page.open_live("/?q=vienna")
        self.page.wait_text("#results .screen-error", "could not be loaded")
        look("error")
        self.faults(panel)
        self.page.click_text("Try again", "a")
        self.page.wait_text("#rows", "Vienna")
        self.faults(panel, offline=True)
        self.page.find("#q").send_keys(" austria")
        self.page.wait_text("#results .screen-error", "could not be loaded")
        look("failed refresh")
        self.faults(panel, next_page=True)
        self.page.open_live("/")
        self.page.script("scrollTo(0, document.body.scrollHeight)")
        self.page.wait_text("#more [role=alert]", "could not be loaded")
        look("failed next page")
        self.faults(panel, save=True)
        self.page.open_live("/airports/LOWW/edit")
        self.page.fill("City", "Wien")
        self.page.leave_by("Save")
        self.page.wait_text("#notice [role=alert]", "It was not saved.")
        look("failed save")

    def test_a_conflict_is_told_and_can_be_read(self):
        theirs = self.window()
        self.page.open_live("/airports/LOWW/edit")
        self.page.fill("City", "Vindobona")
        self.page.labelled("Name").click()
        self.page.wait(
            lambda: not self.page.find("[value=undo]").get_attribute("data-off"),
            "the edit never came to the server")
        theirs.open_live("/airports/LOWW/edit")
        theirs.fill("City", "Wien")
        theirs.leave_by("Save")
        self.page.wait_text("#notice", "Somebody else has saved")
        for theme in ["light", "dark"]:
            self.page.theme(theme)
            self.assertEqual(looks.faults(self.page, looks.ACCESS), [])
