/// One thing that a journal is put through, and the promise that it is about.
struct JournalTrial: Sendable {
  let promise: JournalConformanceError.Promise
  let body: @Sendable (JournalExamination) async throws -> Void

  init(
    _ promise: JournalConformanceError.Promise,
    _ body: @escaping @Sendable (JournalExamination) async throws -> Void
  ) {
    self.promise = promise
    self.body = body
  }

  static var all: [Self] {
    starts + claims + quarantine + leases + checkpoints + returns + signals + changes + pages
      + purges + crowds
      + stores
  }
}
