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

    init(_ command: String, _ url: URL, _ number: Int? = nil) throws {
      process.executableURL = Self.program
      process.arguments = [command, url.path()] + (number.map { ["\($0)"] } ?? [])
      process.standardOutput = output
      process.standardInput = input
      try process.run()
    }

    /// The program stands beside the bundle of the tests.
    private static let program: URL = {
      let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      let bundle = bundles.first ?? URL(filePath: CommandLine.arguments[0])
      return bundle.deletingLastPathComponent().appending(path: "storage-process")
    }()

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

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
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

    var wasKilled: Bool { process.terminationReason == .uncaughtSignal }
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
