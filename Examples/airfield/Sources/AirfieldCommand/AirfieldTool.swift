public import ArgumentParser
import Foundation

/// The command `airfield`.
public struct AirfieldTool: AsyncParsableCommand {
  /// The command's name, what it says of itself, and its subcommands.
  public static let configuration = CommandConfiguration(
    commandName: "airfield",
    abstract: "A directory of the world's airports.",
    subcommands: [
      RunCommand.self, ImportCommand.self, WorkCommand.self, ExportCommand.self, ServeCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  /// Makes the command as its parser does.
  public init() {}

  /// Runs the command that this process was started with, and ends the process with its status.
  public static func launch() async -> Never {
    let (result, signal) = await StopSignal.cancelling {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    }
    guard case .failure(let error) = result else { Foundation.exit(0) }
    guard let failure = CommandFailure(error, signal: signal) else { exit(withError: error) }
    Console.standard.report("airfield: \(failure.message)")
    Foundation.exit(failure.status)
  }
}
