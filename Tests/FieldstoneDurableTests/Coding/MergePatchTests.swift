import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("A merge patch of a stage")
struct MergePatchTests {
  private func edited(_ stage: String, _ patch: String) throws -> String? {
    try MergePatch(Data(patch.utf8)).edited(Data(stage.utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "It sets, adds and removes members, deeply; arrays and other values are replaced as a whole",
    arguments: [
      (#"{"a":"b","z":1}"#, #"{"a":"c"}"#, #"{"a":"c","z":1}"#),
      (#"{"a":"b","z":1}"#, #"{"b":"c"}"#, #"{"a":"b","z":1,"b":"c"}"#),
      (#"{"a":"b","b":"c","z":1}"#, #"{"a":null}"#, #"{"b":"c","z":1}"#),
      (#"{"a":["b"],"z":1}"#, #"{"a":"c"}"#, #"{"a":"c","z":1}"#),
      (#"{"a":"c","z":1}"#, #"{"a":["b",null]}"#, #"{"a":["b",null],"z":1}"#),
      (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
      (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
      (#"{"e":null,"z":1}"#, #"{"a":1}"#, #"{"e":null,"z":1,"a":1}"#),
      // No case of an enum: its values would be in an object.
      (#"{"id":1}"#, #"{"note":"x"}"#, #"{"id":1,"note":"x"}"#),
      (#"{"ids":[1]}"#, #"{"note":{}}"#, #"{"ids":[1],"note":{}}"#),
      (#"{"a":1}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
      (
        #"{"a":{"x":1,"y":2,"z":3}}"#, #"{"a":{"x":null,"w":4,"v":5}}"#,
        #"{"a":{"y":2,"z":3,"w":4,"v":5}}"#
      ),
      (#""charge""#, #""refund""#, #""refund""#),
      ("7", "8", "8"), ("[1]", "[2]", "[2]"),
    ])
  func merges(_ stage: String, _ patch: String, _ result: String) throws {
    #expect(try edited(stage, patch) == result)
    #expect(try edited(result, patch) == nil, "A second time it changes nothing.")
  }

  @Test("Numbers and strings keep their spelling, to the last digit")
  func exact() throws {
    let stage = #"{"pay":{"sum":12345678901234567890.120, "text":"\u00e9\/", "n" : 1E2}}"#
    #expect(
      try edited(stage, #"{"pay":{"n":0.10000000000000000000001}}"#)
        == #"{"pay":{"sum":12345678901234567890.120,"text":"\u00e9\/","n":0.10000000000000000000001}}"#
    )
  }

  @Test("Names are compared as text by their scalars, however they are escaped")
  func names() throws {
    #expect(try edited(#"{"s":{"\u0061":1}}"#, #"{"s":{"a":2}}"#) == #"{"s":{"\u0061":2}}"#)
    // Composed and not: two names.
    #expect(
      try edited("{\"s\":{\"é\":1}}", "{\"s\":{\"e\u{301}\":2}}")
        == "{\"s\":{\"é\":1,\"e\u{301}\":2}}")
  }

  @Test(
    "A patch for another stage, or of values that are there, changes nothing",
    arguments: [
      (#"{"ship":{"to":"Oslo"}}"#, #"{"charge":{"sum":1}}"#),
      (#"{"ship":{"to":"Oslo"}}"#, #"{"ship":null}"#),
      (#"{"ship":{"to":"Oslo"}}"#, #"{"ship":{"to":"Oslo"}}"#),
      (#"{"ship":{ "to" : "Oslo" } }"#, #"{"ship":{}}"#),
      (#"{"ship":{"to":"Oslo"}}"#, "{}"), (#"{"ship":{}}"#, #""ship""#),
      (#""ship""#, #"{"ship":{}}"#), ("no JSON", "{}"), ("", "1"),
    ])
  func otherStage(_ stage: String, _ patch: String) throws {
    #expect(try edited(stage, patch) == nil)
  }

  @Test("A patch that removes a stage's values and adds those of another moves it there")
  func moves() throws {
    let patch = #"{"charge":null,"ship":{"to":"Oslo"}}"#
    #expect(try edited(#"{"charge":{"sum":1}}"#, patch) == #"{"ship":{"to":"Oslo"}}"#)
    #expect(try edited(#"{"pack":{}}"#, patch) == nil)
  }

  @Test(
    "What is not JSON in UTF-8 is refused, and nothing traps",
    arguments: [
      Data(), Data("{".utf8), Data("{\"a\"}".utf8), Data([0xFF]),
      Data([0xEF, 0xBB, 0xBF, 0x7B, 0x7D]),
      Data("{\"a\":1}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
      // Two bytes of UTF-16 that look like the beginning of an object, again and again.
      Data(
        "\"\(String(repeating: "\u{227B}\u{2261}\u{7B3A}", count: 100_000))\"".utf16
          .flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
      Data((String(repeating: "{\"a\":", count: 100_000) + "1").utf8),
    ])
  func refused(_ bytes: Data) throws {
    #expect(throws: JournalError.notJSON) { try MergePatch(bytes) }
    #expect(try MergePatch(Data("{}".utf8)).edited(bytes) == nil)
  }

  @Test("A stage and a patch of 100,000 members are merged in the order of the stage")
  func long() throws {
    func json(_ value: Int, _ range: Range<Int>) -> String {
      "{\"s\":{" + range.map { "\"m\($0)\":\(value)" }.joined(separator: ",") + "}}"
    }
    let result = try #require(try edited(json(1, 0..<100_000), json(2, 50_000..<150_000)))
    #expect(result.hasPrefix("{\"s\":{\"m0\":1,\"m1\":1,"))
    #expect(result.contains("\"m49999\":1,\"m50000\":2,"))
    #expect(result.hasSuffix("\"m149999\":2}}"))
  }

  @Test("By chance, it merges as the rules of RFC 7396 do", arguments: [1, 2, 3, 4] as [UInt64])
  func byChance(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Rounds.of(2_000) {
      let stage = ["s": value(depth: 3, &random), "t": 1] as [String: Any]
      let patch = ["s": value(depth: 3, &random)]
      let expected = merged(patch, into: stage)
      let stageData = try JSONSerialization.data(withJSONObject: stage)
      let patchData = try JSONSerialization.data(withJSONObject: patch)
      let result = try MergePatch(patchData).edited(stageData) ?? stageData
      let read = try JSONSerialization.jsonObject(with: result) as? NSDictionary
      // The only change that is none to a stage of this form is one that changes nothing.
      #expect(
        read == expected as? NSDictionary || (expected as? NSDictionary)?.count == 1,
        "seed \(seed): \(stage), \(patch), \(String(decoding: result, as: UTF8.self))")
    }
  }

  private func value(depth: Int, _ random: inout SeededGenerator) -> Any {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
    case 0: return NSNull()
    case 1: return Int.random(in: 0..<3, using: &random)
    case 2: return "\(Int.random(in: 0..<3, using: &random))"
    case 3: return [value(depth: 0, &random)]
    default:
      var members: [String: Any] = [:]
      for name in ["a", "b", "c"] where Bool.random(using: &random) {
        members[name] = value(depth: depth - 1, &random)
      }
      return members
    }
  }

  private func merged(_ patch: Any, into target: Any) -> Any {
    guard let patch = patch as? [String: Any] else { return patch }
    var result = target as? [String: Any] ?? [:]
    for (name, value) in patch {
      result[name] = value is NSNull ? nil : merged(value, into: result[name] ?? NSNull())
    }
    return result
  }
}
