"""The pages of airfield, and how each is brought into the state in which it is looked at."""


def directory(window):
    window.open_live("/")
    # The list as it is with scripts, which ends in no links to pages.
    window.wait(lambda: window.all("#more button"), "the list never became one that grows")


def found(window):
    window.open_live("/?q=vienna")
    window.wait(lambda: window.all("#more"), "the list never became one that grows")


def nothing_found(window):
    window.open_live("/?q=qqqq")
    window.wait_text("#results", "No airport matches.")


def numbered(window):
    window.open("/?page=283")


def airport(window):
    window.open_live("/airports/BIBD")


def saved(window):
    window.open_live("/airports/BIBD?saved")


def edit(window):
    window.open_live("/airports/BIBD/edit")


def mistakes(window):
    """An edit that was refused."""
    window.open_live("/airports/BIBD/edit")
    window.fill("Name", "")
    window.fill("Latitude", "north")
    window.leave_by("Save")
    window.wait_live()


def added(window):
    window.open_live("/new")


def settings(window):
    window.open_live("/settings")


def faults(window):
    window.open_live("/faults")


def missing(window):
    window.open("/airports/NONE")


ALL = [
    directory, found, nothing_found, numbered, airport, saved, edit, mistakes, added, settings,
    faults, missing]

# What the browser says of the answers to these pages.
COMPLAINTS = ["404 (Not Found)", "422 (Unprocessable Content)"]
