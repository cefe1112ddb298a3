import FieldstoneCommand
import Testing

@Suite("Where a journal is, as a person types it")
struct JournalPlaceTests {
  @Test(
    "A server's place is shown without user, password and options",
    arguments: [
      ("orders.sqlite", "orders.sqlite", false),
      (
        "postgresql://worker:hush@db:5433/orders?sslmode=require", "postgresql://db:5433/orders",
        true
      ),
      ("postgres://worker:hush@db/orders", "postgresql://db/orders", true),
      ("postgresql://worker:hush@a,b/orders", "postgresql://a,b/orders", true),
      ("PostgreSQL://worker:hush@db/orders", "postgresql://db/orders", true),
      ("postgresql:/hush", "postgresql:/hush", false),
    ])
  func shown(text: String, shown: String, isPostgres: Bool) {
    #expect(JournalPlace(text).shown == shown)
    #expect(JournalPlace(text).isPostgres == isPostgres)
  }

  @Test(
    "A connection string that is no URL is known by a keyword at its beginning, whichever it is",
    arguments: [
      ("host=db dbname=orders", true), (" dbname = orders", true), ("\t\nuser\t=ada", true),
      ("connect_timeout=5 password=s3cret", true), ("application_name=a", true),
      ("target_session_attrs=any", true), ("sslrootcert=a", true), ("options=-c", true),
      ("host", false), ("host db=1", false), ("orders.sqlite", false), ("a/host=b", false),
      ("Host=b", false), ("ö=b", false), ("=b", false), ("", false),
    ])
  func connectionText(text: String, isOne: Bool) {
    #expect(JournalPlace(text).isConnectionText == isOne)
  }
}
