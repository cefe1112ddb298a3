package import FieldstoneDurable
package import Foundation

/// Stages, times and durations as text.
package enum StageText {
  /// The name of a stage: its case's name, or the beginning of its text.
  package static func name(of payload: Data) -> String { name(of: payload) { $0 } }

  /// The same without values that must not be shown.
  ///
  /// - Parameter redacted: hides them in a text, which may be cut.
  package static func name(of payload: Data, redacted: (Data) -> Data) -> String {
    if let name = StageJSON.caseName(of: payload) { return name.inOneLine.cut(to: 40) }
    if PayloadEnvelope.isCoded(payload) { return text(of: payload).cut(to: 24) }
    return text(of: redacted(payload.prefix(4_096))).cut(to: 24)
  }

  /// A stage on one line.
  package static func text(of payload: Data) -> String {
    do throws(PayloadError) { try PayloadEnvelope.check(payload) } catch {
      return error == .noCodec ? "(encoded)" : error.message.inOneLine.cut(to: 200)
    }
    return String(decoding: payload, as: UTF8.self).inOneLine.cut(to: 200)
  }

  package static func isJSON(_ payload: Data) -> Bool { JSONSyntax.isValid(payload) }

  /// A wall-clock time in UTC, to the second; “no time” for a date that is no number.
  package static func time(_ date: Date) -> String {
    guard date.timeIntervalSinceReferenceDate.isFinite else { return "no time" }
    return date.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: "")
  }

  /// A duration in its two largest units.
  package static func duration(_ seconds: TimeInterval) -> String {
    // Values out of range are clamped, and what is no number is 0.
    let milliseconds = Int(((seconds > 0 ? min(seconds, 1e11) : 0) * 1_000).rounded())
    let whole = milliseconds / 1_000
    switch whole {
    case 0: return "\(milliseconds) ms"
    case ..<10 where milliseconds % 1_000 >= 100:
      return "\(whole).\(milliseconds % 1_000 / 100) s"
    case ..<60: return "\(whole) s"
    case ..<3_600: return pair(whole, "min", 60, "s")
    case ..<86_400: return pair(whole / 60, "h", 60, "min")
    default: return pair(whole / 3_600, "d", 24, "h")
    }
  }

  private static func pair(_ count: Int, _ unit: String, _ size: Int, _ rest: String) -> String {
    count % size == 0
      ? "\(count / size) \(unit)" : "\(count / size) \(unit) \(count % size) \(rest)"
  }

  /// The state of a run in a few words.
  package static func standing(of run: RunRecord) -> String {
    switch run.state {
    case .running: return "at \((run.worker ?? "a worker").inOneLine.cut(to: 40))"
    case .ready:
      let end = run.dueAt.flatMap { $0 == .distantFuture ? nil : $0 }
      if let join = run.join, join.policy != nil {
        let name = "awaits \(join.open) \(join.open == 1 ? "child" : "children")"
        return end.map { "\(name) until \(time($0))" } ?? name
      }
      if !run.awaitedSignals.isEmpty, run.attempts == 0, run.dueAt != nil {
        let signals = run.awaitedSignals.joined(separator: " or ")
        let name = "awaits \(signals.inOneLine.cut(to: 40))"
        return end.map { "\(name) until \(time($0))" } ?? name
      }
      let error = run.error.map { ": \($0.inOneLine.cut(to: 60))" } ?? ""
      return end.map { "until \(time($0))\(error)" } ?? "due\(error)"
    case .completed: return ""
    case .dead, .blocked, .cancelled: return run.error?.inOneLine.cut(to: 80) ?? ""
    }
  }
}

extension String {
  /// The text without line ends and control characters.
  package var inOneLine: String {
    let parts = unicodeScalars.map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .format, .surrogate: " "
      default: Character(scalar)
      }
    }
    return String(parts).split(separator: " ").joined(separator: " ")
  }

  /// The text, truncated to a number of characters.
  package func cut(to length: Int) -> String {
    count > length ? prefix(length - 1) + "…" : self
  }
}
