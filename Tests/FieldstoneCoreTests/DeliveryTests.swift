import FieldstoneTesting
import Testing

@testable import FieldstoneCore

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

  @Test("A queue from which some are taken out keeps the order of the others", arguments: 0...40)
  func fifoRemovesAll(given: Int) {
    var queue = FIFO<Int>()
    for number in 0..<100 { queue.append(number) }
    for _ in 0..<given { _ = queue.popFirst() }
    queue.removeAll { $0.isMultiple(of: 3) }
    let rest = (given..<100).filter { !$0.isMultiple(of: 3) }
    #expect(queue.count == rest.count)
    queue.append(100)
    #expect((0...rest.count).map { _ in queue.popFirst() } == rest + [100])
    #expect(queue.isEmpty && queue.popFirst() == nil)
  }

  @Test("A queue releases what it gave")
  func fifoReleases() {
    final class Marker {}
    var queue = FIFO<Marker>()
    for _ in 0..<10 { queue.append(Marker()) }
    let first = { [weak marker = queue.popFirst()] in marker }
    #expect(first() == nil)
  }

  @Test("A mailbox keeps nothing of a receiver that is cancelled when it has its element")
  @MainActor func mailboxForgets() async {
    let mailbox = Mailbox<Int>()
    for number in 0..<20 {
      let receiver = Task { @MainActor in await mailbox.next() }
      while mailbox.waitingCount == 0 { await Task.yield() }
      mailbox.push(number)()
      receiver.cancel()
      #expect(await receiver.value == number)
    }
    #expect(mailbox.leftCount == 0)
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

  @Test("Receivers leave when they are cancelled or the box is finished, whenever that comes")
  func receiversLeave() async {
    for round in 0..<200 {
      let mailbox = Mailbox<Int>()
      let receivers = (0..<4).map { _ in Task { await mailbox.next() } }
      for _ in 0..<round % 8 { await Task.yield() }
      receivers[1].cancel()
      #expect(await receivers[1].value == nil)
      mailbox.push(round)()
      mailbox.finish()()
      var received: [Int] = []
      for receiver in receivers {
        if let number = await receiver.value { received.append(number) }
      }
      #expect(received == [round])
    }
  }

  @Test("What has to make room in a mailbox is released outside its lock")
  func roomIsMadeOutsideTheLock() async {
    final class Sender: Sendable {
      let mailbox: Mailbox<Sender?>
      init(_ mailbox: Mailbox<Sender?>) { self.mailbox = mailbox }
      deinit { mailbox.push(nil)() }
    }
    let mailbox = Mailbox<Sender?>(limit: 1)
    mailbox.push(Sender(mailbox))()
    mailbox.push(nil)()
    let next = await mailbox.next()
    #expect(next != nil && next! == nil)
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
