import FieldstoneDurable

// snippet: reports-stage
/// Copies files, and says how far it has come.
enum Backup: DurableStage, VersionedFlow {
  case copy([String])

  static let flowName = "backup"

  func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
    guard case .copy(let files) = self else { return .complete(0) }
    for (index, file) in files.enumerated() {
      context.report(Double(index) / Double(files.count), file)
      if file.hasSuffix(".tmp") {
        context.log("\(file) is left out")
      }
    }
    context.report(1)
    return .complete(files.count)
  }
}
// end
