"""Measures a server of airfield from outside; see the script beside this file."""

import concurrent.futures
import csv
import http.client
import itertools
import os
import pathlib
import random
import resource
import socket
import string
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

from support.server import AIRPORTS, Server, imported

CONNECTIONS = 64
ONE_BY_ONE = 1_000
FIRST_PAGE, SEARCH = 50, 100  # milliseconds, at the 99th percentile

# Pages that are shown meanwhile: each client opens one's stream of events, holds it for so many
# seconds once it has begun, drops it and opens another.
STREAMS = 32
HOLDING = (0.5, 2.0)
HELLO = b'"hello"'

# Memory may still grow by what the allocator keeps; what leaks goes on growing.
FORGOTTEN = 60  # seconds after which those are forgotten who came first: 40, and some to notice
ROUNDS = 3
GROWTH = 16  # MiB from the end of the first round of the mixed load to that of the last

# So many streams are opened by so many at once and dropped; a minute later the memory is back.
DROPPED, AT_ONCE, BACK = 1_500, 150, 60
LEFT = 32  # MiB more than before

# Over many airports: pages that once took seconds, and all dots of the map for many at once.
SLOWEST = ["/?q=airport&page=8000", "/?q=a", "/?q=airprot"]
SLOW_PAGE = 100  # milliseconds, each time
MAPS = 24
MAP_MEMORY = 400  # MiB more than before, at most, while they are made


def names():
    with open(AIRPORTS, encoding="utf-8", newline="") as file:
        return [(row["icao"], row["name"], row["city"]) for row in csv.DictReader(file)]


