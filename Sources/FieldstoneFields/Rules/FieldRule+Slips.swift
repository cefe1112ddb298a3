// Frequent mistakes compile up to an error message that names the remedy.

extension FieldRule {
  /// Bounds the characters of a text only.
  @available(
    *, unavailable,
    message: "length(_:) is for texts; use range(_:) for numbers and count(_:) for items."
  )
  public static func length(_ range: some RangeExpression<Int>) -> FieldRule {
    FieldRule(onlyAboutNil: true)
  }

  /// Bounds the characters of a text only.
  @available(
    *, unavailable,
    message: "length(_:) is for texts; use oneOf(_:) for numbers and count(_:) for items."
  )
  public static func length(_ length: Int) -> FieldRule {
    FieldRule(onlyAboutNil: true)
  }
}

extension FieldRule where Value == String {
  /// Bounds numbers and other ordered values; for a text, use `length`.
  @available(
    *, unavailable,
    message: "A text has no range of numbers; use length(_:) for the number of its characters."
  )
  public static func range(_ range: some RangeExpression<Int>) -> FieldRule {
    FieldRule(onlyAboutNil: true)
  }

  /// Bounds the items of an array field; for a text, use `length`.
  @available(
    *, unavailable,
    message: """
      A text has no items; use length(_:) for its characters. For the items of an array field, \
      require it of the array field: ArrayField(field).require(.count(...5)).
      """
  )
  public static func count(_ range: some RangeExpression<Int>) -> FieldRule {
    FieldRule(onlyAboutNil: true)
  }

  /// Bounds the items of an array field; for a text, use `length`.
  @available(
    *, unavailable,
    message: """
      A text has no items; use length(_:) for its characters. For the items of an array field, \
      require it of the array field: ArrayField(field).require(.count(5)).
      """
  )
  public static func count(_ count: Int) -> FieldRule {
    FieldRule(onlyAboutNil: true)
  }
}
