import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("Values that are not equal to themselves")
struct SameValueTests {
  private struct Point: Equatable, Sendable {
    var x: Double
    var label = ""
  }

  private enum Reading: Equatable, Sendable {
    case value(Double)
    case range(from: Double, to: Double)
  }

  private struct Never: Equatable, Sendable {
    var number: Int
    static func == (left: Never, right: Never) -> Bool { false }
  }

  /// What an observer of a field hears when it is set to one value after the other.
  private func heard<Value: Equatable & Sendable>(_ values: Value...) -> Int {
    let field = Field<Value>()
    var count = 0
    field.observe(owner: field) { _, _ in count += 1 }
    for value in values { field.value = value }
    return count - 1
  }

  @Test("A NaN that is set again is no change, wherever it is in the value")
  func noChange() {
    #expect(heard(Double.nan, .nan, .signalingNaN) == 1)
    #expect(heard(Float.nan, .nan, 1, .nan) == 3)
    #expect(heard([1, Double.nan], [1, Double.nan], [2, Double.nan]) == 2)
    #expect(heard(["a": Double.nan], ["a": Double.nan], ["b": Double.nan]) == 2)
    #expect(heard(Point(x: .nan), Point(x: .nan), Point(x: .nan, label: "other")) == 2)
    #expect(heard([Point(x: .nan)], [Point(x: .nan)], []) == 2)
    #expect(heard(Reading.value(.nan), .value(.nan), .value(1), .range(from: 1, to: .nan)) == 3)
    #expect(heard(Reading.range(from: .nan, to: 1), .range(from: 1, to: .nan)) == 2)
    #expect(heard(Optional(Double.nan) as Double?, nil as Double?, .nan) == 3)
    #expect(heard(Never(number: 1), Never(number: 1), Never(number: 2)) == 2)
    #expect(heard(1.5, 1.5, 2.5) == 2)
  }

  @Test("Fields that are bound in a circle settle with a NaN")
  func circle() {
    let fields = (0..<3).map { _ in Field<Double>(value: 0) }
    fields[0] --> fields[1] --> fields[2] --> fields[0]
    let reports = Recorder<UnsettledFields>()
    fields[0] --> { [weak next = fields[1]] in if $0?.isNaN == true { next?.value = .nan } }
    UnsettledFields.withHandler({ reports.record($0) }) { fields[0].value = .nan }
    #expect(reports.elements.isEmpty && fields.allSatisfy { $0.revision < 5 })
    let (a, b) = (Field<Double>(value: .nan), Field<Double>(value: .nan))
    a <--> b
    #expect(a.revision == 2 && b.revision == 1)
  }

  @Test("A rule that looks at a field with a NaN gives an answer that holds")
  func rules() {
    let limit = Field<Double>(value: .nan)
    let value = Field<Double>(value: 1).require(
      .depending(on: limit) { value, limit in value < (limit ?? 0) || limit?.isNaN == true })
    #expect(value.validate() == .valid)
    #expect(value.validationState == .valid)
    let again = Field<Double>(value: .nan).require(.equal(to: limit))
    #expect(again.validate() == .valid)
  }

  @Test("A derived field that stays a NaN is no change")
  func derived() {
    let source = Field<Double>(value: 0)
    let ratio = DerivedField(source) { ($0 ?? 0) > 5 ? 1 : Double.nan }
    let revision = ratio.revision
    source.value = 1
    #expect(ratio.value?.isNaN == true && ratio.revision == revision)
  }

  @Test("Items keep their identity where they are not equal to themselves")
  func items() {
    let numbers = ArrayField(Field<Double>("Number"), value: [.nan, 1, .nan])
    let ids = numbers.items.map(\.id)
    numbers.value = [1, .nan]
    #expect(numbers.items.map(\.id) == [ids[1], ids[2]])
    #expect(numbers.removeFirst(.nan) && numbers.value == [1])
  }
}
