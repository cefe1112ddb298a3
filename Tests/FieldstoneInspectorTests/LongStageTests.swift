#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import Foundation
  import Testing

  @Suite("The inspector on stages with many lines")
  struct LongStageTests {
    private let desk = InspectedJournal()

    private static func stage(_ members: [String]) -> String {
      "{\"send\":{\(members.joined(separator: ","))}}"
    }

    private static func members(_ range: Range<Int>) -> [String] {
      range.map { "\"m\($0)\":\($0)" }
    }

    /// The differences of a review of an edit.
    private func review(_ old: String, _ new: String) async throws -> String {
      let id = try await desk.deadRun(old)
      let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/edit").text)
      return await desk.post("/runs/\(id)/edit", form + [("payload", new)]).text
    }

    @Test(
      "What differs is shown wherever it is, with the lines around it",
      arguments: [0, 1, 2, 300, 596, 598, 599])
    func oneMember(_ place: Int) async throws {
      let old = Self.members(0..<600)
      var new = old
      new[place] = "\"m\(place)\":\"another\""
      let text = try await review(Self.stage(old), Self.stage(new))
      #expect(text.matches(of: /<del>/).count == 1 && text.matches(of: /<ins>/).count == 1)
      #expect(text.contains("another") && !text.contains("The stage is as it was."))
      #expect(!text.contains("Only a part is shown."))
      // A bracket and two names stand before the first member, and two brackets after the last.
      let lines = (before: place + 2, after: 599 - place + 2)
      for count in [lines.before, lines.after] where count > 3 {
        #expect(text.contains("… \(count - 3) equal line"))
      }
    }

    @Test("An array that has grown shows what it has got")
    func grown() async throws {
      let old = (0..<1_000).map { "\"item \($0)\"" }
      let new = old + ["\"item 1000\""]
      let text = try await review(
        "{\"send\":[\(old.joined(separator: ","))]}", "{\"send\":[\(new.joined(separator: ","))]}")
      #expect(text.matches(of: /<ins>/).count == 1 && text.matches(of: /<del>/).count == 0)
      #expect(text.contains("item 1000") && text.contains("… 999 equal lines"))
    }

    @Test("A redacted member that differs is marked, and not shown")
    func redacted() async throws {
      let members = Self.members(0..<600)
      let text = try await review(
        Self.stage(members + [#""token":"hunter1""#]), Self.stage(members + [#""token":"hunter2""#])
      )
      let shown = text.components(separatedBy: "<pre class=\"json\"").last ?? ""
      let difference = shown.components(separatedBy: "</pre>").first ?? ""
      #expect(difference.contains("<ins>") && !difference.contains("hunter"))
    }

    @Test("More than is shown is said to be more, and a stage without a change to be as it was")
    func bounds() async throws {
      let old = Self.members(0..<1_200)
      let all = (0..<1_200).map { "\"n\($0)\":\($0)" }
      let text = try await review(Self.stage(old), Self.stage(all))
      #expect(text.matches(of: /<ins>/).count == 400 && text.contains("Only a part is shown."))
      let same = try await review(Self.stage(old), Self.stage(old))
      #expect(same.contains("The stage is as it was.") && !same.contains("<ins>"))
    }
  }
#endif
