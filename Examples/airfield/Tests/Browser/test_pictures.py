"""The pictures of the README, as the pages are now."""

import os
import pathlib
import shutil

from support.case import BrowserCase, Shared
from support.looks import dots


class PictureTests(BrowserCase):
    def test_the_pictures_of_the_readme_are_taken(self):
        window = self.window()
        for name, theme, size in [
                ("directory", "light", (1280, 900)), ("directory-phone", "dark", (390, 844))]:
            window.size(*size)
            window.theme(theme)
            window.open_live("/")
            window.wait(lambda: dots(window) > 1_000, "there are hardly any dots")
            self._take(window, name)
        window.size(1280, 900)
        window.theme("light")
        window.open_live("/airports/BIBD/edit")
        window.fill("IATA code", "TOO LONG")
        window.labelled("Name").click()
        window.wait(lambda: window.issues("IATA code"), "the mistake is not told")
        self._take(window, "edit")

    def _take(self, window, name):
        self.keep(window, name)
        folder = os.environ.get("AIRFIELD_PICTURES")
        if folder:
            file = Shared.artefacts() / f"{name}.png"
            shutil.copyfile(file, pathlib.Path(folder) / file.name)
