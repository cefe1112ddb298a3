import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("Fields that go from thread to thread")
struct ThreadTests {
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
      await onNewThread {
        UnsettledFields.withHandler({ reports.record($0) }) { round.value = number }
      }
    }
    #expect(reports.elements == [])
    let wanted: [Int?] = (1...3).flatMap { round in (0..<60).map { number in round * 100 + number }
    }
    #expect(heard.elements == wanted)
  }
}
