import AirfieldTestSupport
import Dispatch
import FieldstoneDurable
import FieldstoneSQLite
import FieldstoneTesting
import GRDB
import Testing

@testable import AirfieldApp

@Suite("An edit of the directory")
struct EditingTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    _ = try await directory.store([
      Samples.airport("BIBD", name: "Bíldudalur"), Samples.airport("BIRK", name: "Reykjavik"),
    ])
  }

  @Test("is saved as one whole, with its words and a greater revision")
  func saves() async throws {
    let before = try #require(try await directory.record(icao: "bibd"))
    var airport = before.airport
    airport.name = "Świętokrzyskie"
    airport.tags = ["long runway", "Łąka"]
    let after = try await directory.save(airport, replacing: "BIBD", basedOn: before.revision)
    #expect(after.revision == before.revision + 1)
    #expect(try await directory.record(icao: "BIBD") == after)
    #expect(try await directory.codes(of: "swieto") == ["BIBD"])
    #expect(try await directory.codes(of: "laka") == ["BIBD"])
    #expect(try await directory.codes(of: "bildudalur").isEmpty)
  }

  @Test("is refused where somebody else has saved in between, and changes nothing")
  func conflict() async throws {
    let before = try #require(try await directory.record(icao: "BIBD"))
    var mine = before.airport
    mine.name = "Mine"
    var theirs = before.airport
    theirs.name = "Theirs"
    let saved = try await directory.save(theirs, replacing: "BIBD", basedOn: before.revision)
    await #expect(throws: AirportSaveError.conflict(saved)) {
      _ = try await directory.save(mine, replacing: "BIBD", basedOn: before.revision)
    }
    #expect(try await directory.record(icao: "BIBD")?.airport.name == "Theirs")
  }

  @Test("can take another code, but not one that is taken, and not of one that is gone")
  func codes() async throws {
    var airport = try #require(try await directory.airport(icao: "BIBD"))
    airport.icao = "BIRK"
    await #expect(throws: AirportSaveError.codeTaken(icao: "BIRK")) {
      _ = try await directory.save(airport, replacing: "BIBD", basedOn: 1)
    }
    airport.icao = "BIXX"
    let renamed = try await directory.save(airport, replacing: "BIBD", basedOn: 1)
    #expect(try await directory.airport(icao: "BIBD") == nil)
    // Under its other code it is there: nobody has deleted it.
    await #expect(throws: AirportSaveError.conflict(renamed)) {
      _ = try await directory.save(airport, replacing: "BIBD", basedOn: 1)
    }
    await #expect(throws: AirportSaveError.conflict(renamed)) {
      try await directory.delete(icao: "BIBD", basedOn: 1)
    }
    await #expect(throws: AirportSaveError.gone(icao: "NONE")) {
      _ = try await directory.save(airport, replacing: "NONE", basedOn: 1)
    }
    #expect(try await directory.count() == 2)
    let new = Samples.airport("BINN", name: "New")
    #expect(try await directory.save(new, replacing: nil, basedOn: nil).revision == 1)
    #expect(try await directory.codes(of: "new") == ["BINN"])
  }

  @Test("and a deletion mean the airport that has the code, and none that had it before")
  func reusedCode() async throws {
    var old = try #require(try await directory.airport(icao: "BIBD"))
    old.icao = "BIXX"
    let renamed = try await directory.save(old, replacing: "BIBD", basedOn: 1)
    var new = Samples.airport("BIBD", name: "New")
    _ = try await directory.save(new, replacing: nil, basedOn: nil)
    new.name = "Newer"
    let newer = try await directory.save(new, replacing: "BIBD", basedOn: 1)
    #expect(newer.revision == renamed.revision)
    try await directory.delete(icao: "BIBD", basedOn: newer.revision)
    await #expect(throws: AirportSaveError.gone(icao: "BIBD")) {
      try await directory.delete(icao: "BIBD", basedOn: newer.revision)
    }
    await #expect(throws: AirportSaveError.gone(icao: "BIBD")) {
      _ = try await directory.save(new, replacing: "BIBD", basedOn: newer.revision)
    }
    #expect(try await directory.record(icao: "BIXX") == renamed)
  }

  @Test("and all else that is written goes in line with the journal, also of other processes")
  func inLine() async throws {
    // As `airfield import` has the file open for itself.
    let other = try AirportDirectory(path: directory.path)
    let entered = Gate()
    let leave = DispatchSemaphore(value: 0)
    let theirs = Task {
      try await other.journal.write { db in
        entered.open()
        leave.wait()
        try db.execute(sql: "UPDATE airport SET revision = 7 WHERE icao = 'BIBD'")
      }
    }
    await entered.wait()
    var airport = try #require(try await directory.airport(icao: "BIBD"))
    airport.name = "Mine"
    let mine = Task { [airport, directory] in
      try await directory.save(airport, replacing: "BIBD", basedOn: 7)
    }
    leave.signal()
    try await theirs.value
    // It had to wait for theirs, and knows of it.
    #expect(try await mine.value.revision == 8)

    // Nothing gets past the line once it is closed.
    try await directory.journal.close()
    let closed = JournalError.closed
    await #expect(throws: closed) {
      _ = try await directory.save(airport, replacing: "BIBD", basedOn: 8)
    }
    await #expect(throws: closed) { _ = try await directory.store([airport]) }
    await #expect(throws: closed) { try await directory.importingBundledAirports {} }
    #expect(try await directory.record(icao: "BIBD")?.revision == 8)
  }

  @Test("keeps its tags when the airport is imported again, and counts as older then")
  func importing() async throws {
    var airport = try #require(try await directory.airport(icao: "BIBD"))
    airport.tags = ["scenic"]
    let saved = try await directory.save(airport, replacing: "BIBD", basedOn: 1)
    _ = try await directory.store([Samples.airport("BIBD", name: "Imported")])
    let now = try #require(try await directory.record(icao: "BIBD"))
    #expect(now.airport.tags == ["scenic"])
    #expect(now.airport.name == "Imported")
    #expect(now.revision == saved.revision + 1)
    #expect(try await directory.codes(of: "scenic") == ["BIBD"])
  }

  @Test("can be made in a file of 0.1.0, whose regions are indexed when it is opened")
  func older() async throws {
    let path = try folder.path("old.sqlite")
    let queue = try DatabaseQueue(path: path)
    try await queue.write { db in
      try db.execute(sql: Self.firstForm)
    }
    try queue.close()
    let directory = try AirportDirectory(path: path)
    #expect(try await directory.codes(of: "lodz") == ["EPLL"])
    #expect(try await directory.codes(of: "voivodeship") == ["EPLL"])
    var airport = try #require(try await directory.airport(icao: "EPLL"))
    #expect(airport.tags == ["old"])
    airport.tags = ["new"]
    #expect(try await directory.save(airport, replacing: "EPLL", basedOn: 1).revision == 2)
    #expect(try await directory.codes(of: "old").isEmpty)
    #expect(try await directory.codes(of: "new") == ["EPLL"])
    #expect(try await directory.codes(of: "voivodeship") == ["EPLL"])
    _ = try await directory.store([Samples.airport("BIBD", name: "Bíldudalur")])
    #expect(try await directory.codes(of: "bild") == ["BIBD"])
    let imports = try await directory.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM importRun WHERE isOver")
    }
    #expect(imports == 1)
  }

  private static let firstForm = """
    CREATE TABLE airport (
      id INTEGER PRIMARY KEY, icao TEXT NOT NULL UNIQUE, iata TEXT, name TEXT NOT NULL, city TEXT,
      region TEXT, country TEXT NOT NULL, countryName TEXT NOT NULL, elevation REAL,
      latitude REAL NOT NULL, longitude REAL NOT NULL, timeZone TEXT NOT NULL, localCode TEXT,
      sortName TEXT NOT NULL, tags TEXT NOT NULL DEFAULT '', revision INTEGER NOT NULL DEFAULT 1,
      words TEXT NOT NULL DEFAULT '', tagWords TEXT NOT NULL DEFAULT '');
    CREATE INDEX airportByName ON airport (sortName, icao);
    CREATE INDEX airportByCountry ON airport (country, sortName, icao);
    CREATE TABLE bundledImport (id INTEGER PRIMARY KEY CHECK (id = 1), isComplete INTEGER NOT NULL);
    CREATE VIRTUAL TABLE airportSearch USING fts5 (
      words, tagWords, content = 'airport', content_rowid = 'id', prefix = '1 2 3',
      tokenize = 'unicode61 remove_diacritics 2');
    CREATE TRIGGER airportInserted AFTER INSERT ON airport BEGIN
      INSERT INTO airportSearch (rowid, words, tagWords)
      VALUES (new.id, new.words, new.tagWords);
    END;
    CREATE TRIGGER airportDeleted AFTER DELETE ON airport BEGIN
      INSERT INTO airportSearch (airportSearch, rowid, words, tagWords)
      VALUES ('delete', old.id, old.words, old.tagWords);
    END;
    CREATE TRIGGER airportUpdated AFTER UPDATE OF words, tagWords ON airport BEGIN
      INSERT INTO airportSearch (airportSearch, rowid, words, tagWords)
      VALUES ('delete', old.id, old.words, old.tagWords);
      INSERT INTO airportSearch (rowid, words, tagWords)
      VALUES (new.id, new.words, new.tagWords);
    END;
    CREATE TABLE importRun (
      id INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, path TEXT NOT NULL,
      read INTEGER NOT NULL DEFAULT 0, stored INTEGER NOT NULL DEFAULT 0,
      updated INTEGER NOT NULL DEFAULT 0, unchanged INTEGER NOT NULL DEFAULT 0,
      rejected INTEGER NOT NULL DEFAULT 0, isOver INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE importSeen (
      import INTEGER NOT NULL, icao TEXT NOT NULL, record INTEGER NOT NULL,
      PRIMARY KEY (import, icao)) WITHOUT ROWID;
    CREATE TABLE importReject (
      import INTEGER NOT NULL, record INTEGER NOT NULL, line INTEGER NOT NULL,
      reason TEXT NOT NULL, PRIMARY KEY (import, record)) WITHOUT ROWID;
    CREATE TABLE exportRun (name TEXT PRIMARY KEY, finished INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES
      ('airports'), ('edits and folded words'), ('imports'), ('exports');
    INSERT INTO importRun (run, path, isOver) VALUES ('a', 'airports.csv', 1);
    INSERT INTO airport VALUES
      (1, 'EPLL', 'LCJ', 'Łódź', NULL, 'Łódź Voivodeship', 'PL', 'Poland', 1, 2, 3, 'UTC', NULL,
        'lodz', 'old', 1, 'epll lcj lodz pl poland', 'old');
    """
}
