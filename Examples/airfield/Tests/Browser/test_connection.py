"""Servers that end, and answers that are late."""

from selenium.webdriver.common.keys import Keys

from support.case import BrowserCase

LOST = ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED", "ERR_CONNECTION_RESET",
        "ERR_EMPTY_RESPONSE"]


class ConnectionTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.page = self.window()

    def _end_server(self):
        self.expected_complaints += LOST
        self.server.kill()
        self.page.wait_text("#connection", "The connection to the server is lost.")

    def _wait_back(self):
        self.page.wait(
            lambda: not self.page.find("#connection").is_displayed(),
            "the page never came back to the server")

    def test_a_lost_connection_is_told_and_comes_back_without_a_reload(self):
        self.page.open_live("/?q=vienna")
        self.page.script("document.body.dataset.stayed = 'true'")
        self._end_server()
        self.keep(self.page, "state-connection-lost")
        self.server.start()
        self._wait_back()
        self.page.wait_live()
        self.page.find("#q").send_keys(" austria")
        self.page.wait_text("#count", "for “vienna austria”")
        self.assertEqual(self.page.script("return document.body.dataset.stayed"), "true")

    def test_what_is_typed_while_the_connection_is_lost_is_searched_for_once_it_is_back(self):
        self.page.open_live("/")
        self._end_server()
        self.page.find("#q").send_keys("vienna")
        self.server.start()
        self.page.wait_text("#count", "for “vienna”")
        self.page.wait_text("#rows", "Vienna International Airport")

    def test_what_is_typed_before_the_server_has_said_hello_is_searched_for(self):
        self.page.command("Network.enable")
        # The page itself is there when the script asks to be told of changes, and types at once.
        self.page.command(
            "Network.emulateNetworkConditions", offline=False, latency=700,
            downloadThroughput=-1, uploadThroughput=-1)
        self.page.open("/")
        self.assertEqual(self.page.all("html.live"), [], "the server was too quick for this test")
        self.page.find("#q").send_keys("vienna")
        self.page.wait_text("#count", "for “vienna”")

    def test_a_search_that_did_not_get_through_is_sent_again(self):
        self.page.open_live("/")
        self.page.script("""
            const send = window.fetch;
            window.fetch = (address, request) => {
              if (request?.body?.get("do") !== "search") return send(address, request);
              window.fetch = send;
              return Promise.reject(new TypeError("It got lost."));
            };
            """)
        self.page.find("#q").send_keys("v")
        self.page.wait_text("#count", "for “v”")

    def test_a_search_goes_on_while_the_browser_does_not_take_its_address(self):
        self.page.open_live("/")
        self.page.script("history.replaceState = () => { throw new Error('Too often.'); };")
        self.page.find("#q").send_keys("vienna")
        self.page.wait_text("#count", "for “vienna”")
        self.page.script("delete history.replaceState")
        self.page.wait(lambda: "q=vienna" in self.page.path, "the address never followed")

    def test_saving_while_the_server_is_away_keeps_the_edit_and_saves_it_once_it_is_back(self):
        self.page.open_live("/airports/LOWW/edit")
        self.page.fill("City", "Wien")
        self._end_server()
        self.page.script("window.isLeft = true")
        self.page.click_text("Save", "button")
        self.page.wait_text("#unsent", "What you typed is still here")
        for css in ["#unsent", "#connection"]:
            self.assertTrue(
                self.page.script(
                    "const { top, bottom } = document.querySelector(arguments[0])"
                    ".getBoundingClientRect(); return top >= 0 && bottom <= innerHeight;", css),
                f"{css} is out of sight")
        self.keep(self.page, "state-save-waits")
        # What is typed while the server is asked again is saved, too.
        self.page.script("""
            const send = window.fetch;
            window.fetch = (address, request) => address === "/actions" ? send(address, request)
              : new Promise((_, fail) => {
                window.fail = () => { window.fetch = send; fail(); };
              });
            """)
        self.page.wait(
            lambda: self.page.script("return Boolean(window.fail)"), "it is not asked again")
        self.page.fill("Region", "Wien und Umland")
        self.assertEqual(self.page.labelled("City").get_attribute("value"), "Wien")
        self.page.script("window.fail()")
        self.server.start()
        self.page.wait(
            lambda: not self.page.script("return window.isLeft"), "it was never saved")
        self.page.wait_text(".note", "Saved.")
        self.assertIn("Wien und Umland", self.page.text("#airport"))

    def test_nothing_is_typed_between_saving_and_the_answer(self):
        self.page.open_live("/airports/LOWW/edit")
        self.page.fill("City", "Wien")
        # The server answers when the test says so.
        self.page.script("""
            const send = window.fetch;
            window.fetch = (address, request) => address === "/actions" ? send(address, request)
              : new Promise((answer) => { window.answer = answer; });
            """)
        self.page.keys(Keys.ENTER)
        held = "return document.getElementById('editing').inert"
        self.page.wait(lambda: self.page.script(held), "the form can still be changed")
        self.page.script("window.answer(new Response('<main id=content><p>Not now.</p></main>', "
                         "{ headers: { 'Content-Type': 'text/html; charset=utf-8' } }))")
        self.page.wait_text("#unsent", "It was not saved. Not now.")
        self.assertFalse(self.page.script(held))
        # It goes on where it was held up.
        self.page.keys("!")
        self.assertEqual(self.page.labelled("City").get_attribute("value"), "Wien!")
        # What a server answers that has no page for it is told, too.
        self.page.keys(Keys.ENTER)
        self.page.wait(lambda: self.page.script(held), "the form can still be changed")
        self.page.script("window.answer(new Response('Too many visitors at once.', { status: 503 }))")
        self.page.wait_text("#unsent", "It was not saved. Too many visitors at once.")

    def test_leaving_with_an_unsaved_edit_asks_and_without_one_does_not(self):
        asks = (
            "const event = new Event('beforeunload', { cancelable: true });"
            "return !window.dispatchEvent(event);")
        self.page.open_live("/airports/LOWW/edit")
        self.assertFalse(self.page.script(asks), "nothing was typed")
        self.page.labelled("City").send_keys("X")
        self.assertTrue(self.page.script(asks), "what was typed would be lost")
        # Left by the keyboard it is known to the server, and is not saved all the same.
        self.page.keys(Keys.TAB)
        self.page.wait(
            lambda: not self.page.find("#tools [value=undo]").get_attribute("data-off"),
            "the server never heard of it")
        self.assertTrue(self.page.script(asks), "what was typed would be lost")

    def test_a_name_of_two_lines_is_no_unsaved_edit(self):
        self.server.import_by_command(
            "icao,name,country,lat,lon,tz\n"
            "LOWW,\"Vienna\nAirport\",AT,48.11,16.57,Europe/Vienna\n")
        self.page.open_live("/airports/LOWW/edit")
        # A browser asks only somebody who has done something in the page.
        self.page.labelled("City").click()
        self.assertFalse(
            self.page.script(
                "const event = new Event('beforeunload', { cancelable: true });"
                "return !window.dispatchEvent(event);"), "nothing was typed")

    def test_an_edit_outlives_the_server(self):
        self.page.open_live("/airports/LOWW/edit")
        self.page.fill("City", "Wien")
        self._end_server()
        self.server.start()
        self._wait_back()
        self.page.leave_by("Save")
        self.assertEqual(self.page.text(".note"), "Saved.")
        self.assertIn("Wien", self.page.text("#airport"))
