import FieldstoneFields

extension Field {
  /// Sets a value, and gives the codes of what the synchronous rules find wrong with it.
  func codes(of value: Value?) -> [String] {
    self.value = value
    return validate().issues.map(\.code)
  }

  /// Sets a value, and gives what is wrong with it in English and in German.
  func texts(of value: Value?) -> [String] {
    self.value = value
    return validate().issues.flatMap { [$0.english, $0.german] }
  }
}

extension FieldIssue {
  var english: String { FieldMessages.english.text(for: self) }
  var german: String { FieldMessages.german.text(for: self) }
}
