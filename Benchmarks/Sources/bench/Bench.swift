import ArgumentParser
import Foundation
import Harness

/// The command: measures the groups that the filter chooses.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures Fieldstone against bare loops and against its peers.")

  @Argument(help: "An area (stages), a group (stages-sync), or a part of a group's name.")
  var filter: String?

  @Option(help: "Writes one JSON object a line to this file, too.")
  var json: String?

  @Option(help: "How many samples each case gets, at least 15.")
  var samples = 15

  @Flag(help: "Ends with status 1 if a goal is missed.")
  var check = false

  @Flag(help: "Lists the groups and measures nothing.")
  var list = false

  func validate() throws {
    guard samples >= 15 else { throw ValidationError("--samples must be at least 15.") }
    guard list || areas.contains(where: { !$0.groups(matching: filter).isEmpty }) else {
      throw ValidationError("No group matches \"\(filter ?? "")\"; --list shows them all.")
    }
  }

  func run() async throws {
    if list {
      for area in areas {
        for group in area.groups(matching: filter) { print("\(area.name)\t\(group.name)") }
      }
      return
    }
    let runner = Runner(samples: samples)
    var lines = Data()
    var misses: [String] = []
    for group in areas.flatMap({ $0.groups(matching: filter) }) {
      let result = try await runner.run(group)
      print(result.table, terminator: "\n\n")
      fflush(nil)
      for row in result.rows { lines += try row.json() + Data("\n".utf8) }
      misses += result.misses
    }
    if let json { try lines.write(to: URL(fileURLWithPath: json)) }
    for miss in misses { print("missed: \(miss)") }
    if check, !misses.isEmpty { throw ExitCode(1) }
  }
}
