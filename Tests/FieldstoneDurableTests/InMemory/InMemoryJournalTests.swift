import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import Testing

@Suite("A journal in memory", .timeLimit(.minutes(10)))
struct InMemoryJournalTests {
  @Test("It keeps what every journal promises")
  func conforms() async throws {
    try await JournalConformance { InMemoryJournal() }.check()
  }

  @Test("It keeps it with limits of its own, and when two share it")
  func shared() async throws {
    var suite = JournalConformance {
      InMemoryJournal(limits: PayloadLimits(warning: 10, error: 100))
    }
    suite.payloadLimit = 100
    suite.openAnother = { $0 }
    try await suite.check()
  }
}
