#if PostgreSQL && (os(macOS) || os(Linux))
  import Foundation

  /// A program that does errands: it reads one a line, and answers each with a line.
  ///
  /// Its input ends with this process, however that ends, and it ends with its input.
  final class ErrandProcess: Sendable {
    /// Held open while this process lives.
    private let input = Pipe()
    private let output = Pipe()
    /// Waits for answers, on a thread that may wait.
    private let queue = DispatchQueue(label: "fieldstone.tests.errands")

    /// Starts the program, whose first line tells that it is ready.
    init(_ command: [String]) throws {
      let process = Process()
      // What is loaded into the tests has nothing to do with it.
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["-u", "LD_PRELOAD"] + command
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    /// Sends an errand, and waits for the answer, without its line break; without an errand, for the
    /// next line that the program prints.
    func answer(to errand: String? = nil) async throws -> String {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          continuation.resume(
            with: Result {
              if let errand {
                try self.input.fileHandleForWriting.write(contentsOf: Data("\(errand)\n".utf8))
              }
              let line = self.output.fileHandleForReading.availableData
              return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
            })
        }
      }
    }
  }
#endif
