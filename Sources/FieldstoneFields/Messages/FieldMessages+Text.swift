extension FieldMessages {
  /// What an issue says, to be read after the name of its field: "must be at least 3".
  public func text(for issue: FieldIssue) -> String {
    if let message = issue.message {
      return fill(phrases[message] ?? FieldPhrase(message), with: issue.parameters)
    }
    if !issue.alternatives.isEmpty, phrases[issue.code] == nil {
      return issue.alternatives.map(text(for:)).joined(separator: " \(word("or", "or")) ")
    }
    let phrase = phrases[issue.code] ?? phrases["invalid"] ?? FieldPhrase(issue.code)
    return fill(phrase, with: issue.parameters)
  }

  /// What an issue says with the name of its field: "Elevation must be at least 3".
  public func sentence(for issue: FieldIssue, name: String) -> String {
    sentence(text(for: issue), name: name)
  }

  /// A text with the name of its field: "Elevation must be at least 3".
  package func sentence(_ text: String, name: String) -> String {
    name.isEmpty ? text : "\(name) \(text)"
  }

  /// One text for all that is wrong in a form, for assistive technology to read out.
  ///
  /// - Parameter sentences: what is wrong, as ``sentence(for:name:)`` says it.
  public func announcement(of sentences: [String]) -> String {
    let phrase = phrases["announcement"] ?? "{sentences}"
    return fill(
      phrase,
      with: ["count": "\(sentences.count)", "sentences": sentences.joined(separator: "; ")])
  }

  /// Puts parameters in their places; a place without a parameter stays as it is.
  func fill(_ phrase: FieldPhrase, with parameters: [String: String]) -> String {
    var form = FieldPhrase.PluralForm.other
    if let key = phrase.countKey, let count = parameters[key].flatMap({ Int($0) }) {
      form = pluralForm(count)
    }
    var rest = Substring(phrase.text(form))
    var filled = ""
    while let open = rest.firstIndex(of: "{") {
      filled += rest[..<open]
      rest = rest[open...]
      let close = rest.firstIndex(of: "}")
      let name = close.map { String(rest[rest.index(after: open)..<$0]) } ?? ""
      guard let close, let value = parameters[name] else {
        filled += "{"
        rest = rest.dropFirst()
        continue
      }
      // What is to be typed is as its field reads it, whatever the language.
      let isTyped = name == FieldIssue.typedKeys.fraction || name == FieldIssue.typedKeys.thousands
      filled += isTyped ? value : localized(value)
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }

  /// Words that join others.
  private func word(_ code: String, _ fallback: String) -> String {
    phrases[code]?.text(.other) ?? fallback
  }

  /// A number is written as the language writes it; all else stays.
  private func localized(_ value: String) -> String {
    guard decimalSeparator != ".", value.contains("."), Double(value) != nil else { return value }
    return value.split(separator: ".", omittingEmptySubsequences: false)
      .joined(separator: decimalSeparator)
  }
}

extension FieldIssue {
  /// What the issue says in the language of the current catalogue.
  public var text: String { FieldMessages.current.text(for: self) }
}
