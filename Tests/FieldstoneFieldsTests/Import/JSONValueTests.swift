import FieldstoneFields
import Foundation
import Testing

@Suite("JSON values")
struct JSONValueTests {
  @Test("Literals make values")
  func literals() {
    let value: JSONValue = ["a": [nil, true, 1, 1.5, "x"], "b": [:]]
    #expect(
      value
        == .object([
          "a": .array([.null, .bool(true), .integer(1), .double(1.5), .string("x")]),
          "b": .object([:]),
        ]))
    #expect("\(1 + 1)" as JSONValue == .string("2"))
  }

  @Test(
    "Text is read as it is meant",
    arguments: [
      ("null", nil), ("true", true), ("1", 1), ("3.0", 3), ("1e3", 1000), ("1.5", 1.5),
      ("9223372036854775807", .integer(.max)), ("9223372036854775808", .double(0x1p63)),
      ("123456789012345678901234567890", 1.2345678901234568e29), ("\"\\u00e9\"", "é"),
      ("[1,[2]]", [1, [2]]), ("{\"a\":{\"b\":null}}", ["a": ["b": nil]]),
    ] as [(String, JSONValue)])
  func reads(_ text: String, _ value: JSONValue) throws {
    #expect(try JSONValue(data: Data(text.utf8)) == value)
    #expect(try JSONValue(data: value.data()) == value)
  }

  @Test("What can't be read says why", arguments: ["", "nul", "[1", "{\"a\"}", "\u{1}", "1 2"])
  func notJSON(_ text: String) throws {
    let error = #expect(throws: JSONValueError.self) { try JSONValue(data: Data(text.utf8)) }
    guard case .notJSON = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.localizedDescription.contains("not JSON") == true)
  }

  @Test("A number or a string that no value can hold is an error with the path to it")
  func unrepresentable() {
    #expect(throws: JSONValueError.numberOutOfRange(path: ["a", "Index 1"])) {
      try JSONValue(data: Data("{\"a\":[1,1e400]}".utf8))
    }
    #expect(throws: JSONValueError.malformedString(path: ["a"])) {
      try JSONValue(data: Data("{\"a\":\"\\ud800\"}".utf8))
    }
    #expect(throws: JSONValueError.numberOutOfRange(path: ["a"])) {
      try JSONValue.object(["a": .double(.nan)]).data()
    }
  }

  /// A thread with the smallest stack that systems give.
  private func onSmallStack<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }

  private static func nested(_ depth: Int, objects: Bool) -> String {
    let (open, close) = objects ? ("{\"a\":", "}") : ("[", "]")
    return String(repeating: open, count: depth) + (objects ? "1" : "")
      + String(repeating: close, count: depth)
  }

  @Test("As deep as the limit it is read and written, on a small stack", arguments: [true, false])
  func deepest(objects: Bool) async {
    let text = Self.nested(JSONValue.depthLimit, objects: objects)
    let written = await onSmallStack {
      (try? JSONValue(data: Data(text.utf8)).data()).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(written == text)
  }

  @Test(
    "Deeper than the limit is an error, however deep",
    arguments: [65, 512, 513, 10_000, 1_000_000],
    [true, false])
  func tooDeep(depth: Int, objects: Bool) async {
    let text = Self.nested(depth, objects: objects)
    let error = await onSmallStack {
      () -> JSONValueError? in
      do throws(JSONValueError) {
        _ = try JSONValue(data: Data(text.utf8))
        return nil
      } catch {
        return error
      }
    }
    #expect(error == .tooDeep)
  }

  @Test("A value that was built too deep is not written")
  func builtTooDeep() throws {
    var value: JSONValue = [1]
    for _ in 1..<JSONValue.depthLimit { value = ["a": value] }
    _ = try value.data()
    let deeper = JSONValue.array([value])
    #expect(throws: JSONValueError.tooDeep) { try deeper.data() }
    #expect(throws: (any Error).self) { try JSONEncoder().encode(deeper) }
  }

  @Test("Brackets in strings are no depth")
  func bracketsInStrings() {
    let text = "[\"" + String(repeating: "[\\\"", count: 100) + "\""
    #expect {
      try JSONValue(data: Data(text.utf8))
    } throws: { error in
      if case JSONValueError.notJSON = error { true } else { false }
    }
  }

  @Test("Untyped trees convert, in their Swift and in their Foundation form")
  func converting() throws {
    let tree: [String: Any] = [
      "null": NSNull(), "none": Int?.none as Any, "some": Int??.some(3) as Any, "true": true,
      "one": 1, "byte": UInt8(7), "huge": UInt64.max, "float": Float(0.5), "whole": 2.0,
      "text": "x", "part": "xyz".dropFirst(), "list": [1, "a", [true]] as [Any],
      "numbers": [1, 2], "map": ["k": 1.5], "json": JSONValue.bool(false),
      "nsTrue": NSNumber(value: true), "nsSome": NSNumber?.some(1) as Any,
      "nsOne": NSNumber(value: 1), "nsHalf": NSNumber(value: 0.5),
      "nsText": NSString(string: "ns"), "nsList": NSArray(array: [1]),
      "nsMap": NSDictionary(dictionary: ["k": 1]),
    ]
    let expected: [String: JSONValue] = [
      "null": nil, "none": nil, "some": 3, "true": true, "one": 1, "byte": 7,
      "huge": .double(0x1p64), "float": 0.5, "whole": 2, "text": "x", "part": "yz",
      "list": [1, "a", [true]], "numbers": [1, 2], "map": ["k": 1.5], "json": false,
      "nsTrue": true, "nsSome": 1, "nsOne": 1, "nsHalf": 0.5, "nsText": "ns", "nsList": [1],
      "nsMap": ["k": 1],
    ]
    let converted = try [String: JSONValue](converting: tree)
    for (key, value) in expected { #expect(converted[key] == value, "\(key)") }
    #expect(converted == expected)
    #expect(try JSONValue(converting: JSONValue.object(expected).untyped) == .object(expected))
    #expect(try JSONValue(converting: nil) == .null)
    #expect(try JSONValue(converting: Int?.none as Any) == .null)
    #expect(try JSONValue(converting: NSNumber?.some(1) as Any) == 1)
  }

  @Test("What JSONSerialization made converts to what the decoder reads")
  func serialization() throws {
    let text = "{\"a\":[true,1,0,1.5,null,\"x\",9223372036854775807],\"b\":{\"c\":false}}"
    let tree = try JSONSerialization.jsonObject(with: Data(text.utf8))
    #expect(try JSONValue(converting: tree) == JSONValue(data: Data(text.utf8)))
  }

  @Test("An object of an unknown type is an error that says where and what")
  func unsupported() {
    #expect(throws: JSONValueError.unsupportedType("Opaque", path: ["a", "1"])) {
      try [String: JSONValue](converting: ["a": [1, Opaque()] as [Any]])
    }
    #expect(throws: JSONValueError.numberOutOfRange(path: ["a"])) {
      try [String: JSONValue](converting: ["a": Double.nan])
    }
    #expect(throws: JSONValueError.self) { try JSONValue(converting: [1: 2]) }
    var deep: Any = 1
    for _ in 0..<100 { deep = [deep] }
    #expect(throws: JSONValueError.tooDeep) { try JSONValue(converting: deep) }
  }
}
