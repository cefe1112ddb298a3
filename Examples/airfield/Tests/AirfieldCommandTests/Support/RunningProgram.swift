import Foundation
import Testing

/// The program in a process of its own, as a shell starts it.
final class RunningProgram {
  /// How a run ended and what it wrote.
  struct Ended {
    let status: Int32
    let output: String
    let errors: String
  }

  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private var written = Data()
  private var complained = Data()

  /// Starts a program, which stands beside the tests' own resources in the build folder.
  ///
  /// - Parameters:
  ///   - name: the program.
  ///   - input: a file that it reads as its standard input; the tests' own unless given.
  ///   - starter: the command that starts it, with its first arguments; none unless given.
  init(
    _ arguments: [String], of name: String = "airfield", input: URL? = nil,
    by starter: [String] = []
  ) throws {
    let program = Bundle.module.bundleURL.deletingLastPathComponent().appending(path: name)
    process.executableURL = starter.first.map { URL(filePath: $0) } ?? program
    process.arguments =
      starter.isEmpty ? arguments : starter.dropFirst() + [program.path] + arguments
    process.standardOutput = output
    process.standardError = errors
    if let input { process.standardInput = try FileHandle(forReadingFrom: input) }
    try process.run()
  }

  /// Waits until the program has written a text as a result.
  func waitForOutput(_ text: String) throws {
    try wait(for: [text], in: &written, from: output)
  }

  /// Waits until the program has written a text about itself.
  func waitForErrors(_ text: String) throws {
    try wait(for: [text], in: &complained, from: errors)
  }

  /// Waits until an import has told that so many quarters are done, or more.
  ///
  /// On a busy machine one that goes on meanwhile may leave a quarter out.
  func waitForImport(quarters: Int) throws {
    try wait(
      for: (quarters...3).map { "\($0 * 25) % imported" }, in: &complained, from: errors)
  }

  /// What it has written as results, as far as somebody waited for it.
  var outputSoFar: String { String(decoding: written, as: UTF8.self) }

  /// Names it to the system.
  var identifier: Int32 { process.processIdentifier }

  /// Does what Ctrl-C does.
  func interrupt() { process.interrupt() }

  /// Asks it to end, as a service manager does.
  func terminate() { process.terminate() }

  /// Ends it as a crash would, and waits for that; true where it did not end by itself before.
  func kill() -> Bool {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
  }

  /// Waits for the end.
  func end() -> Ended {
    written += output.fileHandleForReading.readDataToEndOfFile()
    complained += errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Ended(
      status: process.terminationStatus, output: String(decoding: written, as: UTF8.self),
      errors: String(decoding: complained, as: UTF8.self))
  }

  private func wait(for texts: [String], in seen: inout Data, from pipe: Pipe) throws {
    while true {
      let text = String(decoding: seen, as: UTF8.self)
      if texts.contains(where: text.contains) { return }
      try #require(!text.contains("100 % imported"), "it has gone on without “\(texts[0])”")
      let more = pipe.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the program ended without writing “\(texts[0])”")
      seen += more
    }
  }
}
