import FieldstoneDurable
import Foundation

// snippet: durable-children
enum Census: DurableStage {
  case split([URL])
  case total

  func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
    switch self {
    case .split(let files):
      return .join(try files.map { try context.child(FileCount.read($0)) }, then: .total)
    case .total:
      var total = 0
      for try await child in context.children { total += try child.value(as: Int.self) }
      return .complete(total)
    }
  }
}
// end

/// Counts the lines of a file, as its name says in these tests.
enum FileCount: DurableStage {
  case read(URL)

  func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
    switch self {
    case .read(let url): .complete(Int(url.lastPathComponent) ?? 0)
    }
  }
}
