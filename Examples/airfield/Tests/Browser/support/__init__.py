"""What the tests in a browser stand on: a server with data, a browser, and the looks at a page."""
