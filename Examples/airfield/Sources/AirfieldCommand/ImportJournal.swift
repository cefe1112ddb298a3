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
      throw ImportJournalError.notPostgres
    }
    #if PostgreSQL
      let journal: PostgresJournal
      do {
        journal = try await PostgresJournal(address)
      } catch JournalError.unavailable(let reason) {
        throw ImportJournalError.unreachable(place: place, reason: reason)
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
      throw ImportJournalError.notBuilt
    #endif
  }

  /// The address without what may be secret in it.
  private var place: String {
    let url = URLComponents(string: address)
    return "postgresql://\(url?.host ?? "")\(url?.port.map { ":\($0)" } ?? "")\(url?.path ?? "…")"
  }
}

/// What keeps the journal of imports from being used.
enum ImportJournalError: DescribedError {
  /// What was given is no address of a database of PostgreSQL.
  case notPostgres

  /// There is no server, or it refuses.
  case unreachable(place: String, reason: String)

  /// The program was built without what it takes.
  case notBuilt

  /// What went wrong and what to do about it.
  var message: String {
    switch self {
    case .notPostgres:
      "what --journal names is no PostgreSQL database; give postgresql://user@host/name, or leave it out: the "
        + "journal is in the database of the airports then"
    case .unreachable(let place, let reason):
      "cannot use the journal at \(place): \(reason); start the server, make the database, or give another "
        + "address with --journal"
    case .notBuilt:
      "this airfield was built without PostgreSQL; build it with --traits PostgreSQL, or leave --journal out"
    }
  }
}
