"""The table of runs: its pages, filters and columns, with scripts and without."""

from inspected import InspectedCase


class Table:
    def keys(self):
        return self.page.script(
            "return [...document.querySelectorAll('table.runs tbody a:first-of-type')]"
            ".map((one) => one.href)")

    def test_the_table_is_paged_and_its_pages_keep_the_filter(self):
        self.page.open("/runs")
        newest = self.keys()
        self.assertEqual(len(self.rows("table.runs tbody tr")), 50)
        self.page.leave_by("Older")
        older = self.keys()
        self.assertEqual(set(newest) & set(older), set())
        self.page.leave_by("Newest")
        self.assertEqual(self.keys(), newest)
        self.page.open("/runs?state=completed")
        self.assertIn("51 runs", self.page.text("nav.pages"))
        self.page.leave_by("Older")
        self.assertIn("state=completed", self.page.path)
        [row] = self.rows("table.runs tbody tr")
        self.assertIn("completed", row)

    def completions(self, name):
        """What the browser offers for a field of the filter."""
        return self.page.script(
            "return [...document.querySelector(`input[name=${arguments[0]}]`).list.options]"
            ".map((option) => option.value)", name)

    def test_the_filters_complete_themselves(self):
        self.page.open("/runs")
        flows = self.completions("flow")
        self.assertEqual(flows, sorted(flows))
        self.assertLessEqual({"catalogue", "import", "order", "picture", "refund"}, set(flows))
        self.assertTrue(self.completions("attribute"))
        self.page.find("input[name=flow]").send_keys(flows[flows.index("import")])
        self.page.leave_by("Filter")
        self.assertIn("flow=import", self.page.path)
        self.assertTrue(all("import" in row for row in self.rows("table.runs tbody tr")))
        self.assertIn("airports.csv", self.completions("key"))

    def test_the_columns_of_the_table_are_chosen_and_stand_in_its_address(self):
        self.page.open("/runs?key=airports.csv")
        self.page.click("#columns summary")
        self.page.click("input[name=column][value=worker]")
        self.page.leave_by("Filter")
        self.assertIn("column=worker", self.page.path)
        titles = self.texts("table.runs thead th")
        self.assertEqual(titles[-1], "Standing")
        self.assertEqual(self.rows("table.runs tbody tr")[0][titles.index("Worker")], "worker-1")

    def found(self):
        """The runs that the table has, and what each row says."""
        return self.rows("table.runs tbody tr")

    def test_runs_are_found_by_an_error_by_an_attribute_and_by_time(self):
        self.page.open("/runs")
        count = len(self.found())
        self.page.find("input[name=error]").send_keys("courier goes")
        self.page.leave_by("Filter")
        self.assertIn("error=courier", self.page.path)
        self.assertEqual(len(self.found()), 3)
        self.assertTrue(all("No courier goes to Akureyri" in " ".join(row) for row in self.found()))
        self.page.leave_by("Clear")
        self.assertEqual(len(self.found()), count)
        # What a schedule has started has its name.
        self.page.click("#columns summary")
        self.page.click("input[name=column][value=attributes]")
        self.page.leave_by("Filter")
        attribute = next(
            text for text in self.completions("attribute") if text.endswith("=nightly-export"))
        self.page.find("input[name=attribute]").send_keys(attribute)
        self.page.leave_by("Filter")
        [row] = self.found()
        self.assertIn("nightly-export", " ".join(row))
        # A run that began at a time is not before it.
        self.page.open(self.first_run("key=airports.csv"))
        began = self.page.find("dl.facts time").get_attribute("datetime")
        minute = began[:16]
        for name, is_there in [("since", True), ("until", False)]:
            self.page.open("/runs?key=airports.csv")
            self.page.script(
                "document.querySelector(`input[name=${arguments[0]}]`).value = arguments[1]",
                name, minute)
            self.page.leave_by("Filter")
            self.assertIn(f"{name}={minute[:10]}", self.page.path)
            self.assertEqual(len(self.page.all("table.runs tbody tr")), int(is_there), name)


class TableTests(Table, InspectedCase):
    pass


class TableTestsWithoutScripts(Table, InspectedCase):
    has_scripts = False
