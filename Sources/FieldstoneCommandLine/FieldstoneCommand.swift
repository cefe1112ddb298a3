#if CommandLineTool
  // The module with the commands has the same name as the type in this file.
  import FieldstoneCommand
  public import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  /// The command `fieldstone`, built by an app with its own flows.
  ///
  /// ```swift
  /// @main struct OrdersCommand {
  ///   static func main() async {
  ///     await FieldstoneCommand.main(
  ///       flows: [DurableFlow(Order.self, services: services)], signals: .approved)
  ///   }
  /// }
  /// ```
  ///
  /// It decodes the stage of each edit and fork, and the payload of each of these signals, before it
  /// writes, and `flows check` decodes all open runs with this build. Everything else is as in the
  /// stock command.
  public enum FieldstoneCommand {
    /// Runs the command with the arguments of this process, and ends the process.
    ///
    /// The exit status is 0; 1 if a journal violates its invariants; or 2 if the command was
    /// refused, or `flows check` has found a run that would be blocked.
    ///
    /// - Parameters:
    ///   - flows: the flows of the app.
    ///   - signals: the signals that people send to its runs. Another payload is refused unless the
    ///     command says `--unchecked`; the pages of `serve` begin with the example.
    public static func main<each Value>(
      flows: [DurableFlow], signals: repeat SignalName<each Value>
    ) async -> Never {
      var environment = CommandEnvironment.process
      environment.flows = flows
      do {
        for signal in repeat each signals { environment.signals.append(try OfferedSignal(signal)) }
      } catch {
        environment.complain("fieldstone: the example of a signal can't be encoded: \(error)")
        exit(2)
      }
      await run(in: environment)
    }

    /// Runs the stock command, which knows no flows.
    package static func main() async -> Never { await run(in: .process) }

    private static func run(in environment: CommandEnvironment) async -> Never {
      StandardOutput.closeGaps()
      StandardOutput.widenHelp()
      // A reader that has gone is an error of the write, not the end in the middle of a change.
      signal(SIGPIPE, SIG_IGN)
      exit(await JournalTool.run(Array(CommandLine.arguments.dropFirst()), in: environment))
    }
  }
#endif
