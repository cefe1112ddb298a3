import FieldstoneDurable
import FieldstoneRunDisplay
import Foundation

/// JSON for other programs; stages keep their exact JSON, to the last digit.
indirect enum JSONText {
  case null
  case number(Int)
  case string(String)
  case raw(Data)
  case array([JSONText])
  case object([(String, JSONText)])

  /// The text with a final line end.
  var text: String { written(indent: "") + "\n" }

  private func written(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .null: return "null"
    case .number(let number): return "\(number)"
    case .string(let string): return Self.quoted(string)
    case .raw(let data):
      // Invalid JSON of a stage must not invalidate the output.
      return StageText.isJSON(data)
        ? String(decoding: data, as: UTF8.self) : Self.quoted(data.base64EncodedString())
    case .array(let values):
      if values.isEmpty { return "[]" }
      let lines = values.map { inner + $0.written(indent: inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
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

  static func boolean(_ isTrue: Bool) -> Self { .raw(Data("\(isTrue)".utf8)) }

  /// An object on one line, for scripts that read lines; a payload of several lines stays valid
  /// JSON.
  static func line(_ members: [(String, JSONText)]) -> String { object(members).inOneLine + "\n" }

  /// The progress of a change of many runs, on one line, with all that going on needs.
  ///
  /// - Parameters:
  ///   - youngest: the last run to change; nil if there are none.
  ///   - change: the name of the change.
  static func line(of progress: BulkProgress, upTo youngest: RunID?, change: RunID) -> String {
    line(
      [
        ("changed", .number(progress.changed)), ("skipped", .number(progress.skipped)),
        ("position", text(progress.position.map { "\($0)" })),
        ("upTo", text(youngest.map { "\($0)" })), ("changeId", .string("\(change)")),
        ("done", boolean(progress.isDone)),
      ] + (progress.error.map { [("error", .string($0.message))] } ?? []))
  }

  private var inOneLine: String {
    switch self {
    case .null, .number, .string: written(indent: "")
    case .raw:
      // Line ends occur only between values, because strings escape them.
      written(indent: "").replacingScalars { $0 == "\n" || $0 == "\r" ? " " : nil }
    case .array(let values): "[\(values.map(\.inOneLine).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.0)): \($0.1.inOneLine)" }.joined(separator: ", "))}"
    }
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
      ("runs", .array(page.runs.map { Self($0) })),
      ("next", Self.text(page.nextPlace?.description)),
    ])
  }

  /// A run with some of its steps.
  init(_ run: RunRecord, _ shown: ShownSteps) {
    self = .object([
      ("run", Self(run)), ("steps", .array(shown.steps.map { Self($0) })),
      ("next", shown.next.map(Self.number) ?? .null),
      ("children", .array(shown.children.children.map { Self($0) })),
      ("hasMoreChildren", .boolean(shown.children.next != nil)),
      ("progress", shown.report.progress.map { Self($0) } ?? .null),
      ("lines", .array(shown.report.lines.dropFirst(shown.firstLine).map { Self($0) })),
    ])
  }

  /// A run.
  init(_ run: RunRecord) {
    self = .object([
      ("id", .string("\(run.id)")), ("flow", .string(run.flow)), ("version", .number(run.version)),
      ("key", Self.text(run.key)), ("priority", .number(run.priority)),
      ("concurrencyKey", Self.text(run.concurrencyKey)),
      ("parent", Self.text(run.parent.map { "\($0)" })),
      (
        "attributes",
        .object(run.attributes.sorted { $0.key < $1.key }.map { ($0.key, Self($0.value)) })
      ), ("isPaused", .boolean(run.isPaused)), ("deadline", Self.date(run.deadline)),
      ("state", .string(run.state.rawValue)),
      ("sequence", .number(run.sequence)), ("fence", .number(run.fence)),
      ("attempts", .number(run.attempts)), ("crashes", .number(run.crashes)),
      ("loneCrashes", .number(run.loneCrashes)), ("startedAt", Self.date(run.startedAt)),
      ("changedAt", Self.date(run.changedAt)), ("dueAt", Self.date(run.dueAt)),
      ("awaitedSignals", .array(run.awaitedSignals.map { .string($0) })),
      ("worker", Self.text(run.worker)),
      ("error", Self.text(run.error)),
      (
        "origin",
        run.origin.map {
          .object([("run", .string("\($0.run)")), ("sequence", .number($0.sequence))])
        } ?? .null
      ), ("payload", .raw(run.payload)),
    ])
  }

  private init(_ attribute: RunAttribute) {
    self =
      switch attribute {
      case .string(let text): .string(text)
      case .integer(let number): .number(number)
      case .boolean(let isTrue): .boolean(isTrue)
      case .date(let date): Self.date(date)
      }
  }

  private init(_ child: ChildRecord) {
    self = .object([
      ("id", .string("\(child.id)")), ("sequence", .number(child.place.sequence)),
      ("ordinal", .number(child.place.ordinal)), ("flow", .string(child.flow)),
      ("isDetached", .boolean(child.isDetached)), ("state", .string(child.state.rawValue)),
      ("end", Self.text(child.end?.rawValue)),
      ("completion", child.completion.map(Self.raw) ?? .null), ("error", Self.text(child.error)),
    ])
  }

  /// A finding, on one line.
  static func line(of finding: JournalFinding) -> String {
    let run = finding.run.map { quoted($0.description) } ?? "null"
    return "{\"run\": \(run), \"detail\": \(quoted(finding.detail))}\n"
  }

  private init(_ progress: RunProgress) {
    self = .object([
      ("fraction", .raw(Data("\(progress.fraction)".utf8))), ("text", Self.text(progress.text)),
      ("sequence", .number(progress.sequence)), ("reportedAt", Self.date(progress.reportedAt)),
    ])
  }

  private init(_ line: RunLogLine) {
    self = .object([
      ("fence", .number(line.place.fence)), ("number", .number(line.place.number)),
      ("sequence", .number(line.sequence)), ("loggedAt", Self.date(line.loggedAt)),
      ("isOfRunner", .boolean(line.isOfRunner)),
      ("text", .string(line.text)),
    ])
  }

  /// A count, on one line.
  static func line(of count: RunCount) -> String {
    "{\"count\": \(count.number), \"hasMore\": \(count.hasMore)}\n"
  }

  /// The runs of an error, on one line.
  static func line(of group: ErrorGroup) -> String {
    """
    {"error": \(quoted(group.fingerprint.description)), "count": \(group.runs.number), \
    "hasMore": \(group.runs.hasMore), "youngest": \(quoted(group.youngest.description)), \
    "sample": \(quoted(group.sample))}\n
    """
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
