// Not for every `Collection`: `String` is one, and `.count(...2)` on it would count characters
// where items of an array field were meant.
extension FieldRule {
  /// The number of items is in a range: codes `tooFew`, `tooMany` and `wrongCount`.
  ///
  /// ```swift
  /// let tags = ArrayField(Field<String>("Tag").require(.length(1...20)), name: "Tags")
  ///   .require(.count(...5))
  /// ```
  ///
  /// The range may be open on one side. The characters of a text are bounded by `length` instead.
  public static func count(_ range: some RangeExpression<Int>) -> FieldRule
  where Value: RandomAccessCollection & Sendable {
    count(CountBounds(range, names: .items))
  }

  /// The number of members is in a range: codes `tooFew`, `tooMany` and `wrongCount`.
  public static func count<Member: Sendable>(_ range: some RangeExpression<Int>) -> FieldRule
  where Value == Set<Member> {
    count(CountBounds(range, names: .items))
  }

  /// The number of entries is in a range: codes `tooFew`, `tooMany` and `wrongCount`.
  public static func count<Key, Entry: Sendable>(_ range: some RangeExpression<Int>) -> FieldRule
  where Value == [Key: Entry], Key: Sendable {
    count(CountBounds(range, names: .items))
  }

  /// Exactly so many items: code `wrongCount`.
  public static func count(_ count: Int) -> FieldRule
  where Value: RandomAccessCollection & Sendable {
    self.count(CountBounds(minimum: count, maximum: count, names: .items))
  }

  /// Exactly so many members: code `wrongCount`.
  public static func count<Member: Sendable>(_ count: Int) -> FieldRule where Value == Set<Member> {
    self.count(CountBounds(minimum: count, maximum: count, names: .items))
  }

  /// Exactly so many entries: code `wrongCount`.
  public static func count<Key, Entry: Sendable>(_ count: Int) -> FieldRule
  where Value == [Key: Entry], Key: Sendable {
    self.count(CountBounds(minimum: count, maximum: count, names: .items))
  }

  private static func count(_ bounds: CountBounds) -> FieldRule where Value: Collection & Sendable {
    FieldRule(named: "count") { { bounds.issues(of: $0.count) } }
  }
}

extension CountBounds {
  /// The bounds of a range, which may be open on one side.
  init(_ range: some RangeExpression<Int>, names: Names) {
    switch range {
    case let range as ClosedRange<Int>:
      self.init(minimum: range.lowerBound, maximum: range.upperBound, names: names)
    case let range as PartialRangeFrom<Int>:
      self.init(minimum: range.lowerBound, maximum: nil, names: names)
    case let range as PartialRangeThrough<Int>:
      self.init(minimum: nil, maximum: range.upperBound, names: names)
    case let range as PartialRangeUpTo<Int>:
      let maximum = saturatingPredecessor(range.upperBound)
      self.init(minimum: nil, maximum: maximum, names: names)
    default:
      // A half-open range, or a range type of another module.
      let range = range as? Range<Int> ?? range.relative(to: 0..<Int.max)
      let maximum = saturatingPredecessor(range.upperBound)
      self.init(minimum: range.lowerBound, maximum: maximum, names: names)
    }
  }
}
