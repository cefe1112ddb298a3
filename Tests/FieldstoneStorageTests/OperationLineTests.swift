import FieldstoneTesting
import Testing

@testable import FieldstoneStorage

@Suite("The line of a store's operations")
struct OperationLineTests {
  private func save(
    _ value: Int, _ policy: FileConflictPolicy? = nil, isDeferred: Bool = false
  ) -> OperationLine<Int>.Save {
    OperationLine.Save(value: value, policy: policy, waiters: [{ _ in }], isDeferred: isDeferred)
  }

  /// Takes all operations out: the values of saves, and nil for other work.
  private func drain(_ line: inout OperationLine<Int>) -> [Int?] {
    var values: [Int?] = []
    while let operation = line.next() {
      switch operation {
      case .save(let save): values.append(save.value)
      case .work: values.append(nil)
      }
    }
    return values
  }

  @Test("Saves that follow one another become the last of them; other work keeps its place")
  func order() {
    var line = OperationLine<Int>()
    var replaced: [Int?] = []
    replaced.append(line.add(save(1)).replaced)
    replaced.append(line.add(save(2)).replaced)
    _ = line.add { _ in }
    replaced.append(line.add(save(3)).replaced)
    _ = line.add { _ in }
    _ = line.add { _ in }
    replaced.append(line.add(save(4)).replaced)
    replaced.append(line.add(save(5)).replaced)
    replaced.append(line.add(save(6, .reload)).replaced)
    #expect(replaced == [nil, 1, nil, nil, 4, nil])
    #expect(drain(&line) == [2, nil, 3, nil, nil, 5, 6])
  }

  @Test("All who wait for saves that became one are told, and a failure nobody awaits is kept")
  func waiters() {
    var line = OperationLine<Int>()
    _ = line.add(save(1))
    _ = line.add(save(2, isDeferred: true))
    _ = line.add(save(3))
    guard case .save(let save)? = line.next() else {
      Issue.record("it is no save")
      return
    }
    #expect(save.waiters.count == 3)
    #expect(save.isDeferred)
  }

  @Test("A save that has begun takes no more values")
  func begun() {
    var line = OperationLine<Int>()
    _ = line.add(save(1))
    _ = line.next()
    #expect(line.add(save(2)).replaced == nil)
    #expect(drain(&line) == [2])
  }

  @Test("Somebody begins to run operations once, and again when all had been run")
  func begins() {
    var line = OperationLine<Int>()
    #expect(line.add(save(1)).begins)
    #expect(!line.add(save(2)).begins)
    #expect(!line.add { _ in })
    _ = line.next()
    #expect(!line.add { _ in })
    _ = drain(&line)
    #expect(line.add { _ in })
  }
}
