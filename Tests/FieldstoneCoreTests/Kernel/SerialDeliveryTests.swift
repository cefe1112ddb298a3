import FieldstoneCore
import FieldstoneTesting
import Testing

@Suite("Serial delivery")
struct SerialDeliveryTests {
  @Test("100,000 elements are delivered in the order of sending, also those that the handler sends")
  func order() {
    let heard = Locked<[Int]>([])
    let again = Locked<SerialDelivery<Int>?>(nil)
    let delivery = SerialDelivery<Int> { number in
      heard.withLock { $0.append(number) }
      if number < 100_000 { again.withLock { $0 }?.send(number + 1) }
    }
    again.withLock { $0 = delivery }
    delivery.send(1)
    again.withLock { $0 = nil }
    #expect(heard.withLock { $0 } == Array(1...100_000))
  }

  @Test("Of many threads one delivers at a time, and nothing is lost")
  func crowd() async {
    let inside = Locked(0)
    let most = Locked(0)
    let heard = Recorder<Int>()
    let delivery = SerialDelivery<Int> { number in
      let now = inside.withLock { inside in
        inside += 1
        return inside
      }
      most.withLock { $0 = max($0, now) }
      heard.record(number)
      inside.withLock { $0 -= 1 }
    }
    await withTaskGroup { group in
      for worker in 0..<8 {
        group.addTask { @concurrent in
          for number in 0..<100 { delivery.send(worker * 100 + number) }
        }
      }
    }
    await heard.elements(atLeast: 800)
    #expect(most.withLock { $0 } == 1)
    for worker in 0..<8 {
      let own = heard.elements.filter { $0 / 100 == worker }
      #expect(own == Array(worker * 100..<(worker + 1) * 100))
    }
  }

  @Test("A line gives its claim back with its last element")
  func line() {
    var line = DeliveryLine<Int>()
    line.append(1)
    #expect(line.begin() && !line.begin())
    line.append(2)
    #expect(line.next() == 1 && line.next() == 2 && line.next() == nil)
    #expect(line.begin() && line.next() == nil)
  }
}
