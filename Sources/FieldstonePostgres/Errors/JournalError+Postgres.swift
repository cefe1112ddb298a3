#if PostgreSQL
  import FieldstoneDurable

  extension JournalError {
    /// The error code that the triggers of a sealed journal raise.
    static let seal = "FS001"

    /// The error code of the trigger that refuses runs of foreign slots.
    static let slot = "FS002"

    /// Maps an error of the server to an error of the journal.
    ///
    /// A reason names its remedy after a semicolon, where it is not that of the error's case.
    init(_ error: PostgresError) {
      // libpq gives no codes for lost and refused connections; these are our own.
      if error.sqlState == "08001" || error.sqlState == "08006" {
        self = .unavailable(error.message)
        return
      }
      let message = error.message.replacing("; ", with: ", ")
      let reason = "\(message), SQLSTATE \(error.sqlState)"
      switch error.sqlState {
      case Self.seal: self = .sealed
      case Self.slot: self = .foreignSlot
      case "26000", "42P05": self = .unavailable("\(reason); \(Self.pooled)")
      case "42501": self = .notPermitted("the journal (\(reason)); \(Self.grant(for: message))")
      case "42P01", "42703", "42704", "42883", "3F000":
        self = .noJournal(
          "A schema in which this role does not find all of the journal (\(reason)); name the right "
            + "schema, or GRANT the role USAGE on it")
      default:
        if error.isUnavailable {
          self = .unavailable(reason)
        } else if let (bytes, limit) = Self.indexEntry(of: error) {
          self = .keyTooLong(bytes: bytes, limit: limit)
        } else if error.isBeyondLimit {
          self = .corrupt("\(reason); shorten the names and the keys that it has")
        } else {
          self = Self.refusal(error.sqlState, reason)
        }
      }
    }

    private static func refusal(_ state: String, _ reason: String) -> Self {
      switch state.prefix(2) {
      // Data that can't be read, or values that the server can't decode.
      case "22": .corrupt(reason)
      case _ where state == "XX001" || state == "XX002": .corrupt(reason)
      case "23", "27", "44", "P0":
        .corrupt("\(reason); remove constraints and triggers that are not the journal's own")
      default:
        .unavailable(
          "\(reason); try again, and if that remains update Fieldstone or the server")
      }
    }

    private static let pooled =
      "behind a pooler that shares sessions between transactions, set isPooled in "
      + "PostgresJournalOptions, or FIELDSTONE_POOLED=true for the command"

    /// The right that a role lacks, by the server's message.
    private static func grant(for message: String) -> String {
      if message.contains("for database") { return "GRANT the role CREATE on the database" }
      if message.contains("for schema") {
        return "GRANT the role USAGE on the schema, and CREATE if it makes the tables"
      }
      return "GRANT the role its rights to the schema's tables, as the article “PostgreSQL in "
        + "production” lists them, or let the owner do this"
    }

    /// The size of an index entry that is too large, and the limit, from the server's message.
    ///
    /// The message may be in any language: “index row size 4040 exceeds btree version 4 maximum 2704
    /// for index "run_key"”, or “Indexzeile benötigt 9000 Bytes, Maximalgröße ist 8191”.
    private static func indexEntry(of error: PostgresError) -> (bytes: Int, limit: Int)? {
      guard error.isBeyondLimit,
        ["_bt_check_third_page", "index_form_tuple"].contains(where: {
          error.function?.hasPrefix($0) ?? false
        })
      else { return nil }
      let words = error.message.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
      let numbers = words.compactMap { Int($0) }.sorted(by: >)
      return numbers.count > 1 ? (numbers[0], numbers[1]) : nil
    }
  }

  /// Wraps an error of an own write of a stage or of the app, to distinguish it from errors of the
  /// journal's statements.
  struct WriteFailure: Error {
    let cause: any Error
  }
#endif
