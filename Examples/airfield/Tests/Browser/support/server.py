"""airfield as a process that serves a directory of its own."""

import pathlib
import signal
import sqlite3
import subprocess
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = HERE.parents[2]

# The same file that the Swift tests import, and that airfield has with it.
AIRPORTS = EXAMPLE / "Sources" / "AirfieldApp" / "Directory" / "Resources" / "airports.csv"


def imported(program, folder, file=AIRPORTS):
    """Imports the airports once; every server then starts from a copy."""
    database = pathlib.Path(folder) / "imported.sqlite"
    subprocess.run(
        [program, "import", str(file), "--database", str(database)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=1_800)
    return database


class Server:
    """A server on a free port of the loopback address, over a copy of the imported directory."""

    def __init__(self, program, imported_database, *options):
        self._program = program
        self._options = options
        self._folder = tempfile.TemporaryDirectory(prefix="airfield-browser-")
        self._database = pathlib.Path(self._folder.name) / "airports.sqlite"
        # A copy of the file alone could lack what is still in the log beside it.
        with sqlite3.connect(imported_database) as source:
            with sqlite3.connect(self._database) as copy:
                source.backup(copy)
        source.close()
        copy.close()
        self._port = 0
        self._process = None
        self.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self._port}"

    @property
    def process_id(self):
        return self._process.pid

    def start(self):
        """Starts serving; a second time on the port that it had.

        With the option --inspector it also keeps the path that opens the inspector once.
        """
        self._process = subprocess.Popen(
            [self._program, "serve", "--database", str(self._database), "--port", str(self._port),
             *self._options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # A server that neither opens nor ends would be waited for without end.
        watchdog = threading.Timer(60, self._process.kill)
        watchdog.start()
        line = self._process.stdout.readline()
        watchdog.cancel()
        if not line.startswith("Serving http://127.0.0.1:"):
            self._process.kill()
            raise RuntimeError(f"airfield did not serve: {line}{self._process.stderr.read()}")
        self._port = int(line.split(":")[2].split("/")[0])
        if "--inspector" in self._options:
            self.inspector = self._process.stdout.readline().strip().partition(self.address)[2]

    def import_by_command(self, text):
        """Imports a file as the command line does, in a process of its own."""
        file = pathlib.Path(self._folder.name) / "command.csv"
        file.write_text(text, encoding="utf-8")
        subprocess.run(
            [self._program, "import", str(file), "--database", str(self._database)],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)

    def kill(self):
        """Ends the process as a crash would."""
        self._end(signal.SIGKILL)

    def close(self):
        """Ends the server and removes its directory."""
        self._end(signal.SIGTERM)
        self._folder.cleanup()

    def _end(self, how):
        if self._process.poll() is None:
            self._process.send_signal(how)
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()
