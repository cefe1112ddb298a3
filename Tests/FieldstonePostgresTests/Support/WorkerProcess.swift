#if SQLite && PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneTesting
  import Foundation

  /// A process of the helper program that works on a journal in PostgreSQL; it ends with its input.
  final class WorkerProcess: Sendable {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()

    /// - Parameter lines: gets what the process says, line by line.
    convenience init(
      _ connection: String, schema: String, command: String = "work-postgres",
      lines: Recorder<String>
    ) throws {
      try self.init(connection, schema: schema, command: command) { lines.record($0) }
    }

    /// - Parameter tell: is called with each line that the process says, on a thread of its own.
    init(
      _ connection: String, schema: String, command: String = "work-postgres",
      tell: @escaping @Sendable (String) -> Void
    ) throws {
      let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      let bundle = bundles.first ?? URL(filePath: CommandLine.arguments[0])
      process.executableURL = bundle.deletingLastPathComponent().appending(path: "durable-process")
      process.arguments = [command, connection, schema]
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
      process.waitUntilExit()
    }
  }
#endif
