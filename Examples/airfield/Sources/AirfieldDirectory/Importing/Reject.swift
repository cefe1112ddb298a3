/// A row that did not become an airport, as the rejects file lists it.
struct Reject: Sendable, Equatable {
  /// The row's number, from 1 for the first under the header; blank lines do not count.
  let record: Int

  /// The line of the file on which the row begins, from 1.
  let line: Int

  /// Why it was rejected.
  let reason: String
}
