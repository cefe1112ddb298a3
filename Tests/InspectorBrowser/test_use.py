"""The inspector as a person uses it: with the keyboard, live, and in both modes by its forms."""

from selenium.webdriver.common.keys import Keys

from inspected import InspectedCase
from support import browser


class UseTests(InspectedCase):
    def test_the_address_opens_once(self):
        self.assertEqual(self.page.path, "/")
        self.page.front().delete_all_cookies()
        self.expected_complaints.append("401")
        self.page.open("/?" + self.process.query)
        self.assertIn("in one browser and once", self.page.text("body"))

    def focused_link(self):
        # In one step: a page that is refreshed in between replaces the element.
        return self.page.script("return document.activeElement.href")

    def test_the_keyboard_goes_everywhere(self):
        for key, path in [
            ("r", "/runs"), ("s", "/schedules"), ("m", "/limits"), ("w", "/workers"),
            ("l", "/watched"), ("t", "/timeline"), ("c", "/changes"), ("o", "/"),
        ]:
            self.page.keys("g")
            self.page.leave_by_keys(key)
            self.assertEqual(self.page.path, path)
        self.page.leave_by_keys("?")
        self.assertEqual(self.page.path, "/keys")
        self.page.keys("/")
        self.assertEqual(self.page.focused.get_attribute("id"), "find")
        self.page.keys("gr?")
        self.assertEqual(self.page.focused.get_attribute("value"), "gr?")
        self.page.open("/runs")
        self.page.keys("j")
        first = self.focused_link()
        self.page.keys("j")
        self.assertNotEqual(self.focused_link(), first)
        self.page.keys("k")
        self.assertEqual(self.focused_link(), first)
        self.page.leave_by_keys(Keys.ENTER)
        self.assertEqual(self.process.address + self.page.path, first)

    def test_a_page_is_live_and_keeps_what_is_open(self):
        self.page.open("/watched/1")
        self.page.wait(lambda: "Live" in self.page.text("#pulse"), "the page never was live")
        self.page.script("window.isSame = true")
        # Another window forces an error.
        self.page.script("""
            const form = document.querySelector('form.force');
            const values = new URLSearchParams(new FormData(form));
            values.set('load', 'error');
            return fetch(form.action, {method: 'POST', body: values, redirect: 'manual'})
            """)
        self.page.script("""
            const form = document.querySelector('form[action$="/reload"]');
            return fetch(form.action, {
              method: 'POST', body: new URLSearchParams(new FormData(form)), redirect: 'manual'})
            """)
        self.page.wait_text("#live .standing", "failed")
        # The failed call gets its button without a load of the page.
        self.page.wait(
            lambda: self.page.all("form[action$='/watched/1/retry'] button"),
            "there never was a button to retry")
        self.assertTrue(self.page.script("return window.isSame"))

    def parts(self, count):
        """Waits until the live part has been changed so many times."""
        self.page.script("""
            window.changes ??= 0;
            window.observer?.disconnect();
            window.observer = new MutationObserver(() => { window.changes += 1; });
            window.observer.observe(document.getElementById('live'), {
              childList: true, characterData: true, attributes: true, subtree: true})
            """)
        before = self.page.script("return window.changes")
        self.page.wait(
            lambda: self.page.script("return window.changes") >= before + count,
            "the page is not refreshed")

    def test_a_live_page_keeps_its_places_its_focus_its_picture_and_what_is_typed(self):
        self.page.size(390, 900)
        self.page.open(self.first_run("key=airports.csv"))
        self.wait_live(self.page)
        self.scroll_to(".path img")
        self.page.wait(
            lambda: self.page.find(".path img").get_property("naturalWidth"),
            "the path was never drawn")
        self.page.script("""
            const log = document.querySelector('ol.log');
            log.scrollTop = 90;
            log.tabIndex = 0;
            log.focus({ preventScroll: true });
            window.log = log;
            window.picture = document.querySelector('.path img');
            document.querySelector('#stage-69').open = true
            """)
        self.parts(3)
        top, is_same, is_focused, is_picture, is_open = self.page.script("""
            const log = document.querySelector('ol.log');
            return [
              log.scrollTop, log === window.log, document.activeElement === log,
              document.querySelector('.path img') === window.picture,
              document.querySelector('#stage-69').open]
            """)
        self.assertEqual(top, 90)
        self.assertEqual([is_same, is_focused, is_picture, is_open], [True] * 4)
        pictures = self.page.script(
            "return performance.getEntriesByType('resource')"
            ".filter((one) => one.name.includes('path.svg')).length")
        self.assertEqual(pictures, 1)
        # A wide table keeps its place, and a form in the live part what is typed.
        self.page.open("/flow?name=order")
        self.wait_live(self.page)
        self.page.find("input[name=key]").send_keys("customer 1")
        self.parts(2)
        self.page.keys("8")
        self.assertEqual(self.page.find("input[name=key]").get_property("value"), "customer 18")
        self.page.open("/watched/2")
        self.wait_live(self.page)
        place = "return document.querySelector('div[aria-label=Pages]').scrollLeft"
        self.page.script("document.querySelector('div[aria-label=Pages]').scrollLeft = 30")
        self.assertEqual(self.page.script(place), 30)
        self.page.click("input[value=offline]")
        self.page.script("""
            const form = document.querySelector('form[action$="/more"]');
            return fetch(form.action, {
              method: 'POST', body: new URLSearchParams(new FormData(form)), redirect: 'manual'})
            """)
        self.page.wait(
            lambda: self.facts()["Items"].startswith("40 "), "the next page was never loaded")
        self.assertEqual(self.page.script(place), 30)
        self.assertTrue(self.page.find("input[value=offline]").is_selected())

    def test_the_words_of_times_go_on_by_themselves(self):
        self.page.open(self.run_page("dead"))
        self.wait_live(self.page)
        # At a whole minute there are no seconds.
        self.page.wait(lambda: self.page.script("""
            window.time = [...document.querySelectorAll('#live time')].find(
              (one) => / s( ago)?$/.test(one.textContent));
            return Boolean(window.time)
            """), "no time has seconds")
        before = self.page.script("return window.time.textContent")
        self.page.wait(
            lambda: self.page.script("return window.time.textContent") != before,
            "no time passes on the page")
        # No more than words comes: neither the table nor the stages.
        self.page.script("""
            window.parts = [];
            const stream = new EventSource(document.getElementById('live').dataset.live);
            stream.onmessage = (event) => {
              window.parts.push(JSON.parse(event.data));
              if (window.parts.length === 4) stream.close();
            };
            """)
        self.page.wait(
            lambda: self.page.script("return window.parts.length") == 4, "the server is silent")
        whole = self.page.script("return window.parts.map((part) => Boolean(part.html))")
        self.assertEqual(whole, [True, False, False, False])

    def test_a_row_that_comes_takes_no_focus_and_no_press(self):
        self.page.open("/runs?flow=import")
        self.wait_live(self.page)
        self.page.keys("j")
        focused = self.focused_link()
        other = self.other_window()
        run = self.start_run(other)
        self.page.wait(lambda: run in self.runs_in(self.page), "the run never appeared")
        self.assertEqual(self.focused_link(), focused)
        # While the pointer is down, nothing below it is changed; the click reaches its link.
        link = self.page.find(f"table.runs a[href='{focused.removeprefix(self.process.address)}']")
        self.page.actions().click_and_hold(link).perform()
        again = self.start_run(other)
        self.wait_held()
        self.assertNotIn(again, self.runs_in(self.page))
        self.page.actions().release().perform()
        self.page.wait(
            lambda: self.process.address + self.page.path == focused, "the click led nowhere")

    def wait_held(self):
        self.page.wait(
            lambda: self.page.text("#pulse") == "Waits while you select.", "nothing was held back")

    def test_a_selection_holds_the_page_which_says_so(self):
        self.page.open("/runs?flow=import")
        self.wait_live(self.page)
        self.page.script(
            "getSelection().selectAllChildren(document.querySelector('table.runs tbody a'))")
        run = self.start_run(self.other_window())
        self.wait_held()
        # The time is that of what stands there.
        time = self.page.text("#as-of")
        self.parts_of_stream(2)
        self.assertEqual(self.page.text("#as-of"), time)
        self.assertNotIn(run, self.runs_in(self.page))
        self.page.script("getSelection().removeAllRanges()")
        self.page.wait(lambda: run in self.runs_in(self.page), "the run never appeared")
        self.wait_live(self.page)

    def parts_of_stream(self, count):
        """Waits until another stream of the page has had so many messages."""
        self.page.script("""
            window.messages = 0;
            const stream = new EventSource(document.getElementById('live').dataset.live);
            stream.onmessage = () => {
              window.messages += 1;
              if (window.messages === arguments[0]) stream.close();
            };
            """, count)
        self.page.wait(
            lambda: self.page.script("return window.messages") == count, "the server is silent")

    def test_a_choice_that_is_not_sent_stays_whatever_others_choose(self):
        self.page.open("/watched/1")
        self.wait_live(self.page)
        self.page.click("input[value=offline]")
        other = self.other_window()
        other.open("/watched/1")
        other.click("input[value=error]")
        seconds = other.find("input[name=seconds]")
        seconds.clear()
        seconds.send_keys("7")
        other.leave_by("Force")
        self.page.wait(
            lambda: self.page.find("input[name=seconds]").get_property("value") == "7",
            "the page never heard of it")
        self.assertTrue(self.page.find("input[value=offline]").is_selected())

    def test_a_stream_that_falls_silent_is_not_live(self):
        # The first message of each stream is the last.
        self.page.command("Page.addScriptToEvaluateOnNewDocument", source="""
            const streams = window.EventSource;
            window.EventSource = class {
              constructor(address) {
                this.stream = new streams(address);
                this.stream.onmessage = (event) => { this.close(); this.onmessage(event); };
              }
              close() { this.stream.close(); }
            };
            window.said = [];
            addEventListener('DOMContentLoaded', () => {
              const pulse = document.getElementById('pulse');
              new MutationObserver(() => window.said.push(pulse.textContent))
                .observe(pulse, { childList: true });
            });
            """)
        self.page.open("/runs")
        self.page.wait(
            lambda: len(self.page.script("return window.said")) >= 3, "the page stays live")
        self.assertEqual(
            self.page.script("return window.said.slice(0, 3)"),
            ["Live", "No answer for 10 s. Trying again…", "Live"])

    def test_an_answer_that_comes_after_a_full_stop_is_not_shown(self):
        # Without streams the page asks, and hears when the test says so.
        self.page.command("Page.addScriptToEvaluateOnNewDocument", source="""
            delete window.EventSource;
            const send = window.fetch;
            window.fetch = (...request) => new Promise((hear) => {
              window.answer = async () => hear(await send(request[0]));
            });
            """)
        self.page.open("/runs?flow=import")
        self.page.wait(
            lambda: self.page.script("return Boolean(window.answer)"), "it never asked")
        before = self.page.text("#as-of")
        self.page.keys(".")
        self.page.script(
            "return window.answer().then(() => new Promise((done) => setTimeout(done, 200)))")
        self.assertEqual(self.page.text("#pulse"), "Refreshing is stopped.")
        self.assertEqual(self.page.text("#as-of"), before)

    def test_a_timeline_that_is_paused_elsewhere_gets_its_other_button(self):
        self.page.open("/timeline?kind=run")
        self.wait_live(self.page)
        self.page.script("window.isSame = true")
        other = self.other_window()
        other.open("/timeline")
        other.leave_by("Pause")
        self.page.wait(
            lambda: self.page.all("form[action$='/timeline/resume']"), "it was never paused")
        self.assertTrue(self.page.script("return window.isSame"))

    def test_an_open_page_is_followed_by_events(self):
        self.page.open("/runs")
        self.page.wait(lambda: "Live" in self.page.text("#pulse"), "the page never was live")
        kinds = self.page.script(
            "return performance.getEntriesByType('resource')"
            ".filter((one) => one.name.includes('/live')).map((one) => one.initiatorType)")
        # Only what is asked again and again is a fetch; an open stream has no entry yet.
        self.assertNotIn("fetch", kinds)

    def wait_live(self, page):
        page.wait(lambda: page.text("#pulse") == "Live", "the page never was live")

    def runs_in(self, page):
        return page.script(
            "return [...document.querySelectorAll('table.runs tbody a')].map((one) => one.href)")

    def other_window(self):
        page = browser.Window(InspectedCase._driver, self.process.address)
        self.addCleanup(page.close)
        return page

    def start_run(self, page):
        """Starts a run in a window; the result is its address."""
        page.open("/schedules/run?name=nightly-export")
        page.leave_by("Run now")
        return self.process.address + page.path

    def test_a_run_that_begins_elsewhere_appears_in_an_open_table(self):
        self.page.open("/runs?flow=import")
        self.wait_live(self.page)
        before = self.runs_in(self.page)
        self.page.script("window.isSame = true")
        run = self.start_run(self.other_window())
        self.page.wait(lambda: run in self.runs_in(self.page), "the run never appeared")
        self.assertEqual(self.runs_in(self.page), [run, *before])
        self.assertTrue(self.page.script("return window.isSame"))

    def test_a_full_stop_holds_the_page_until_the_next(self):
        self.page.open("/runs?flow=import")
        self.wait_live(self.page)
        self.page.keys(".")
        self.assertEqual(self.page.text("#pulse"), "Refreshing is stopped.")
        time = self.page.text("#as-of")
        other = self.other_window()
        run = self.start_run(other)
        # The other window hears of three seconds meanwhile.
        other.open("/runs?flow=import")
        self.wait_live(other)
        for _ in range(3):
            last = other.text("#as-of")
            other.wait(lambda: other.text("#as-of") != last, "the other window stands still")
        self.assertEqual(self.page.text("#as-of"), time)
        self.assertNotIn(run, self.runs_in(self.page))
        self.page.keys(".")
        self.page.wait(lambda: run in self.runs_in(self.page), "the page never went on")
        self.assertEqual(self.page.text("#pulse"), "Live")


