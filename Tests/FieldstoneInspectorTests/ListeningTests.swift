#if INSPECTOR
  import FieldstoneInspector
  import Foundation
  import Testing

  @Suite("The address of the inspector's pages")
  struct ListeningTests {
    @Test("It is printed on a line of its own, at once")
    func printed() throws {
      let pipe = Pipe()
      Inspector.announce("http://127.0.0.1:8471/", to: pipe.fileHandleForWriting)
      let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
      #expect(line == "The inspector's pages: http://127.0.0.1:8471/\n")
    }

    @Test("Without a handler the pages are served, too")
    func withoutHandler() async {
      let task = Task { try await Inspector(name: "orders").run(port: 0) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
#endif
