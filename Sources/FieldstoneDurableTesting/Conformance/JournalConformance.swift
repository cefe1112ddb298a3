public import FieldstoneDurable

/// What every journal promises, as a suite that any journal can be put through.
///
/// It needs no test framework: ``check()`` throws what failed, all of it.
///
/// ```swift
/// @Test func conforms() async throws {
///   try await JournalConformance { try MyJournal(in: temporaryFolder()) }.check()
/// }
/// ```
///
/// Each sentence of the documentation of `Journal` is tried on a journal of its own, with clocks
/// that the suite sets itself; it never sleeps. Some 2,500 checkpoints and starts are made in all.
/// It trusts a journal to return from each call.
public struct JournalConformance<Store: Journal>: Sendable {
  /// How a journal with transactions is tried: a write of a text, and the texts that were written.
  public struct Transactions: Sendable {
    let write: @Sendable (String) -> CheckpointWrite
    let written: @Sendable (Store) async throws -> [String]

    /// Makes the description of a journal's transactions.
    ///
    /// - Parameters:
    ///   - write: makes a write that keeps a text beside the journal's own data.
    ///   - written: reads all texts that are kept, in any order; none when nothing was written yet.
    public init(
      write: @escaping @Sendable (String) -> CheckpointWrite,
      written: @escaping @Sendable (Store) async throws -> [String]
    ) {
      self.write = write
      self.written = written
    }
  }

  let makeJournal: @Sendable () async throws -> Store

  /// The journal's transactions; without, writes must be refused by `JournalError.noTransactions`.
  public var transactions: Transactions?

  /// Opens a second journal on the store of one that is open, for journals that can share a store.
  public var openAnother: (@Sendable (Store) async throws -> Store)?

  /// How many bytes a payload may have in the journals that are made.
  public var payloadLimit = PayloadLimits().error

  /// Makes a suite for a journal.
  ///
  /// - Parameter makeJournal: makes an empty journal; each promise is tried on a new one.
  public init(makeJournal: @escaping @Sendable () async throws -> Store) {
    self.makeJournal = makeJournal
  }

  /// Puts the journal through all of the promises.
  ///
  /// - Throws: ``JournalConformanceError`` with every promise that was broken; what `makeJournal`
  ///   and `openAnother` throw.
  public func check() async throws {
    var failures: [JournalConformanceError.Failure] = []
    for trial in JournalTrial.all {
      failures += try await failuresOf(trial)
    }
    if !failures.isEmpty {
      throw JournalConformanceError(journal: "\(Store.self)", failures: failures)
    }
  }

  private func failuresOf(_ trial: JournalTrial) async throws -> [JournalConformanceError.Failure] {
    let store = try await makeJournal()
    let examination = JournalExamination(
      journal: store, other: try await openAnother?(store), payloadLimit: payloadLimit)
    if let transactions {
      examination.transactions = (transactions.write, { try await transactions.written(store) })
    }
    do {
      try await trial.body(examination)
    } catch let error as JournalExamination.Missing {
      examination.expect(false, trial.promise, error.detail)
    } catch {
      examination.expect(false, trial.promise, "it threw \(error).")
    }
    return examination.failures
  }
}
