import ArgumentParser
import Fieldstone
import FieldstoneDurable
import Foundation

#if PostgreSQL
  import FieldstonePostgres
#endif

/// The PostgreSQL database that has the journal of imports, instead of the database of the airports.
struct ImportJournal: ExpressibleByArgument {
  private let address: String

  init(argument: String) {
    address = argument
  }

  /// Connects while `body` works with the journal, and closes it however that ends.
  func opened<Value: Sendable>(_ body: (any Journal) async throws -> Value) async throws -> Value {
    guard ["postgresql://", "postgres://"].contains(where: address.hasPrefix) else {
      throw MessageError(
        "what --journal names is no PostgreSQL database; give postgresql://user@host/name, or leave it "
          + "out: the journal is in the database of the airports then")
    }
    #if PostgreSQL
      let journal: PostgresJournal
      do {
        journal = try await PostgresJournal(address)
      } catch JournalError.unavailable(let reason) {
        throw MessageError(
          "cannot use the journal at \(place): \(reason); start the server, make the database, or give "
            + "another address with --journal")
      }
      do {
        let value = try await body(journal)
        await journal.close()
        return value
      } catch {
        await journal.close()
        throw error
      }
    #else
      throw MessageError(
        "this airfield was built without PostgreSQL; build it with --traits PostgreSQL, or leave "
          + "--journal out")
    #endif
  }

  /// The address without what may be secret in it.
  private var place: String {
    let url = URLComponents(string: address)
    return "postgresql://\(url?.host ?? "")\(url?.port.map { ":\($0)" } ?? "")\(url?.path ?? "…")"
  }
}
