import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("Composing stages")
struct CompositionTests {
  @Test("A file is opened and uploaded, two stage types inside one and one more around them")
  func twoLevels() async throws {
    let server = try LoopbackServer(body: "thanks")
    let text = try await withFile(JSONEncoder().encode(Document.sample)) { url in
      try await Publication.upload(.open(.read(url), to: server.url)).execute()
    }
    #expect(text == "published: thanks")
    let request = try #require(server.requests.first)
    #expect(request.line.hasPrefix("POST / "))
    #expect(request.body == #"{"number":42}"#)
  }

  @Test("An error of an inner completion is the error of the whole")
  func refusedUpload() async throws {
    let server = try LoopbackServer(status: 503)
    await #expect(throws: FileUpload.Failure.refused(status: 503)) {
      try await FileUpload.open(.done(.sample), to: server.url).execute()
    }
  }

  @Test("Inner stages are stages of the whole, and can be stored and resumed")
  func innerStagesAreOurs() async throws {
    let server = try LoopbackServer(body: "ok")
    let data = try JSONEncoder().encode(Document.sample)
    var names: [String] = []
    var stored: Data?
    for try await stage in Publication.upload(.open(.parse(data), to: server.url)).stages {
      switch stage {
      case .upload(.open(let file, _)): names.append("open.\(file.name)")
      case .upload(.upload):
        names.append("upload")
        stored = try JSONEncoder().encode(stage)
      case .announce: names.append("announce")
      }
    }
    #expect(names == ["open.parse", "open.done", "upload", "announce"])
    let resumed = try JSONDecoder().decode(Publication.self, from: #require(stored))
    #expect(try await resumed.execute() == "published: ok")
    #expect(server.requests.count == 2)
  }

  @Test("Mapping a step keeps a wait's time and hands on what the closures throw")
  func mapKeepsWaits() throws {
    struct Trouble: Error {}
    let date = Date(timeIntervalSinceReferenceDate: 1)
    let wait = Step<Int, Int>.wait(until: date, then: 1)
    let mapped: Step<String, String> = wait.map(
      stage: { "\($0)" }, completion: { .complete("\($0)") })
    #expect(mapped == .wait(until: date, then: "1"))
    #expect(throws: Trouble.self) {
      try Step<Int, Int>.complete(1).map(
        stage: { $0 }, completion: { (_: Int) -> Step<Int, Int> in throw Trouble() })
    }
  }
}

extension FileOpen {
  fileprivate var name: String {
    switch self {
    case .read: "read"
    case .parse: "parse"
    case .done: "done"
    }
  }
}
