import FieldstoneTesting
import Testing

@testable import FieldstoneStorage

@Suite("The line of a store's operations")
struct CoalescingSaveQueueTests {
  private func save(
    _ value: Int, _ policy: FileConflictPolicy? = nil
  ) -> CoalescingSaveQueue<Int>.Save {
    CoalescingSaveQueue.Save(value: value, policy: policy, waiter: nil)
  }

  /// Takes all operations out: the values of saves that become one, and none for other work.
  private func drain(_ line: inout CoalescingSaveQueue<Int>) -> [[Int]] {
    var values: [[Int]] = []
    while let operation = line.next() {
      switch operation {
      case .saves(let saves): values.append(saves.map(\.value))
      case .work: values.append([])
      }
    }
    return values
  }

  @Test("Saves that follow one another become one, in order; other work keeps its place")
  func order() {
    var line = CoalescingSaveQueue<Int>()
    _ = line.add(save(1))
    _ = line.add(save(2))
    _ = line.add { _ in }
    _ = line.add(save(3))
    _ = line.add { _ in }
    _ = line.add { _ in }
    for value in [4, 5] { _ = line.add(save(value)) }
    for value in [6, 7] { _ = line.add(save(value, .reload)) }
    #expect(drain(&line) == [[1, 2], [], [3], [], [], [4, 5], [6, 7]])
  }

  @Test("A save that has begun takes no more values")
  func begun() {
    var line = CoalescingSaveQueue<Int>()
    _ = line.add(save(1))
    _ = line.next()
    _ = line.add(save(2))
    #expect(drain(&line) == [[2]])
  }

  @Test("Somebody begins to run operations once, and again when all had been run")
  func begins() {
    var line = CoalescingSaveQueue<Int>()
    let begins = [line.add(save(1)), line.add(save(2))]
    #expect(begins == [true, false])
    #expect(!line.add { _ in })
    _ = line.next()
    #expect(!line.add { _ in })
    _ = drain(&line)
    #expect(line.add { _ in })
  }
}
