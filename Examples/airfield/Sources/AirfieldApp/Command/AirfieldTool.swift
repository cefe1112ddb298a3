import ArgumentParser
import Foundation

struct AirfieldTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "airfield",
    abstract: "A directory of the world's airports.",
    subcommands: [
      RunCommand.self, ImportCommand.self, WorkCommand.self, ExportCommand.self, ServeCommand.self,
    ],
    defaultSubcommand: RunCommand.self)
}

/// Runs the command that this process was started with, and ends the process with its status.
package func launchAirfield() async -> Never {
  let (result, signal) = await StopSignal.cancelling {
    var command = try AirfieldTool.parseAsRoot()
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
  }
  guard case .failure(let error) = result else { exit(0) }
  guard let failure = CommandFailure(error, signal: signal) else {
    AirfieldTool.exit(withError: error)
  }
  Console.standard.report("airfield: \(failure.message)")
  exit(failure.status)
}
