import FieldstoneDurable
import FieldstoneRunDisplay
import Foundation

/// JSON for other programs, with stages as they are in the journal, to the last digit.
indirect enum JSONText {
  case null
  case number(Int)
  case string(String)
  case raw(Data)
  case array([JSONText])
  case object([(String, JSONText)])

  /// The text, with a line end.
  var text: String { written(indent: "") + "\n" }

  private func written(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .null: return "null"
    case .number(let number): return "\(number)"
    case .string(let string): return Self.quoted(string)
    case .raw(let data):
      // Damaged JSON must not damage the rest.
      return StageText.isJSON(data)
        ? String(decoding: data, as: UTF8.self) : Self.quoted(data.base64EncodedString())
    case .array(let values):
      if values.isEmpty { return "[]" }
      let lines = values.map { inner + $0.written(indent: inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object(let members):
      let lines = members.map {
        "\(inner)\(Self.quoted($0.0)): \($0.1.written(indent: inner))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    }
  }

  private static func quoted(_ string: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    guard let data = try? encoder.encode(string) else { return "\"\"" }
    return String(decoding: data, as: UTF8.self)
  }

  private static func text(_ string: String?) -> Self { string.map(Self.string) ?? .null }

  private static func date(_ date: Date?) -> Self {
    guard let date, date != .distantFuture else { return .null }
    return .string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }
}

extension JSONText {
  /// A page of runs.
  init(_ page: RunPage) {
    self = .object([
      ("runs", .array(page.runs.map { Self($0) })), ("next", Self.text(page.next?.description)),
    ])
  }

  /// A run with steps of it.
  init(_ run: RunRecord, _ shown: ShownSteps) {
    self = .object([
      ("run", Self(run)), ("steps", .array(shown.steps.map { Self($0) })),
      ("next", shown.next.map(Self.number) ?? .null),
    ])
  }

  /// A run.
  init(_ run: RunRecord) {
    self = .object([
      ("id", .string("\(run.id)")), ("flow", .string(run.flow)), ("version", .number(run.version)),
      ("key", Self.text(run.key)), ("state", .string(run.state.rawValue)),
      ("sequence", .number(run.sequence)), ("fence", .number(run.fence)),
      ("attempts", .number(run.attempts)), ("crashes", .number(run.crashes)),
      ("loneCrashes", .number(run.loneCrashes)), ("startedAt", Self.date(run.startedAt)),
      ("changedAt", Self.date(run.changedAt)), ("dueAt", Self.date(run.dueAt)),
      ("awaitedSignal", Self.text(run.awaitedSignal)), ("worker", Self.text(run.worker)),
      ("error", Self.text(run.error)), ("payload", .raw(run.payload)),
    ])
  }

  /// A finding, on one line.
  static func line(of finding: JournalFinding) -> String {
    let run = finding.run.map { quoted($0.description) } ?? "null"
    return "{\"run\": \(run), \"detail\": \(quoted(finding.detail))}\n"
  }

  private init(_ step: StepRecord) {
    self = .object([
      ("sequence", .number(step.sequence)), ("fence", .number(step.fence)),
      ("kind", .string(step.kind.rawValue)), ("version", .number(step.version)),
      ("attempts", .number(step.attempts)), ("beganAt", Self.date(step.beganAt)),
      ("endedAt", Self.date(step.endedAt)), ("worker", Self.text(step.worker)),
      ("error", Self.text(step.error)), ("payload", .raw(step.payload)),
    ])
  }
}
