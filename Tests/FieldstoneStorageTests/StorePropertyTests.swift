import FieldstoneStorage
import FieldstoneTesting
import Foundation
import Testing

@Suite("Stores against a model of what they promise")
struct StorePropertyTests {
  /// What the disk holds, as the promises have it.
  struct Model: Equatable {
    enum File: Equatable {
      case none
      case value(Int)
      case nonsense(Int)
    }

    var file = File.none
    var isSetAside = false
    /// What must never be lost.
    var nonsense: Set<Int> = []

    var isBlocked: Bool {
      if case .nonsense = file { return true }
      return file == .none && isSetAside
    }

    mutating func load() -> String {
      switch file {
      case .value(let value): return "value \(value)"
      case .none: return isSetAside ? "corrupt" : "missing"
      case .nonsense:
        (file, isSetAside) = (.none, true)
        return "corrupt"
      }
    }

    mutating func save(_ value: Int) -> Bool {
      if isBlocked { return false }
      file = .value(value)
      return true
    }

    mutating func startOver() {
      if case .nonsense = file { file = .none }
      isSetAside = false
    }
  }

  private static func describe(_ contents: FileContents<Int>) -> String {
    switch contents {
    case .missing: "missing"
    case .value(let value): "value \(value)"
    case .corrupt: "corrupt"
    case .unreadable: "unreadable"
    case .newer: "newer"
    }
  }

  @Test("Random operations of two stores and a vandal, 600 sequences", arguments: 0..<6)
  func sequences(block: Int) async throws {
    for seed in UInt64(block * 100)..<UInt64((block + 1) * 100) {
      let story = try await play(seed: seed)
      if let story {
        Issue.record("seed \(seed): \(story)")
        return
      }
    }
  }

  /// Plays a sequence; gives the story of one that went wrong.
  private func play(seed: UInt64) async throws -> String? {
    var random = SeededGenerator(seed: seed)
    let folder = try Folder()
    let schema = Bool.random(using: &random) ? FileSchema(1) : nil
    var stores = (0..<2).map { _ in
      FileStore<Int>(at: folder.file, schema: schema, options: .fast)
    }
    var (model, story) = (Model(), [String]())
    for step in 0..<25 {
      let which = Int.random(in: 0..<2, using: &random)
      let store = stores[which]
      let (expected, actual): (String, String)
      let action = Int.random(in: 0..<12, using: &random)
      switch action {
      case 0..<3:
        story.append("load \(which)")
        (expected, actual) = (model.load(), Self.describe(await store.load()))
      case 3..<5:
        story.append("save \(which)")
        expected = "\(model.save(step))"
        actual = "\((try? await store.save(step)) != nil)"
      case 5:
        story.append("save later \(which)")
        store.saveLater(-step)
        store.saveLater(step)
        expected = "\(model.save(step))"
        actual = "\((try? await store.flush()) != nil)"
      case 6..<8:
        story.append("update \(which)")
        let before = if case .value(let value) = model.file { value } else { 0 }
        expected = "\(model.save(before + 1))"
        actual = "\((try? await store.update(default: 0) { $0 += 1 }) != nil)"
      case 8:
        story.append("delete \(which)")
        if case .nonsense(let number) = model.file { model.nonsense.remove(number) }
        (model.file, model.isSetAside) = (.none, false)
        (expected, actual) = ("true", "\((try? await store.delete()) != nil)")
      case 9:
        story.append("vandal")
        if case .nonsense(let number) = model.file { model.nonsense.remove(number) }
        try folder.write("nonsense \(seed) \(step).")
        model.file = .nonsense(step)
        model.nonsense.insert(step)
        (expected, actual) = ("", "")
      case 10:
        story.append("start over \(which)")
        model.startOver()
        let contents = try await store.resolve(.startOver)
        (expected, actual) = (model.load(), Self.describe(contents))
      default:
        story.append("another store for \(which)")
        stores[which] = FileStore(at: folder.file, schema: schema, options: .fast)
        expected = "\(model.file != .none || model.isSetAside)"
        actual = "\(try await stores[which].exists())"
      }
      let kept = Set(folder.names.compactMap { folder.text(of: $0) })
      let isKept = model.nonsense.allSatisfy { kept.contains("nonsense \(seed) \($0).") }
      guard expected == actual, isKept, !folder.names.contains(where: { $0.hasPrefix(".") }) else {
        return """
          step \(step), expected “\(expected)” and got “\(actual)”, all kept: \(isKept), files \
          \(folder.names): \(story.joined(separator: "; "))
          """
      }
    }
    return nil
  }
}
