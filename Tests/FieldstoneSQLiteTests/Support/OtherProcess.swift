#if SQLite
  import FieldstoneCore
  import Foundation

  #if os(macOS) || os(Linux)
    /// The helper program in a process of its own.
    ///
    /// Its methods block: call them within ``onThread(_:)``.
    final class OtherProcess: Sendable {
      private let process = Process()
      private let output = Pipe()
      private let input = Pipe()
      private let unread = Locked("")

      convenience init(
        _ command: String, _ path: String, lease: Int? = nil, environment: [String: String] = [:]
      ) throws {
        try self.init(command, path, lease.map { "\($0)" }, environment: environment)
      }

      init(
        _ command: String, _ path: String, _ argument: String?, environment: [String: String] = [:]
      ) throws {
        process.executableURL = Self.program(named: "durable-process")
        process.arguments = [command, path] + (argument.map { [$0] } ?? [])
        // What is loaded into the tests is not for a process that is measured, and killed.
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_PRELOAD" }
          .merging(environment) { $1 }
        process.standardOutput = output
        process.standardInput = input
        try process.run()
      }

      /// A program of this package: it stands beside the bundle of the tests.
      static func program(named name: String) -> URL {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let bundle = bundles.first ?? URL(filePath: CommandLine.arguments[0])
        return bundle.deletingLastPathComponent().appending(path: name)
      }

      /// The next line; nil at the end.
      func line() -> String? {
        while true {
          let line = unread.withLock { unread -> String? in
            guard let end = unread.firstIndex(of: "\n") else { return nil }
            defer { unread.removeSubrange(...end) }
            return String(unread[..<end])
          }
          if let line { return line }
          let more = output.fileHandleForReading.availableData
          if more.isEmpty { return nil }
          unread.withLock { $0 += String(decoding: more, as: UTF8.self) }
        }
      }

      func say(_ line: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
      }

      func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
      }

      func endInput() {
        try? input.fileHandleForWriting.close()
      }

      /// Waits for the end, and gives the lines that were not read yet.
      @discardableResult
      func end() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        process.waitUntilExit()
        return lines
      }
    }
  #endif

  /// Runs what blocks on a thread that nobody else needs.
  func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
    }
  }
#endif
