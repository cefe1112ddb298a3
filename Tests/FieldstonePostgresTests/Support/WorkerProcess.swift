#if SQLite && PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneTesting
  import Foundation

  /// A process of the helper program that works on a journal in PostgreSQL; it ends with its input.
  final class WorkerProcess: Sendable {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()

    /// - Parameters:
    ///   - lastLine: the number of the line with which it kills itself; from 1.
    ///   - lines: gets what the process says, line by line.
    convenience init(
      _ connection: String, schema: String, command: String = "work-postgres",
      lastLine: Int? = nil, lines: Recorder<String>
    ) throws {
      try self.init(connection, schema: schema, command: command, lastLine: lastLine) {
        lines.record($0)
      }
    }

    /// - Parameter tell: is called with each line that the process says, on a thread of its own.
    init(
      _ connection: String, schema: String, command: String = "work-postgres",
      lastLine: Int? = nil, tell: @escaping @Sendable (String) -> Void
    ) throws {
      let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      let bundle = bundles.first ?? URL(filePath: CommandLine.arguments[0])
      process.executableURL = bundle.deletingLastPathComponent().appending(path: "durable-process")
      process.arguments = [command, connection, schema]
      if let lastLine {
        process.environment = ProcessInfo.processInfo.environment
          .merging(["FIELDSTONE_LAST_LINE": "\(lastLine)"]) { $1 }
      }
      process.standardOutput = output
      process.standardInput = input
      try process.run()
      let reading = output.fileHandleForReading
      Thread {
        var unread = ""
        while true {
          let bytes = reading.availableData
          guard !bytes.isEmpty else { return }
          unread += String(decoding: bytes, as: UTF8.self)
          while let end = unread.firstIndex(of: "\n") {
            tell(String(unread[..<end]))
            unread.removeSubrange(...end)
          }
        }
      }.start()
    }

    /// Ends it at once.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Ends it at once, and blocks until it has ended.
    func killAndWait() {
      kill()
      wait()
    }

    /// Blocks until it has ended.
    func wait() { process.waitUntilExit() }
  }
#endif
