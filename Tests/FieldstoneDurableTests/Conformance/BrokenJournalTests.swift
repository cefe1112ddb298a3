import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import Testing

/// Journals that break what they promise, each in one way, are refused for it.
@Suite("What the journal conformance suite refuses", .timeLimit(.minutes(20)))
struct BrokenJournalTests {
  private typealias Promise = JournalConformanceError.Promise

  /// What a suite finds broken.
  private func broken<Store: Journal>(
    _ suite: JournalConformance<Store>
  ) async throws -> Set<Promise> {
    do {
      try await suite.check()
      return []
    } catch let error as JournalConformanceError {
      #expect(error.journal == "\(Store.self)")
      for failure in error.failures {
        #expect(error.message.contains(failure.promise.rawValue))
        #expect(error.message.contains(failure.detail))
      }
      return Set(error.failures.map(\.promise))
    }
  }

  @Test("A journal that breaks a promise", arguments: BrokenJournal.all)
  func refused(journal: BrokenJournal) async throws {
    #expect(try await suite(of: journal).finds(journal.promise))
  }

  @Test("Every promise that it breaks is in the error")
  func error() async throws {
    let journal = try #require(BrokenJournal.all.first { $0.promise == .chain })
    #expect(try await broken(suite(of: journal)).contains(.chain))
  }

  private func suite(of journal: BrokenJournal) -> JournalConformance<JournalMutant> {
    var suite = JournalConformance {
      var mutant = JournalMutant()
      journal.damage(&mutant)
      return mutant
    }
    suite.keepsLateReports = true
    return suite
  }

  @Test("There is one for each promise")
  func complete() {
    let elsewhere: Set<Promise> = [.sharing]
    #expect(Set(BrokenJournal.all.map(\.promise)).union(elsewhere) == Set(Promise.allCases))
  }

  @Test("None that keeps its promises")
  func none() async throws {
    #expect(try await broken(JournalConformance { JournalMutant() }) == [])
  }

  @Test("Two journals that have nothing in common")
  func sharing() async throws {
    var suite = JournalConformance { InMemoryJournal() }
    suite.openAnother = { _ in InMemoryJournal() }
    #expect(try await broken(suite).contains(.sharing))
  }

  /// What the second journal on a store does not know.
  enum Ignorance: CaseIterable, Sendable {
    case changes, pauses, slots
  }

  @Test("A second journal that knows only its own", arguments: Ignorance.allCases)
  func ignorance(of part: Ignorance) async throws {
    var suite = JournalConformance { JournalMutant() }
    suite.openAnother = { journal in
      var other = JournalMutant(base: journal.base)
      switch part {
      case .changes:
        other.onChanges = { base, mark in
          JournalChanges(mark: try await base.changes(since: mark).mark, runs: [:])
        }
      case .pauses: other.onPauses = { _ in [] }
      case .slots: other.onSlots = { _ in nil }
      }
      return other
    }
    #expect(try await broken(suite).contains(.sharing))
  }

  /// How a journal with transactions makes the writes of a checkpoint.
  enum Writing: CaseIterable, Sendable {
    case asPromised, tooEarly, tooLate, never, withoutError
  }

  @Test("Transactions that are none", arguments: Writing.allCases)
  func transactions(writing: Writing) async throws {
    let texts = Locked<[ObjectIdentifier: [String]]>([:])
    var suite = JournalConformance {
      texts.withLock { $0 = [:] }
      var mutant = JournalMutant()
      mutant.onCheckpoint = { base, checkpoint, time in
        var plain = checkpoint
        plain.writes = []
        let key = ObjectIdentifier(base)
        let notes = Locked<[String]>([])
        switch writing {
        case .asPromised:
          // The claim is looked at first; then nothing can go wrong any more but the writes.
          guard let run = try await base.run(checkpoint.claim.id), run.state == .running,
            run.fence == checkpoint.claim.fence, run.sequence == checkpoint.claim.sequence
          else { throw JournalError.claimLost(checkpoint.claim.id) }
          for write in checkpoint.writes { try write.perform(in: notes) }
          try await base.checkpoint(plain, at: time)
        case .tooEarly:
          for write in checkpoint.writes {
            try write.perform(in: notes)
            let written = notes.withLock { $0 }
            texts.withLock { $0[key] = written }
          }
          try await base.checkpoint(plain, at: time)
        case .tooLate:
          try await base.checkpoint(plain, at: time)
          for write in checkpoint.writes { try write.perform(in: notes) }
        case .never:
          try await base.checkpoint(plain, at: time)
        case .withoutError:
          for write in checkpoint.writes { try? write.perform(in: notes) }
          try await base.checkpoint(plain, at: time)
        }
        let written = notes.withLock { $0 }
        texts.withLock { $0[key, default: []] = written }
      }
      return mutant
    }
    suite.transactions = JournalConformance.Transactions(
      write: { text in
        CheckpointWrite { ($0 as? Locked<[String]>)?.withLock { $0.append(text) } }
      },
      written: { journal in
        let key = ObjectIdentifier(journal.base)
        return texts.withLock { $0[key] ?? [] }
      })
    #expect(try await broken(suite) == (writing == .asPromised ? [] : [.transaction]))
  }
}
