#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import Foundation

  struct SignalCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "signal", abstract: "Sends a signal to a run.")

    @OptionGroup var argument: RunArgument
    @OptionGroup var options: JournalOptions

    @Argument(help: "The name that the run waits for the signal by.")
    var name: String

    @Option(help: "What it says, as JSON.")
    var payload = "null"

    @Option(help: "Names the signal: sent again under the same name it is the same signal.")
    var id: String?

    func run(in environment: CommandEnvironment) async throws {
      let run = try RunID.typed(argument.run)
      let time = environment.journalTime
      let signal = SignalRecord(
        id: id ?? UUID().uuidString, name: name, payload: Data(payload.utf8), sentAt: time.date)
      guard StageText.isJSON(signal.payload) else { throw JournalError.notJSON }
      let journal = try environment.open(options.journal, .writing)
      let receipt = try await journal.signal(run, signal, at: time)
      if options.json {
        try environment.write(
          JSONText.object([
            ("run", .string("\(run)")), ("signal", .string(signal.id)),
            ("receipt", .string(receipt.rawValue)),
          ]).text)
      } else {
        let name = signal.id.inOneLine
        try environment.write(
          receipt == .sent
            ? "Signal \(name) was sent to run \(run).\n"
            : "Run \(run) has had signal \(name) before; nothing was sent.\n")
      }
    }
  }
#endif
