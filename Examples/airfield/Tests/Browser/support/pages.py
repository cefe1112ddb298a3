"""The pages of airfield, and how each is brought into the state in which it is looked at."""

from support import files


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


def deleted(window):
    window.open_live("/airports/BIAR")
    if "was deleted" not in window.text("#airport"):
        window.leave_by("Delete")
        window.wait_live()


def sorted_list(window):
    window.open_live("/?sort=-city")
    window.wait(lambda: window.all("#more button"), "the list never became one that grows")


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


def import_nothing(window):
    """The page before any file was imported, or after one was given up."""
    window.open_live("/import")
    for button in ["Cancel", "Give it up", "Discard"]:
        if any(found.text == button for found in window.all("#import-actions button")):
            window.click_text(button)
            window.wait(
                lambda: all(found.text != button for found in window.all("#import-actions button")),
                f"“{button}” did nothing")


def send(window, file):
    """Imports a file as a person does, without waiting for anything."""
    window.choose("A CSV file of airports", file)
    window.click_text("Import", "button")


def import_preview(window):
    """A file that was compared with what is stored."""
    import_nothing(window)
    window.choose("A CSV file of airports", files.changes())
    window.click_text("Preview", "button")
    window.wait_text("#import-head h2", "Preview of changes.csv")


def import_running(window):
    import_nothing(window)
    send(window, files.long())
    window.wait_text("#import-head h2", "Importing long.csv…")
    window.wait(
        lambda: window.text("#import-progress dd") not in ("0", ""), "no row was ever imported")


def import_cancelled(window):
    import_running(window)
    window.click_text("Cancel")
    window.wait_text("#import-head h2", "long.csv was cancelled")


def import_finished(window):
    """A file with rows that were rejected."""
    import_nothing(window)
    send(window, files.FAULTS)
    window.wait_text("#import-head h2", "faults.csv is imported")
    window.wait_text("#import-rejects h2", "rows were rejected")


def import_refused(window):
    """A file that is no list of airports."""
    import_nothing(window)
    send(window, files.wrong())
    window.wait_text("#import-head h2", "shopping.csv was not imported")


def exports(window):
    """The page of the nightly export, as the server was started: with one or without."""
    window.open_live("/exports")


def missing(window):
    window.open("/airports/NONE")


ALL = [
    directory, found, nothing_found, sorted_list, numbered, airport, saved, deleted, edit, mistakes, added, settings,
    faults, import_nothing, import_running, import_cancelled, import_finished, import_refused,
    import_preview, exports, missing]

# What the browser says of the answers to these pages.
COMPLAINTS = ["404 (Not Found)", "status of 410", "422 (Unprocessable Content)"]
