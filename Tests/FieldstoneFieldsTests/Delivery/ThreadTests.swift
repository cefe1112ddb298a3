import FieldstoneFields
import FieldstoneTesting
import Foundation
import Testing

@Suite("Fields that go from thread to thread")
struct ThreadTests {
  /// Does something on a thread that has delivered nothing before.
  private func onFreshThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        body()
        continuation.resume()
      }
    }
  }

  @Test("The deliveries of two threads are not taken for one")
  func deliveries() async {
    let heard = Recorder<Int?>()
    let reports = Recorder<UnsettledFields>()
    nonisolated(unsafe) let round = Field<Int>("round")
    nonisolated(unsafe) let field = Field<Int>("field")
    field --> { heard.record($0) }
    round --> { round in
      guard let round else { return }
      for number in 0..<60 { field.value = round * 100 + number }
    }
    heard.removeAll()
    for number in 1...3 {
      await onFreshThread {
        UnsettledFields.withHandler({ reports.record($0) }) { round.value = number }
      }
    }
    #expect(reports.elements == [])
    let wanted: [Int?] = (1...3).flatMap { round in (0..<60).map { number in round * 100 + number }
    }
    #expect(heard.elements == wanted)
  }
}
