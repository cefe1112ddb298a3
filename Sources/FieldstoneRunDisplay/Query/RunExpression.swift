package import FieldstoneDurable
import Foundation

/// A description of runs in a line of text, as a user types it.
///
/// ```
/// state=dead flow=orders customer=ada error~"timed out" key^=order- started>=2026-11-01 waiting=signal
/// ```
///
/// The grammar:
///
/// ```
/// expression = [ term { space term } ]
/// term       = name operator value
/// name       = letters, digits, and . _ - : /
/// operator   = "=" | "^=" | "~" | ">=" | "<"
/// value      = characters without a space or a quotation mark | '"' characters '"'
/// ```
///
/// Within quotation marks `\"` stands for a quotation mark, and `\\` for a backslash. All terms
/// must hold. `state` takes one or several states, separated by commas, and may be repeated; each
/// other name may occur once. Unknown names are those of attributes; `attribute.flow` is an
/// attribute with the name `flow`. A value of an attribute is a whole number, `true` or `false`, or
/// a time if it looks like one; otherwise, or in quotation marks, it is a text.
package struct RunExpression: Sendable, Hashable {
  /// The query for the runs, without ``errorPart``.
  package var query = RunQuery()
  /// A part of the error's text, case-insensitive; no index covers it.
  package var errorPart: String?

  /// Describes all runs.
  package init() {}

  /// Parses an expression; O(n) in its length.
  ///
  /// - Throws: ``RunExpressionError`` for the first invalid term.
  package init(_ text: String) throws(RunExpressionError) {
    var scanner = RunExpressionScanner(text)
    while let term = try scanner.next() { try add(term) }
  }

  private mutating func add(_ term: RunExpressionScanner.Term) throws(RunExpressionError) {
    switch (term.name, term.comparison) {
    case ("state", .equal): try addStates(term)
    case ("flow", .equal): try set(\.flow, term.value, term)
    case ("key", .equal): try set(\.key, term.value, term)
    case ("key", .begins): try set(\.keyPrefix, term.value, term)
    case ("started", .from): try set(\.since, term.date(), term)
    case ("started", .below): try set(\.until, term.date(), term)
    case ("stopped", .from): try set(\.stoppedSince, term.date(), term)
    case ("stopped", .below): try set(\.stoppedUntil, term.date(), term)
    case ("waiting", .equal):
      guard let wait = RunWait(term.value) else {
        throw term.error(.noWait(term.value))
      }
      try set(\.waiting, wait, term)
    case ("error", .equal):
      guard let print = ErrorFingerprint(term.value) else {
        throw term.error(.noFingerprint(term.value))
      }
      try set(\.error, print, term)
    case ("error", .contains):
      if errorPart != nil { throw term.error(.twice(term.name)) }
      errorPart = term.value
    default:
      if let comparisons = Self.comparisons[term.name] {
        throw term.error(.otherComparison(term.name, comparisons))
      }
      guard term.comparison == .equal else {
        throw term.error(.otherComparison(term.name, ["="]))
      }
      let prefix = "attribute."
      let name = term.name.hasPrefix(prefix) ? String(term.name.dropFirst(prefix.count)) : term.name
      if query.attributes[name] != nil { throw term.error(.twice(term.name)) }
      query.attributes[name] =
        term.isQuoted ? .string(term.value) : RunAttribute(typed: term.value)
    }
  }

  private mutating func addStates(
    _ term: RunExpressionScanner.Term
  ) throws(RunExpressionError) {
    for name in term.value.split(separator: ",", omittingEmptySubsequences: false) {
      guard let state = RunState(rawValue: name.lowercased()) else {
        throw term.error(.noState(String(name)))
      }
      query.states.insert(state)
    }
  }

  private mutating func set<Value>(
    _ path: WritableKeyPath<RunQuery, Value?>, _ value: Value, _ term: RunExpressionScanner.Term
  ) throws(RunExpressionError) {
    if query[keyPath: path] != nil { throw term.error(.twice(term.name)) }
    query[keyPath: path] = value
  }

  /// The names that are not attributes, with their comparisons.
  private static let comparisons: [String: [String]] = [
    "state": ["="], "flow": ["="], "key": ["=", "^="], "started": [">=", "<"],
    "stopped": [">=", "<"], "waiting": ["="], "error": ["=", "~"],
  ]
}

extension RunExpressionScanner.Term {
  fileprivate func date() throws(RunExpressionError) -> Date {
    guard let date = Date(typed: value) else { throw error(.noDate(value)) }
    return date
  }
}

extension RunAttribute {
  /// Parses a typed value: a whole number, true or false, a time, or a text.
  package init(typed text: String) {
    if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") {
      self = .string(String(text.dropFirst().dropLast()))
    } else if text == "true" || text == "false" {
      self = .boolean(text == "true")
    } else if let number = Int(text) {
      self = .integer(number)
    } else if text.hasSuffix("Z"), let date = Date(typed: text) {
      self = .date(date)
    } else {
      self = .string(text)
    }
  }

  /// The value as it can be typed.
  package var typed: String {
    switch self {
    case .integer(let number): "\(number)"
    case .boolean(let isSo): "\(isSo)"
    // The style cuts digits off: 2 ms are 1.9999… as a Double.
    case .date(let date): (date + 0.000_5).formatted(Self.style)
    case .string(let text): Self(typed: text) == .string(text) ? text : "\"\(text)\""
    }
  }

  /// Includes milliseconds, because ticks have them.
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
