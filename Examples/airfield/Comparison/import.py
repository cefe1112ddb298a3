"""The bundled import as a Python script: the same checks, tables, indexes and words of the search, but
not to be resumed.

    python3 import.py FILE DATABASE

It is what `compare` measures airfield against, written as one would write it in Python: `csv` and
`sqlite3` do the work, and nothing is checked or stored that airfield does not check or store. The words
of a batch are indexed at once, as in airfield: that is faster than a trigger for each row.
"""

import csv
import functools
import os
import re
import sqlite3
import sys
import unicodedata
import zoneinfo

COLUMNS = ["icao", "iata", "name", "city", "subd", "country", "elevation", "lat", "lon", "tz", "lid"]
REQUIRED = ["icao", "name", "country", "lat", "lon", "tz"]
BATCH = 1200
LONGEST = 200

SCHEMA = """
CREATE TABLE airport (
  id INTEGER PRIMARY KEY,
  icao TEXT NOT NULL UNIQUE,
  iata TEXT,
  name TEXT NOT NULL,
  city TEXT,
  region TEXT,
  country TEXT NOT NULL,
  countryName TEXT NOT NULL,
  elevation REAL,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  timeZone TEXT NOT NULL,
  localCode TEXT,
  sortName TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '',
  revision INTEGER NOT NULL DEFAULT 1,
  words TEXT NOT NULL DEFAULT '',
  tagWords TEXT NOT NULL DEFAULT '',
  sortCity TEXT NOT NULL DEFAULT ''
);
CREATE INDEX airportByName ON airport (sortName, icao);
CREATE INDEX airportByCountry ON airport (country, sortName, icao);
CREATE INDEX airportByIATA ON airport (iata) WHERE iata IS NOT NULL;
CREATE INDEX airportByCity ON airport (sortCity) WHERE sortCity <> '';
CREATE INDEX airportByPlace ON airport (latitude, longitude);
CREATE TABLE bundledImport (id INTEGER PRIMARY KEY CHECK (id = 1), isComplete INTEGER NOT NULL);
CREATE VIRTUAL TABLE airportSearch USING fts5 (
  words, tagWords, content = 'airport', content_rowid = 'id', prefix = '1 2 3',
  tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE airportUnindexed (id INTEGER PRIMARY KEY);
CREATE TRIGGER airportInserted AFTER INSERT ON airport
WHEN NOT EXISTS (SELECT 1 FROM airportUnindexed) BEGIN
  INSERT INTO airportSearch (rowid, words, tagWords) VALUES (new.id, new.words, new.tagWords);
END;
CREATE TRIGGER airportDeleted AFTER DELETE ON airport BEGIN
  INSERT INTO airportSearch (airportSearch, rowid, words, tagWords)
  VALUES ('delete', old.id, old.words, old.tagWords);
END;
CREATE TRIGGER airportUpdated AFTER UPDATE OF words, tagWords ON airport BEGIN
  INSERT INTO airportSearch (airportSearch, rowid, words, tagWords)
  VALUES ('delete', old.id, old.words, old.tagWords);
  INSERT INTO airportSearch (rowid, words, tagWords) VALUES (new.id, new.words, new.tagWords);
END;
"""

INSERT = """
INSERT INTO airport (icao, iata, name, city, region, country, countryName, elevation,
  latitude, longitude, timeZone, localCode, sortName, words, sortCity)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
ON CONFLICT (icao) DO NOTHING
"""

UPDATE = """
UPDATE airport SET (iata, name, city, region, country, countryName, elevation,
    latitude, longitude, timeZone, localCode, sortName, words, sortCity, revision)
  = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, revision + 1)
WHERE icao = ?1 AND (iata, name, city, region, country, countryName, elevation,
    latitude, longitude, timeZone, localCode, sortName)
  IS NOT (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
"""

icao_form = re.compile(r"[A-Z0-9_]{4}").fullmatch
iata_form = re.compile(r"[A-Z0-9]{3}").fullmatch
country_form = re.compile(r"[A-Z]{2}").fullmatch
number_form = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?").fullmatch
has_control = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]").search


@functools.cache
def is_zone(name):
    try:
        zoneinfo.ZoneInfo(name)
        return True
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        return False


SPELLINGS = {
    "æ": "ae", "ð": "d", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "ß": "ss",
    "þ": "th", "ŧ": "t",
}


def sort_key(name):
    if name.isascii():
        return name.lower()
    return "".join(
        SPELLINGS.get(character.lower(), character.lower())
        for character in unicodedata.normalize("NFD", name)
        if unicodedata.category(character) not in ("Mn", "Cf"))


