#if CommandLineTool && (os(macOS) || os(Linux))
  import Foundation

  /// The command `fieldstone` in a process of its own.
  struct Tool {
    /// What it said, and how it ended.
    struct Result: Sendable {
      var status: Int32
      var output: String
      var complaint: String
    }

    /// Runs `fieldstone runs …`, with what is typed.
    static func run(_ arguments: [String], input: String = "") async throws -> Result {
      try await onThread {
        let process = Process()
        let (output, complaint, typed) = (Pipe(), Pipe(), Pipe())
        process.executableURL = OtherProcess.program(named: "fieldstone")
        process.arguments = ["runs"] + arguments
        process.standardOutput = output
        process.standardError = complaint
        process.standardInput = typed
        try process.run()
        try? typed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? typed.fileHandleForWriting.close()
        // A run of many stages fills the pipe: it is read before the end is waited for.
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = complaint.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
          status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
          complaint: String(decoding: complained, as: UTF8.self))
      }
    }
  }
#endif
