#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import Foundation

  struct WorkersCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "workers",
      abstract: "Lists the workers of a journal, and what they work on.",
      discussion: """
        A worker announces itself about once a lease, and leaves the list when it ends. One that has died \
        is silent, and leaves the list after a day. With --json each worker is an object on a line.
        """)

    @OptionGroup var options: JournalOptions

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .reading)
      let workers = try await journal.workers()
      let now = try await journal.currentDate(byCaller: environment.journalTime.date)
      if options.json {
        for worker in workers { try environment.write(JSONText.line(of: worker, at: now)) }
      } else {
        try environment.write(WorkerTable.text(of: workers, at: now))
      }
    }
  }
#endif