class Uses:
    def test_runs_are_filtered_and_retried(self):
        self.page.open("/runs")
        self.page.click("input[value=dead]")
        self.page.leave_by("Filter")
        self.assertIn("state=dead", self.page.path)
        self.assertEqual(len(self.rows("table.runs tbody tr")), 5)
        self.page.open(self.link("table.runs tbody a"))
        self.page.leave_by("Retry")
        self.page.leave_by("Retry")
        self.page.wait_text("[role=status]", "The run is ready again.")
        self.page.open("/all/retry?state=dead")
        self.page.find("input[name=count]").send_keys("4")
        self.page.click("button.primary")
        self.page.wait_text("[role=status]", "4 runs were made ready.")

    def test_runs_are_forked_from_a_stage(self):
        self.page.open("/runs?flow=catalogue")
        self.page.leave_by("Fork…")
        self.page.find("input[name=stage]").send_keys("0")
        self.page.leave_by("Count again")
        self.assertIn("stage=0", self.page.path)
        self.assertIn("effects of their stages are repeated", self.page.text(".effect"))
        # A wrong number changes nothing.
        self.expected_complaints.append("422")
        self.page.find("input[name=count]").send_keys("2")
        self.page.click("button.primary")
        self.page.wait_text("[role=alert]", "1")
        self.page.find("input[name=count]").send_keys("1")
        self.page.click("button.primary")
        self.page.wait_text("[role=status]", "1 run was forked.")
        self.page.open("/runs?flow=catalogue")
        self.assertEqual(len(self.rows("table.runs tbody tr")), 2)

    def test_blocked_runs_are_tried(self):
        self.page.open("/runs?state=blocked")
        self.page.leave_by("Try…")
        self.assertIn("2 would go on and 1 would be blocked again", self.page.text(".effect"))
        rows = [" ".join(row) for row in self.rows("table tbody tr")]
        self.assertIn("split the order", rows[0])
        self.assertTrue(all(row.endswith("goes on") for row in rows[1:]), rows)
        self.page.leave_by("Retry the blocked runs…")
        self.assertIn("state=blocked", self.page.path)

    def test_a_flow_is_paused_and_goes_on(self):
        self.page.open("/flow?name=import")
        self.page.leave_by("Pause the flow…")
        self.page.leave_by("Review")
        self.page.leave_by("Pause")
        self.page.wait_text("[role=status]", "The flow “import” is paused.")
        self.page.open("/changes")
        self.assertIn("the flow “import”", self.page.text("table.changes"))
        self.page.open("/flow?name=import")
        self.page.leave_by("Resume the flow…")
        self.page.leave_by("Resume")
        self.page.wait_text("[role=status]", "The flow “import” goes on.")

    def test_loads_are_forced(self):
        self.page.open("/watched/1")
        self.page.click("input[value=empty]")
        self.page.leave_by("Force")
        self.assertTrue(self.page.find("input[value=empty]").is_selected())
        self.page.leave_by("Reload")

        def is_empty():
            self.page.open("/watched/1")
            return self.page.text("pre.json") == "[]"
        self.page.wait(is_empty, "the value never was empty")

    def test_the_timeline_is_paused_and_followed(self):
        self.page.open("/timeline")
        self.page.leave_by("Pause")
        self.page.wait_text("#live", "The record is paused.")
        names = "table.events .at-source > a:first-child"
        name = self.texts(names)[0]
        self.page.open(self.link(names))
        self.assertIn("of=", self.page.path)
        self.assertEqual(set(self.texts(names)), {name})


class FormTests(Uses, InspectedCase):
    pass


class FormTestsWithoutScripts(Uses, InspectedCase):
    has_scripts = False
