import FieldstoneCore
import FieldstoneTesting
import Testing

@Suite("Queues and mailboxes")
struct DeliveryTests {
  @Test("A queue gives what came first, whatever the mixture of in and out", arguments: 1...20)
  func fifo(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var queue = FIFO<Int>()
    var model: [Int] = []
    for number in 0..<2_000 {
      if Bool.random(using: &random) {
        queue.append(number)
        model.append(number)
      } else {
        #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(queue.count == model.count)
      #expect(queue.isEmpty == model.isEmpty)
    }
  }

  @Test("A queue releases what it gave")
  func fifoReleases() {
    final class Marker {}
    var queue = FIFO<Marker>()
    for _ in 0..<10 { queue.append(Marker()) }
    weak let first = queue.popFirst()
    #expect(first == nil)
  }

  @Test("A mailbox gives in order what was sent before and after it was asked")
  func mailbox() async {
    let mailbox = Mailbox<Int>()
    mailbox.push(1)()
    mailbox.push(2)()
    #expect(await mailbox.next() == 1)
    #expect(await mailbox.next() == 2)
    let later = Task { await mailbox.next() }
    mailbox.push(3)()
    #expect(await later.value == 3)
    mailbox.push(4)()
    mailbox.finish()()
    mailbox.push(5)()
    #expect(await mailbox.next() == 4)
    #expect(await mailbox.next() == nil)
  }

  @Test("A cancelled receiver gets nothing and takes nothing")
  func cancelledReceiver() async {
    let mailbox = Mailbox<Int>()
    let gate = Gate()
    let receiver = Task {
      await gate.wait()
      return await mailbox.next()
    }
    receiver.cancel()
    gate.open()
    #expect(await receiver.value == nil)
    mailbox.push(1)()
    #expect(await mailbox.next() == 1)
  }
}
