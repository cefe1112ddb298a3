import FieldstoneFields
import FieldstoneForms
import Testing

@Suite("Whole numbers that are typed")
struct WholeNumberTests {
  @Test("Each width is read up to its limits and refused beyond them")
  func limits() {
    expectLimits(of: Int8.self, beyond: "128", below: "-129")
    expectLimits(of: UInt8.self, beyond: "256", below: "-1")
    expectLimits(of: Int64.self, beyond: "9223372036854775808", below: "-9223372036854775809")
    expectLimits(of: UInt64.self, beyond: "18446744073709551616", below: "-1")
    expectLimits(
      of: UInt128.self, beyond: "340282366920938463463374607431768211456", below: "-1")
  }

  private func expectLimits<Value: FixedWidthInteger & Sendable>(
    of type: Value.Type, beyond: String, below: String
  ) {
    #expect(code(" \(Value.max) ", Value.self) == "\(Value.max)")
    #expect(code("\(Value.min)", Value.self) == "\(Value.min)")
    #expect(code("+7", Value.self) == "7")
    #expect(code(" ", Value.self) == "nil")
    #expect(code(beyond, Value.self) == "tooLarge")
    #expect(code(below, Value.self) == "tooSmall")
    for text in ["1.5", "seven", "0x10", "1e2", "-", "inf"] {
      #expect(code(text, Value.self) == "notWhole", "\(text) as \(Value.self)")
    }
  }

  /// What a text is read as, or the code of what is wrong with it.
  private func code<Value: FixedWidthInteger & Sendable>(
    _ text: String, _ type: Value.Type
  ) -> String {
    do {
      return try FieldTextFormat<Value>.integer.parse(text).map { "\($0)" } ?? "nil"
    } catch {
      return (error as? FieldIssue)?.code ?? "\(error)"
    }
  }
}
