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
      try await run(program: nil, ["runs"] + arguments, input: input)
    }

    /// Runs `fieldstone …` by a shell, which does something about its streams first.
    static func run(_ arguments: [String], shell: String) async throws -> Result {
      let tool = OtherProcess.program(named: "fieldstone").path(percentEncoded: false)
      return try await run(program: "/bin/sh", ["-c", shell, tool] + arguments)
    }

    /// Runs a program, the command itself unless another is named.
    static func run(
      program: String?, _ arguments: [String], input: String = ""
    ) async throws -> Result {
      try await onThread {
        let process = Process()
        let (output, complaint, typed) = (Pipe(), Pipe(), Pipe())
        process.executableURL =
          program.map { URL(filePath: $0) } ?? OtherProcess.program(named: "fieldstone")
        process.arguments = arguments
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
