import FieldstoneDurable
import Foundation

/// A change of a stage's type, tried: what either side makes of what the other wrote.
struct EnumChange {
  /// What becomes of a stage in a journal.
  enum Verdict: String {
    case read
    case blocked
  }

  /// The change, in the words of the article.
  let row: String
  /// Stages from before the change, in the code from after it.
  let forward: Verdict
  /// Stages from after the change, in the code from before it.
  let back: Verdict

  /// - Parameters:
  ///   - row: the change, in the words of the article.
  ///   - before: stages as they were.
  ///   - after: stages as they are.
  init<Before: Codable, After: Codable>(_ row: String, _ before: [Before], _ after: [After]) {
    self.row = row
    forward = Self.verdict(on: before, in: After.self)
    back = Self.verdict(on: after, in: Before.self)
  }

  /// One that can't be read is enough.
  private static func verdict<Value: Decodable>(
    on stages: [some Encodable], in type: Value.Type
  ) -> Verdict {
    do {
      for stage in stages {
        _ = try StageJSON.value(type, from: try StageJSON.data(of: stage))
      }
      return .read
    } catch {
      return .blocked
    }
  }
}
