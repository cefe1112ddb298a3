"""Files to import."""

import atexit
import itertools
import pathlib
import string
import tempfile

from support.server import EXAMPLE

# A file most of whose rows are rejected, each for a reason of its own.
FAULTS = EXAMPLE / "Tests" / "AirfieldDirectoryTests" / "Fixtures" / "faults.csv"

_folder = None


def _path(name):
    global _folder
    if _folder is None:
        _folder = tempfile.TemporaryDirectory(prefix="airfield-files-")
        atexit.register(_folder.cleanup)
    return pathlib.Path(_folder.name) / name


def long():
    """A file of so many rows that its import can be looked at: 650,000 that go quickly."""
    path = _path("long.csv")
    if not path.exists():
        codes = itertools.product(
            "QJXI" + string.digits, *[string.ascii_uppercase + string.digits] * 3)
        with open(path, "w", encoding="utf-8") as file:
            file.write("icao,name,country,lat,lon,tz\n")
            file.writelines(f"{''.join(code)},Field,IS,64,-20,UTC\n" for code in codes)
    return path


def changes():
    """A file with an airport that is new, one with another name, and one without its city."""
    path = _path("changes.csv")
    path.write_text(
        "icao,iata,name,city,country,lat,lon,tz\n"
        "ZZQX,,Newcomer’s Field,,IS,64,-20,UTC\n"
        "BIBD,BIU,Bíldudalur Field,Bíldudalur,IS,65.6413,-23.5462,Atlantic/Reykjavik\n"
        "LOWW,VIE,Vienna International Airport,,AT,48.1103,16.5697,Europe/Vienna\n",
        encoding="utf-8")
    return path


def wrong():
    """A file that is no list of airports."""
    path = _path("shopping.csv")
    path.write_text("what;how many\nmilk;2\n", encoding="utf-8")
    return path
