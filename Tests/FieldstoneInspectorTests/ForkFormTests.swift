#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("The form that forks a run")
  struct ForkFormTests {
    private let desk = InspectedJournal()

    /// The fields of the form that was reviewed for a stage.
    private func reviewed(_ id: RunID, from stage: Int = 0) async -> [(String, String)] {
      let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/fork").text)
      let review = await desk.post("/runs/\(id)/fork", form + [("from", "\(stage)")]).text
      return InspectedJournal.hidden(in: review)
    }

    private func forks(of id: RunID) async throws -> [RunID] {
      try await desk.journal.runs(RunQuery()).runs.filter { $0.origin?.run == id }.map(\.id)
    }

    @Test("Sent three times at once, it makes one fork, which each answer leads to")
    func thrice() async throws {
      let id = try await desk.deadRun()
      let values = await reviewed(id)
      async let first = desk.post("/runs/\(id)/fork", values)
      async let second = desk.post("/runs/\(id)/fork", values)
      let third = await desk.post("/runs/\(id)/fork", values)
      let answers = await [first, second, third]
      let fork = try #require(try await forks(of: id).first)
      for answer in answers {
        #expect(answer.status == 303)
        #expect(answer.headers["Location"] == "/runs/\(fork)?done=fork")
      }
      #expect(try await forks(of: id).count == 1)
      #expect(try await desk.journal.audit(AuditQuery()).records.map(\.action) == [.fork])
    }

    @Test("Sent again once the run has gone on, and a day later, it leads to its fork")
    func later() async throws {
      let id = try await desk.deadRun()
      let values = await reviewed(id)
      let first = await desk.post("/runs/\(id)/fork", values)
      try await desk.journal.change(id, .edit(Data("1".utf8), version: nil), at: desk.now)
      desk.time.advance(by: .seconds(90_000))
      let again = await desk.post("/runs/\(id)/fork", values)
      #expect(again.status == 303 && again.headers["Location"] == first.headers["Location"])
      #expect(try await forks(of: id).count == 1)
    }

    @Test("Each review is another fork")
    func twoReviews() async throws {
      let id = try await desk.deadRun()
      for _ in 0..<2 {
        let values = await reviewed(id)
        #expect(await desk.post("/runs/\(id)/fork", values).status == 303)
      }
      #expect(try await forks(of: id).count == 2)
    }

    @Test("A day after its review it starts nothing, and leads back to the run")
    func late() async throws {
      let id = try await desk.deadRun()
      let values = await reviewed(id)
      desk.time.advance(by: .seconds(86_402))
      let answer = await desk.post("/runs/\(id)/fork", values)
      #expect(answer.status == 409 && answer.text.contains("out of date"))
      #expect(answer.text.contains(#"href="/runs/\#(id)">Back to the run</a>"#))
      #expect(try await forks(of: id).isEmpty)
    }

    @Test("An identifier that another run has, or that no page makes, starts and changes nothing")
    func crafted() async throws {
      let other = try await desk.start(key: "other")
      let id = try await desk.longRun(["1", "2", "3"])
      let otherFork = await desk.post("/runs/\(id)/fork", await reviewed(id, from: 1))
      #expect(otherFork.status == 303)
      let fork = try #require(try await forks(of: id).first)
      let before = try await desk.journal.runs(RunQuery()).runs
      let values = await reviewed(id).filter { $0.0 != "fork" }
      let now = desk.time.now
      let strange = [
        RunID(at: .distantFuture, slot: id.slot), RunID(at: .distantPast, slot: id.slot),
        RunID(at: now + 3_600, slot: id.slot), RunID(at: now, slot: id.slot &+ 1),
      ]
      let texts = ([other, id, fork] + strange).map(\.description) + ["nonsense"]
      for text in texts {
        let answer = await desk.post("/runs/\(id)/fork", values + [("fork", text)])
        #expect(answer.status == 409 && answer.text.contains("open it again"), "\(text)")
      }
      #expect(try await desk.journal.runs(RunQuery()).runs == before)
    }

    @Test("A stage that the run has not is refused before it is asked about, with what was typed")
    func noStage() async throws {
      let id = try await desk.longRun(["1", "2", "3"])
      let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/fork").text)
      for stage in ["77", "-1", "two", ""] {
        let review = await desk.post("/runs/\(id)/fork", form + [("from", stage)])
        #expect(review.status == 422, "\(stage)")
        #expect(review.text.contains(#"name="from" value="\#(stage)""#), "\(stage)")
        #expect(!review.text.contains(#"name="confirmed""#), "\(stage)")
      }
      let review = await desk.post("/runs/\(id)/fork", form + [("from", "77")])
      #expect(review.text.contains("has no stage 77 in the journal"))
    }
  }
#endif
