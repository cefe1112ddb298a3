"""five_steps.py FILE|URL JOURNAL_MODE AT_A_TIME SECONDS

Runs flows of five steps with DBOS on SQLite, or on PostgreSQL by its URL, so many at a time, and prints
one line: flows a second, and on SQLite the journal mode, `synchronous` and its version as the
connections of DBOS have them.
"""

import sqlite3
import sys
import threading
import time

import sqlalchemy
from dbos import DBOS

NAMES = {0: "OFF", 1: "NORMAL", 2: "FULL", 3: "EXTRA"}

place, journal_mode = sys.argv[1:3]
is_server = place.startswith("postgresql:")
at_a_time, seconds = int(sys.argv[3]), float(sys.argv[4])
found = set()


@sqlalchemy.event.listens_for(sqlalchemy.Engine, "connect")
def on_connect(connection, _):
    """Gives each connection of DBOS the journal mode, or with `as-is` leaves it, and notes it."""
    if is_server:
        return
    if journal_mode != "as-is":
        connection.execute(f"PRAGMA journal_mode = {journal_mode}")
    # As a library of SQLite may have been built with another.
    connection.execute("PRAGMA synchronous = FULL")
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    level = connection.execute("PRAGMA synchronous").fetchone()[0]
    found.add((mode, NAMES[level]))


@DBOS.step()
def step(number):
    return number


@DBOS.workflow()
def five_steps():
    total = 0
    for number in range(1, 6):
        total += step(number)
    return total


def measure(at_a_time, seconds):
    """Flows a second: each thread runs one after the other, the last of which begins within the time."""
    counts = [0] * at_a_time
    begin = threading.Barrier(at_a_time + 1)

    def work(index):
        begin.wait()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            # In the caller's thread, which is the fastest way: nothing is handed over or polled.
            assert five_steps() == 15
            counts[index] += 1

    threads = [threading.Thread(target=work, args=(index,)) for index in range(at_a_time)]
    for thread in threads:
        thread.start()
    begin.wait()
    start = time.monotonic()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.monotonic() - start)


DBOS(
    config={
        "name": "five-steps",
        "system_database_url": place if is_server else f"sqlite:///{place}",
        "log_level": "CRITICAL",
    }
)
DBOS.launch()
# Makes the connections and imports what is imported late.
measure(at_a_time, 0.5)
rate = measure(at_a_time, seconds)
DBOS.destroy()
if is_server:
    print(f"{rate:.2f}")
    sys.exit()
if len(found) != 1:
    sys.exit(f"five_steps.py: connections differ: {found}")
print(f"{rate:.2f}", *found.pop(), sqlite3.sqlite_version, sep="\t")
