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
  }
#endif