def resident(process_id):
    """The memory of a process in MiB."""
    with open(f"/proc/{process_id}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def processor_seconds(process_id):
    with open(f"/proc/{process_id}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak(process_id):
    """The most memory that a process had since it was forgotten, in MiB."""
    with open(f"/proc/{process_id}/status", encoding="ascii") as file:
        line = next(line for line in file if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 2**10


def forget_peak(process_id):
    with open(f"/proc/{process_id}/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


class Streams:
    """Clients that open streams of events, read of them and go, until they are told to stop."""

    def __init__(self, address, paths):
        host, port = address.removeprefix("http://").split(":")
        self._server = (host, int(port))
        self._paths = paths
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.opened = 0
        self.times = []
        self.failures = []
        self._clients = [
            threading.Thread(target=self._come_and_go, args=(number,)) for number in range(STREAMS)]
        for client in self._clients:
            client.start()

    def stop(self):
        self._stop.set()
        for client in self._clients:
            client.join()

    def _come_and_go(self, number):
        choice = random.Random(number)
        while not self._stop.is_set():
            try:
                self._visit(choice)
            except OSError as error:
                with self._lock:
                    self.failures.append(str(error))
                self._stop.wait(0.1)

    def _visit(self, choice):
        start = time.perf_counter()
        with socket.create_connection(self._server, timeout=30) as connection:
            path = choice.choice(self._paths)
            host = f"{self._server[0]}:{self._server[1]}"
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode("ascii"))
            answer = b""
            while HELLO not in answer:
                piece = connection.recv(65_536)
                if not piece:
                    raise OSError(f"{path} ended with {answer[:40]}")
                answer += piece
            with self._lock:
                self.opened += 1
                self.times.append((time.perf_counter() - start) * 1_000)
            # What comes meanwhile is read, as a page does.
            end = time.monotonic() + choice.uniform(*HOLDING)
            while (left := end - time.monotonic()) > 0 and not self._stop.is_set():
                connection.settimeout(min(left, 0.2))
                try:
                    if not connection.recv(65_536):
                        raise OSError(f"{path} was closed")
                except TimeoutError:
                    pass


class Measurement:
    def __init__(self, server, folder, here, seconds):
        self.server = server
        self.folder = pathlib.Path(folder)
        self.here = here
        self.seconds = seconds
        self.missed = []
        self.sizes = []

    def one_by_one(self, title, paths, goal):
        """Asks for pages on one connection, each after the answer to the one before."""
        host = self.server.address.removeprefix("http://")
        connection = http.client.HTTPConnection(host, timeout=30)
        times = []
        for path in paths:
            start = time.perf_counter()
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            times.append((time.perf_counter() - start) * 1_000)
            if answer.status != 200:
                self.missed.append(f"{title}: {path} was answered with {answer.status}")
        connection.close()
        times.sort()
        at = lambda part: times[min(len(times) - 1, int(len(times) * part))]  # noqa: E731
        print(
            f"| {title} | {at(0.5):.1f} | {at(0.9):.1f} | {at(0.99):.1f} | {times[-1]:.1f} "
            f"| {goal} |")
        if at(0.99) > goal:
            self.missed.append(f"{title}: {at(0.99):.1f} ms at the 99th percentile, over {goal}")

    def load(self, title, paths, is_shown=True):
        """Asks for pages on all connections for a while."""
        file = self.folder / "paths.txt"
        file.write_text("\n".join(paths) + "\n", encoding="ascii")
        used = processor_seconds(self.server.process_id)
        start, own = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        output = subprocess.run(
            ["wrk", "--threads", "1", "--connections", str(CONNECTIONS), "--timeout", "10s",
             "--duration", f"{self.seconds}s", "--script", f"{self.here}/pages.lua",
             self.server.address, "--", str(file)],
            check=True, capture_output=True, text=True, timeout=self.seconds + 60).stdout
        passed, client = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        line = next(line for line in output.splitlines() if line.startswith("figures "))
        count, microseconds, size, *latencies, errors = map(int, line.split()[1:])
        middle, most, nearly_all, longest = (value / 1_000 for value in latencies)
        used = (processor_seconds(self.server.process_id) - used) / passed
        asking = (client.ru_utime + client.ru_stime - own.ru_utime - own.ru_stime) / passed
        self.sizes.append(resident(self.server.process_id))
        if errors:
            self.missed.append(f"{title}: {errors} of {count} requests failed")
        if not is_shown:
            return
        print(
            f"| {title} | {count * 1e6 / microseconds:,.0f} | {size / max(1, count) / 1_024:.0f} "
            f"| {middle:.1f} | {most:.1f} | {nearly_all:.1f} | {longest:.0f} | {errors} "
            f"| {used:.2f} | {asking:.2f} | {self.sizes[-1]:.0f} |", flush=True)


    def drop_streams(self, paths):
        """Opens many streams, drops them, and looks at the memory a minute later."""
        host, port = self.server.address.removeprefix("http://").split(":")
        before = resident(self.server.process_id)

        def begin(path):
            connection = socket.create_connection((host, int(port)), timeout=30)
            head = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n"
            connection.sendall(head.encode("ascii"))
            answer = b""
            while HELLO not in answer:
                piece = connection.recv(65_536)
                if not piece:
                    break
                answer += piece
            return connection, HELLO in answer

        failed = 0
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as clients:
            for start in range(0, DROPPED, AT_ONCE):
                some = [paths[number % len(paths)] for number in range(start, start + AT_ONCE)]
                for connection, has_begun in list(clients.map(begin, some)):
                    failed += not has_begun
                    connection.close()
        most = resident(self.server.process_id)
        time.sleep(BACK)
        after = resident(self.server.process_id)
        print(
            f"\n{DROPPED:,} streams opened and dropped: {before:.0f} MiB before, {most:.0f} MiB "
            f"with the last of them, {after:.0f} MiB {BACK} s later.", flush=True)
        if failed:
            self.missed.append(f"{failed} of {DROPPED} streams never began")
        if after - before > LEFT:
            self.missed.append(
                f"{after - before:.0f} MiB are left of {DROPPED} streams after {BACK} s, over {LEFT}")

    def slowest(self):
        """Asks for each of the slowest pages once after a change, and again."""
        host = self.server.address.removeprefix("http://")
        print("| page | first | again, p50 | again, longest | goal |")
        print("| --- " * 5 + "|")
        for path in SLOWEST:
            # The ranking of all airports is there in any server that has shown a page.
            connection = http.client.HTTPConnection(host, timeout=60)
            times = []
            for each in ["/"] + [path] * 21:
                start = time.perf_counter()
                connection.request("GET", each)
                answer = connection.getresponse()
                answer.read()
                times.append((time.perf_counter() - start) * 1_000)
                if answer.status != 200:
                    self.missed.append(f"{each} was answered with {answer.status}")
            connection.close()
            first, again = times[1], sorted(times[2:])
            print(
                f"| {path} | {first:.0f} | {again[len(again) // 2]:.1f} | {again[-1]:.1f} "
                f"| {SLOW_PAGE} |", flush=True)
            if max(first, again[-1]) > SLOW_PAGE:
                self.missed.append(f"{path}: {max(first, again[-1]):.0f} ms, over {SLOW_PAGE}")

    def maps(self):
        """Asks for all dots of the map many times at once, and looks at the most memory meanwhile."""
        address = self.server.address + "/map.txt"

        def size(_):
            with urllib.request.urlopen(address, timeout=120) as answer:
                return len(answer.read())

        before = resident(self.server.process_id)
        forget_peak(self.server.process_id)
        start = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor(MAPS) as clients:
            sizes = list(clients.map(size, range(MAPS)))
        passed = time.perf_counter() - start
        most = peak(self.server.process_id)
        print(
            f"\n{MAPS} times /map.txt at once, {sizes[0] / 1_024:,.0f} KiB each: {passed:.1f} s, "
            f"{before:.0f} MiB before, {most:.0f} MiB at most.", flush=True)
        if most - before > MAP_MEMORY:
            self.missed.append(
                f"{most - before:.0f} MiB more for {MAPS} maps at once, over {MAP_MEMORY}")


def made_up(folder, count):
    """A file of so many airports: words, countries and places spread as in the world's."""
    letters = string.ascii_uppercase + string.digits
    choice = random.Random(1)
    with open(AIRPORTS, encoding="utf-8", newline="") as file:
        real = list(csv.DictReader(file))
    path = pathlib.Path(folder) / "many.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(real[0]))
        writer.writeheader()
        for number, code in zip(range(count), itertools.product(letters, repeat=4)):
            row = dict(real[number % len(real)])
            row["icao"] = "".join(code)
            if number >= len(real):
                row["iata"] = ""
            row["lat"] = f"{min(89.0, max(-89.0, float(row['lat']) + choice.uniform(-3, 3))):.4f}"
            row["lon"] = f"{min(179.0, max(-179.0, float(row['lon']) + choice.uniform(-3, 3))):.4f}"
            writer.writerow(row)
    return path


def measure_many(program, here, count):
    with tempfile.TemporaryDirectory(prefix="airfield-load-") as folder:
        start = time.perf_counter()
        database = imported(program, folder, made_up(folder, count))
        passed = time.perf_counter() - start
        print(f"{count:,} airports, imported in {passed:.0f} s. Times in milliseconds:\n")
        server = Server(program, database)
        try:
            measurement = Measurement(server, folder, here, 0)
            measurement.slowest()
            measurement.maps()
        finally:
            server.close()
    return measurement.missed


def live(path):
    """The address of the events of a page."""
    if path.startswith("/airports/"):
        return "/live?view=airport&icao=" + path.removeprefix("/airports/")
    return "/live?view=directory" + path.removeprefix("/").replace("?", "&")


def main():
    program, here, seconds, rows, *options = sys.argv[1:]
    missed = measure_many(program, here, int(rows)) if int(rows) else measure(program, here, seconds)
    for miss in missed:
        print(f"missed: {miss}", file=sys.stderr)
    sys.exit(1 if "--check" in options and missed else 0)


def measure(program, here, seconds):
    airports = names()
    choice = random.Random(1)
    quote = urllib.parse.quote_plus
    words = [word for _, name, city in airports for word in (name + " " + city).split()]
    searches = ["/?q=" + quote(choice.choice(words)[:choice.randint(1, 8)]) for _ in range(2_000)]
    pages = [f"/airports/{quote(choice.choice(airports)[0])}" for _ in range(2_000)]
    numbered = [f"/?page={choice.randint(1, 566)}" for _ in range(2_000)]
    mixed = [path for four in zip(["/"] * 2_000, searches, pages, numbered) for path in four]

    with tempfile.TemporaryDirectory(prefix="airfield-load-") as folder:
        server = Server(program, imported(program, folder))
        try:
            measurement = Measurement(server, folder, here, int(seconds))
            fresh = resident(server.process_id)
            print(f"{os.cpu_count()} cores, load of {os.getloadavg()[0]:.1f} before this began.\n")
            print(f"One at a time, {ONE_BY_ONE:,} each, in milliseconds:\n")
            print("| page | p50 | p90 | p99 | longest | goal for p99 |")
            print("| --- | --- | --- | --- | --- | --- |")
            measurement.one_by_one("first page", ["/"] * ONE_BY_ONE, FIRST_PAGE)
            measurement.one_by_one("search", searches[:ONE_BY_ONE], SEARCH)
            measurement.one_by_one("airport", pages[:ONE_BY_ONE], FIRST_PAGE)
            measurement.one_by_one("page by number", numbered[:ONE_BY_ONE], FIRST_PAGE)
            print(f"\n{CONNECTIONS} connections, {seconds} s each, times in milliseconds:\n")
            print(
                "| page | a second | KiB | p50 | p90 | p99 | longest | errors | cores of server "
                "| cores of wrk | MiB after |")
            print("| --- " * 11 + "|")
            measurement.load("first page", ["/"])
            measurement.load("searches", searches)
            measurement.load("airports", pages)
            measurement.load("pages by number", numbered)
            streams = Streams(
                server.address, [live(path) for path in ["/"] + searches[:200] + pages[:200]])
            try:
                # Visitors are remembered for a while, so memory grows until as many are forgotten
                # as come.
                warm_up = time.monotonic() + FORGOTTEN
                while time.monotonic() < warm_up:
                    measurement.load("warming up, with streams", mixed, is_shown=False)
                measurement.sizes.clear()
                before = streams.opened
                for number in range(1, ROUNDS + 1):
                    measurement.load(f"all of them, with streams, round {number}", mixed)
                opened = streams.opened - before
                times = sorted(streams.times[before:])
            finally:
                streams.stop()
            if not times:
                measurement.missed.append("no stream of events was ever opened")
            else:
                print(
                    f"\n{STREAMS} clients opened and dropped {opened} streams of events in the "
                    f"rounds of all pages: first event p50 {times[len(times) // 2]:.0f} ms, p99 "
                    f"{times[int(len(times) * 0.99)]:.0f} ms, {len(streams.failures)} failures.")
            if streams.failures:
                measurement.missed.append(
                    f"{len(streams.failures)} streams failed: {streams.failures[0]}")
            growth = measurement.sizes[-1] - measurement.sizes[0]
            print(
                f"\nMemory: {fresh:.0f} MiB fresh, {measurement.sizes[0]:.0f} MiB after the first "
                f"round of all pages, {measurement.sizes[-1]:.0f} MiB after the last.")
            if growth > GROWTH:
                measurement.missed.append(
                    f"memory grew by {growth:.0f} MiB in the rounds of all pages, over {GROWTH}")
            # Not until those of the rounds are forgotten.
            time.sleep(BACK)
            measurement.drop_streams([live(path) for path in ["/"] + searches[:100]])
        finally:
            server.close()
    return measurement.missed


main()
