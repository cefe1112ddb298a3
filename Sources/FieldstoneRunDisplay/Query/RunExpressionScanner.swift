import FieldstoneCore
import FieldstoneDurable

/// Scans the terms of an expression in order.
struct RunExpressionScanner {
  /// The operator of a comparison.
  enum Comparison: String, CaseIterable {
    case begins = "^="
    case from = ">="
    case equal = "="
    case contains = "~"
    case below = "<"
  }

  /// A name, a comparison and a value.
  struct Term {
    var name: String
    var comparison: Comparison
    var value: String
    var isQuoted: Bool
    /// The column at which it begins, starting at 1.
    var column: Int

    func error(_ problem: RunExpressionError.Problem) -> RunExpressionError {
      RunExpressionError(column: column, problem: problem)
    }
  }

  private let text: [Character]
  private var place = 0

  init(_ text: String) { self.text = Array(text) }

  /// The next term; nil at the end.
  mutating func next() throws(RunExpressionError) -> Term? {
    while place < text.count, text[place].isWhitespace { place += 1 }
    guard place < text.count else { return nil }
    let begin = place
    while place < text.count, Self.isOfName(text[place]) { place += 1 }
    let name = String(text[begin..<place])
    guard !name.isEmpty else { throw error(.noName(rest(from: begin)), at: begin) }
    let comparison = Comparison.allCases.first { comparison in
      text[place...].starts(with: comparison.rawValue)
    }
    guard let comparison else { throw error(.noComparison(name), at: place) }
    place += comparison.rawValue.count
    let (value, isQuoted) = try value(of: name)
    return Term(
      name: name, comparison: comparison, value: value, isQuoted: isQuoted, column: begin + 1)
  }

  private mutating func value(
    of name: String
  ) throws(RunExpressionError) -> (String, isQuoted: Bool) {
    let begin = place
    guard place < text.count, text[place] == "\"" else {
      while place < text.count, !text[place].isWhitespace {
        if text[place] == "\"" { throw error(.quotationWithin(name), at: place) }
        place += 1
      }
      guard place > begin else { throw error(.noValue(name), at: begin) }
      return (String(text[begin..<place]), false)
    }
    var value = ""
    place += 1
    while place < text.count, text[place] != "\"" {
      if text[place] == "\\", place + 1 < text.count, "\"\\".contains(text[place + 1]) {
        place += 1
      }
      value.append(text[place])
      place += 1
    }
    guard place < text.count else { throw error(.noEnd(name), at: begin) }
    place += 1
    guard place == text.count || text[place].isWhitespace else {
      throw error(.quotationWithin(name), at: place)
    }
    return (value, true)
  }

  private func rest(from begin: Int) -> String {
    String(text[begin...].prefix { !$0.isWhitespace }.prefix(40))
  }

  private func error(_ problem: RunExpressionError.Problem, at place: Int) -> RunExpressionError {
    RunExpressionError(column: place + 1, problem: problem)
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "._-:/".contains(character)
  }
}

/// An error in an expression, with its position.
package struct RunExpressionError: DescribedError, Hashable {
  /// The kind of error.
  package enum Problem: Sendable, Hashable {
    case noName(String)
    case noComparison(String)
    case otherComparison(String, [String])
    case noValue(String)
    case noEnd(String)
    case quotationWithin(String)
    case twice(String)
    case noState(String)
    case noDate(String)
    case noWait(String)
    case noFingerprint(String)
  }

  /// The position of the error in characters, starting at 1.
  package var column: Int
  /// The kind of error.
  package var problem: Problem

  /// Makes an error.
  package init(column: Int, problem: Problem) {
    self.column = column
    self.problem = problem
  }

  /// The position, the error, then the remedy.
  package var message: String { "At character \(column): \(text)" }

  private var text: String {
    switch problem {
    case .noName(let text):
      "“\(text)” begins with no name; write a term as state=dead."
    case .noComparison(let name):
      "a comparison is missing after “\(name)”; write one of =, ^=, ~, >= and <."
    case .otherComparison(let name, let others):
      "“\(name)” can't be compared so; use it with \(others.joined(separator: " or "))."
    case .noValue(let name):
      "a value is missing for “\(name)”; write one, or \"\" for an empty text."
    case .noEnd(let name):
      "the text for “\(name)” has no end; close it with a quotation mark."
    case .quotationWithin(let name):
      "a quotation mark stands within the value of “\(name)”; put all of it in quotation marks, with "
        + "\\\" for those within."
    case .twice(let name): "“\(name)” was there before; leave one of them out."
    case .noState(let text):
      "“\(text)” is no state; take one of "
        + RunState.allCases.map(\.rawValue).joined(separator: ", ") + "."
    case .noDate(let text):
      "“\(text)” is no date; write it as 2026-11-21 or 2026-11-21T15:30:00Z."
    case .noWait(let text):
      "“\(text)” is no reason of waiting; take one of "
        + RunWait.allWithoutName.map(\.description).joined(separator: ", ")
        + ", or signal: and a name."
    case .noFingerprint(let text):
      "“\(text)” is no fingerprint of an error; take one of 16 digits from the list of errors, or "
        + "write error~ for a part of its text."
    }
  }
}
