// What people write by mistake compiles up to a sentence that names the remedy.

extension FieldRule {
  /// Bounds the characters of a text, and of nothing else.
  @available(
    *, unavailable,
    message: "length(_:) is for texts; use range(_:) for numbers and count(_:) for items."
  )
  public static func length(_ range: some RangeExpression<Int>) -> FieldRule {
    FieldRule(onlyAboutNil: true)
  }

  /// Bounds the characters of a text, and of nothing else.
  @available(
    *, unavailable,
    message: "length(_:) is for texts; use oneOf(_:) for numbers and count(_:) for items."
  )
  public static func length(_ length: Int) -> FieldRule {
    FieldRule(onlyAboutNil: true)
  }
}

extension FieldRule where Value == String {
  /// Bounds numbers and what else is ordered; a text has a length.
  @available(
    *, unavailable,
    message: "A text has no range of numbers; use length(_:) for the number of its characters."
  )
  public static func range(_ range: some RangeExpression<Int>) -> FieldRule {
    FieldRule(onlyAboutNil: true)
  }

  /// Bounds the items of an array field; a text has a length.
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

  /// Bounds the items of an array field; a text has a length.
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

extension DerivedField {
  /// A derived value is one value that can be compared and sent.
  @available(
    *, unavailable,
    message: """
      The closure has to return one value that is Equatable and Sendable, or nil: return a struct \
      instead of a tuple, and observe the fields where nothing is to be computed.
      """
  )
  public convenience init<each Source, Wrong>(
    _ sources: repeat ReadableField<each Source>,
    compute: @escaping (repeat Optional<each Source>) -> Wrong
  ) where Value == Never {
    self.init(compute: { nil })
  }

  /// The closure of several sources has a parameter for each of them.
  @available(
    *, unavailable,
    message: "The closure has one parameter; give it one for each source, in the same order."
  )
  public convenience init<First, Second, each Source, Wrong>(
    _ first: ReadableField<First>, _ second: ReadableField<Second>,
    _ sources: repeat ReadableField<each Source>, compute: @escaping (First?) -> Wrong
  ) where Value == Never {
    self.init(compute: { nil })
  }

  /// The closure of one source has one parameter.
  @available(
    *, unavailable,
    message: "The closure has two parameters for one source; list a source for each parameter."
  )
  public convenience init<First, Wrong>(
    _ source: ReadableField<First>, compute: @escaping (First?, Any?) -> Wrong
  ) where Value == Never {
    self.init(compute: { nil })
  }
}