class Reject(Exception):
    """Why a row becomes no airport."""


def code(value, column, form):
    if not form(value):
        raise Reject(f"{column} “{value}” is malformed")
    return value


def text(value, column):
    if not value.strip(" "):
        return None
    if len(value) > LONGEST:
        raise Reject(f"{column} is longer than {LONGEST} characters")
    if has_control(value):
        raise Reject(f"{column} holds a control character")
    return value


def number(value, column, low, high):
    if not number_form(value):
        raise Reject(f"{column} “{value}” is not a number")
    parsed = float(value)
    if not low <= parsed <= high:
        raise Reject(f"{column} “{value}” is not from {low} to {high}")
    return parsed


def validate(row, width, positions, countries):
    if len(row) != width:
        raise Reject(f"{len(row)} columns instead of {width}")
    icao, iata, name, city, subd, country, elevation, lat, lon, tz, lid = (
        row[position] if position is not None else "" for position in positions
    )
    for column, value in (("icao", icao), ("name", name), ("country", country),
                          ("lat", lat), ("lon", lon), ("tz", tz)):
        if not value:
            raise Reject(f"{column} is empty")
    icao = code(icao, "icao", icao_form)
    iata = code(iata, "iata", iata_form) if iata else None
    name = text(name, "name")
    if name is None:
        raise Reject("name is empty")
    city = text(city, "city")
    subd = text(subd, "subd")
    country = code(country, "country", country_form)
    elevation = number(elevation, "elevation", -2000, 30000) if elevation else None
    lat = number(lat, "lat", -90, 90)
    lon = number(lon, "lon", -180, 180)
    if not is_zone(tz):
        raise Reject(f"tz “{tz}” is not a known time zone")
    lid = text(lid, "lid")
    country_name = countries.get(country, country)
    words = (icao, iata, lid, name, city, subd, country, country_name)
    return (icao, iata, name, city, subd, country, country_name, elevation, lat, lon, tz, lid,
            sort_key(name), sort_key(" ".join(word for word in words if word is not None)),
            sort_key(city or ""))


def main(path, database):
    with open(os.path.join(os.path.dirname(__file__), "countries.tsv"), encoding="utf-8") as file:
        countries = dict(line.rstrip("\n").split("\t") for line in file)
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.executescript("BEGIN;" + SCHEMA + "COMMIT;")

    counts = dict(read=0, stored=0, updated=0, unchanged=0, rejected=0)
    seen = {}
    rejects = []
    batch = []

    def index(first):
        connection.execute("INSERT INTO airportSearch (rowid, words, tagWords)"
                           " SELECT id, words, tagWords FROM airport WHERE id >= ?", (first,))
        connection.execute("DELETE FROM airportUnindexed")

    def store():
        connection.execute("BEGIN IMMEDIATE")
        newest, = connection.execute("SELECT max(id) FROM airport").fetchone()
        first = (newest or 0) + 1
        connection.execute("INSERT INTO airportUnindexed (id) VALUES (?)", (first,))
        for airport in batch:
            if connection.execute(INSERT, airport).rowcount:
                counts["stored"] += 1
                continue
            if first is not None:
                # What is changed has to be in the index, which is told what was there before.
                index(first)
                first = None
            if connection.execute(UPDATE, airport).rowcount:
                counts["updated"] += 1
            else:
                counts["unchanged"] += 1
        if first is not None:
            index(first)
        connection.execute("COMMIT")
        batch.clear()

    with open(path, encoding="utf-8-sig", errors="strict", newline="") as file:
        reader = csv.reader(file, strict=True)
        header = [title.lower() for title in next(reader)]
        missing = [column for column in REQUIRED if column not in header]
        if missing:
            sys.exit("the header lacks " + ", ".join(missing))
        positions = [header.index(column) if column in header else None for column in COLUMNS]
        width = len(header)
        for row in reader:
            if not row:
                continue
            counts["read"] += 1
            try:
                airport = validate(row, width, positions, countries)
                if airport[0] in seen:
                    raise Reject(f"icao “{airport[0]}” repeats record {seen[airport[0]]}")
                seen[airport[0]] = counts["read"]
                batch.append(airport)
            except Reject as reject:
                counts["rejected"] += 1
                rejects.append((counts["read"], reader.line_num, str(reject)))
            if len(batch) >= BATCH:
                store()
    store()
    if rejects:
        with open(database + ".rejects.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["record", "line", "reason"])
            writer.writerows(rejects)
    connection.close()
    print(", ".join(f"{value} {name}" for name, value in counts.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
