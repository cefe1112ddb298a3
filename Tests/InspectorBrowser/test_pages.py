"""Every page on a desk and on a phone, light and dark: its layout, its names and its contrast."""

import unittest

from inspected import InspectedCase
from support import looks


class PageTests(InspectedCase):
    def addresses(self):
        dead = self.run_page("dead")
        waiting = self.run_page("ready")
        tries = self.first_run("flow=order&state=ready")
        long = self.first_run("key=airports.csv")
        parent = self.first_run("flow=catalogue")
        refund = self.first_run("flow=refund")
        return {
            "flow": "/flow?name=order", "bare-flow": "/flow?name=import",
            "pause": "/pause?flow=order", "resume": "/resume?flow=order", "parent": parent,
            "children": parent + "/children", "changes": "/changes",
            "schedules": "/schedules", "run-now": "/schedules/run?name=nightly-export",
            "limits": "/limits", "workers": "/workers", "signals": refund,
            "columns": "/runs?column=worker&column=error&column=attributes",
            "errors": "/runs?error=courier", "waiting": "/runs?wait=children",
            "overview": "/", "runs": "/runs", "no-runs": "/runs?key=none", "dead": dead, "tries": tries,
            "long": long, "older": long + "?before=20", "edit": dead + "/edit",
            "retry": dead + "/retry", "signal": waiting + "/signal", "copy": dead + "/copy",
            "all": "/all/retry?state=dead", "fork-all": "/all/fork?state=dead",
            "signal-all": "/all/signal?flow=refund", "edit-all": "/all/edit?flow=order",
            "fork": dead + "/fork", "cancel": waiting + "/cancel",
            "remove": "/schedules/remove?name=nightly-export",
            "resume-all": "/all/resume?flow=order", "cancel-all": "/all/cancel?flow=order",
            "pause-all": "/all/pause?flow=order", "purge-all": "/all/purge",
            "trial": "/trial?state=blocked", "live": "/watched", "call": "/watched/1",
            "list": "/watched/2", "screen": "/watched/3", "form": "/watched/4",
            "field": "/watched/5", "lookup": "/watched/6", "forced": "/watched/7",
            "debounce": "/watched/8", "timeline": "/timeline",
            "no-events": "/timeline?text=nothing+at+all", "keys": "/keys", "nowhere": "/nowhere",
        }

    def test_axe_finds_nothing_wrong_with_any_page(self):
        self.expected_complaints.append("404")
        source = looks.axe_source()
        if source is None:
            raise unittest.SkipTest("axe-core could not be installed here")
        for name, address in self.addresses().items():
            self.page.size(1280, 900)
            self.page.open(address)
            for width, theme in looks.PAIRS:
                self.page.size(width, 900)
                self.page.theme(theme)
                self.keep(f"{name}-{width}-{theme}")
                with self.subTest(page=name, width=width, theme=theme):
                    self.assertEqual(looks.axe_faults(self.page, source), [])

    def test_axe_finds_nothing_wrong_with_the_review_of_a_patch(self):
        source = looks.axe_source()
        if source is None:
            raise unittest.SkipTest("axe-core could not be installed here")
        for width, theme in looks.PAIRS:
            self.page.size(width, 900)
            self.page.theme(theme)
            self.page.open("/all/edit?flow=order&state=blocked")
            field = self.page.find("textarea[name=payload]")
            field.clear()
            field.send_keys('{"send": {"to": "Graz"}}')
            self.page.leave_by("Review")
            self.keep(f"edit-review-{width}-{theme}")
            with self.subTest(width=width, theme=theme):
                self.assertEqual(looks.axe_faults(self.page, source), [])
                wide = self.page.script("return document.documentElement.scrollWidth")
                self.assertLessEqual(wide, width)

    def test_no_page_scrolls_sideways_also_at_twice_the_size(self):
        self.expected_complaints.append("404")
        for name, address in self.addresses().items():
            self.page.size(1280, 900)
            self.page.open(address)
            for width in [1280, 640, 390, 320]:
                self.page.size(width, 900)
                with self.subTest(page=name, width=width):
                    wide = self.page.script(
                        "return document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(wide, 0)

    def test_a_telephone_does_not_enlarge_a_page_for_its_controls(self):
        self.page.size(390, 900)
        for name in ["runs", "edit", "signal", "all", "edit-all", "timeline", "forced"]:
            self.page.open(self.addresses()[name])
            sizes = self.page.script("""
                return [...document.querySelectorAll('input, select, textarea')]
                  .filter((one) => !/^(hidden|checkbox|radio)$/.test(one.type))
                  .map((one) => parseFloat(getComputedStyle(one).fontSize))
                """)
            with self.subTest(page=name):
                self.assertTrue(sizes)
                self.assertGreaterEqual(min(sizes), 16)
