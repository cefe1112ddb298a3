"""Servers that end, and answers that are late."""

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

    def test_an_edit_outlives_the_server(self):
        self.page.open_live("/airports/LOWW/edit")
        self.page.fill("City", "Wien")
        self._end_server()
        self.server.start()
        self._wait_back()
        self.page.leave_by("Save")
        self.assertEqual(self.page.text(".note"), "Saved.")
        self.assertIn("Wien", self.page.text("#airport"))
