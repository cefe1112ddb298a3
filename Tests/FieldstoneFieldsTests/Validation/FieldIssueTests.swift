import FieldstoneFields
import Foundation
import Testing

@Suite("Issues as data")
struct FieldIssueTests {
  func decode(_ json: String) throws -> FieldIssue {
    try JSONDecoder().decode(FieldIssue.self, from: Data(json.utf8))
  }

  @Test("All but the code may be absent or null")
  func lenient() throws {
    #expect(try decode(#"{"code": "taken"}"#) == FieldIssue(code: "taken"))
    let nulls =
      #"{"code": "taken", "parameters": null, "path": null, "severity": null, "source": null, "alternatives": null}"#
    #expect(try decode(nulls) == FieldIssue(code: "taken"))
    #expect(
      try decode(#"{"code": "taken", "severity": "warning", "more": 1}"#)
        == FieldIssue(code: "taken", severity: .warning))
    #expect(
      try decode(#"{"code": "taken", "source": "server", "path": ["a", "0"]}"#)
        == FieldIssue(code: "taken", path: ["a", "0"], source: .server))
    #expect(
      try decode(#"{"code": "any", "alternatives": [{"code": "a"}, {"code": "b"}]}"#)
        == FieldIssue(code: "any", alternatives: [FieldIssue(code: "a"), FieldIssue(code: "b")]))
  }

  @Test(
    "What has no code, or a part of another type, is refused",
    arguments: [
      "{}", #"{"code": null}"#, #"{"code": 1}"#, #"{"code": "a", "parameters": []}"#,
      #"{"code": "a", "path": "b"}"#, #"{"code": "a", "severity": "bad"}"#,
      #"{"code": "a", "source": "elsewhere"}"#, #"{"code": "a", "alternatives": [{}]}"#, "[]",
    ])
  func refused(json: String) {
    #expect(throws: DecodingError.self) { try decode(json) }
  }

  @Test("An issue that is written is read as it was")
  func roundTrip() throws {
    let inner = FieldIssue(code: "b", parameters: ["minimum": "3"], severity: .warning)
    let issue = FieldIssue(
      code: "a", parameters: ["x": "1"], path: ["k", "2"], severity: .warning, source: .importing,
      alternatives: [inner])
    let data = try JSONEncoder().encode(issue)
    #expect(try JSONDecoder().decode(FieldIssue.self, from: data) == issue)
  }

  @Test("Own words are a parameter, and make the text")
  func words() {
    let issue = FieldIssue("is taken already", code: "taken", source: .server)
    #expect(issue.message == "is taken already" && issue.text == "is taken already")
    #expect(issue.code == "taken" && issue.source == .server && issue.isError)
    #expect(FieldIssue(code: "taken").message == nil)
    #expect(FieldIssue("x").code == "invalid" && FieldIssue("x").source == .code)
    #expect(!FieldIssue(code: "odd", severity: .warning).isError)
  }

  @Test("Issues are equal when all of their parts are")
  func equality() {
    let issue = FieldIssue(code: "a")
    var others = Set([issue])
    for change: (inout FieldIssue) -> Void in [
      { $0.code = "b" }, { $0.parameters["x"] = "1" }, { $0.path = ["x"] },
      { $0.severity = .warning }, { $0.source = .rule },
      { $0.alternatives = [FieldIssue(code: "c")] },
    ] {
      var other = issue
      change(&other)
      #expect(other != issue && others.insert(other).inserted)
    }
  }
}
