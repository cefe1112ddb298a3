#if os(macOS) || os(Linux)
  import FieldstoneCore
  import Foundation
  import Testing

  @Suite("What the compiler says of bindings and slips")
  struct CompilationTests {
    private static var modules: URL {
      get throws {
        var folder = URL(filePath: CommandLine.arguments[0])
        // The modules lie beside the test bundle; inside a bundle on a Mac they lie further out.
        for _ in 0..<8 {
          folder.deleteLastPathComponent()
          let modules = folder.appending(path: "Modules")
          if FileManager.default.fileExists(
            atPath: modules.appending(path: "FieldstoneFields.swiftmodule").path())
          {
            return modules
          }
        }
        throw MessageError("No module FieldstoneFields beside the test bundle; build it first.")
      }
    }

    private typealias Verdict = (isAccepted: Bool, output: String)

    /// What the compiler prints about a fixture, and whether it takes it.
    ///
    /// It takes seconds, and so has a thread of its own: other tests need those of the pool.
    private func compile(_ fixture: String) async throws -> Verdict {
      let made = Locked<Result<Verdict, any Error>?>(nil)
      await onNewThread {
        let result = Result { try Self.run(fixture) }
        made.withLock { $0 = result }
      }
      guard let result = made.withLock({ $0 }) else { throw MessageError("It was not compiled.") }
      return try result.get()
    }

    private static func run(_ fixture: String) throws -> Verdict {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      let source = tests.appending(path: "Fixtures/\(fixture).swift")
      // As the package manager does: what a module is made with has to be found, too.
      let headers = tests.appending(path: "../../Sources/CFieldstone/include")
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = try [
        "-u", "LD_PRELOAD", "swiftc", "-typecheck", "-swift-version", "6",
        "-I", modules.path(), "-I", headers.path(), source.path(),
      ]
      let pipe = Pipe()
      process.standardError = pipe
      process.standardOutput = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus == 0, String(decoding: output, as: UTF8.self))
    }

    @Test("Fields of one type are bound")
    func rightType() async throws {
      let (isAccepted, output) = try await compile("RightTypeBinding")
      #expect(isAccepted, "\(output)")
    }

    @Test(
      "Fields of two types are refused, at the line of the binding",
      arguments: ["WrongTypeBinding": ":5:", "WrongTypeObserver": ":4:"])
    func wrongType(fixture: String, line: String) async throws {
      let (isAccepted, output) = try await compile(fixture)
      #expect(!isAccepted)
      #expect(output.contains("\(fixture).swift\(line)") && output.contains("error:"), "\(output)")
      #expect(!output.contains("no such module"))
    }

    @Test(
      "A slip is refused at its line, with a message that names the remedy",
      arguments: [
        ("LengthOfNumber", ":3:", "use range(_:) for numbers"),
        ("RangeOfText", ":3:", "use length(_:) for the number of its characters"),
        ("CountOfText", ":3:", "A text has no items"),
        ("DerivedTuple", ":4:", "return a struct instead of a tuple"),
        ("DerivedNothing", ":4:", "observe the fields where nothing is to be computed"),
        ("DerivedNotEquatable", ":5:", "one value that is Equatable and Sendable"),
        ("DerivedOneParameter", ":4:", "give it one for each source"),
        ("DerivedTwoParameters", ":4:", "list a source for each parameter"),
      ])
    func slip(fixture: String, line: String, remedy: String) async throws {
      let (isAccepted, output) = try await compile(fixture)
      #expect(!isAccepted)
      let errors = output.split(separator: "\n").filter { $0.contains("error:") }
      #expect(
        errors.contains { $0.contains("\(fixture).swift\(line)") && $0.contains(remedy) },
        "\(output)"
      )
    }
  }
#endif
