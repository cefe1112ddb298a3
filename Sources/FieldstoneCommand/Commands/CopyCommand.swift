#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay

  struct CopyCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "copy",
      abstract: "Moves a journal to a PostgreSQL server.",
      discussion: """
        Seals the source for ever: nothing can be started, signalled or worked on there any more. The
        target takes everything once all is there and verified. After an interruption, repeat the
        command: what is there already is passed over.
        """)

    @Option(help: "The file of the journal, or postgresql://… for one on a server.")
    var from: String

    @Option(help: "The postgresql://… of the target, which has no runs; its tables are made.")
    var to: String

    @Flag(help: "Write JSON.")
    var json = false

    @Flag(help: "Do not ask before the source is sealed.")
    var yes = false

    func run(in environment: CommandEnvironment) async throws {
      let opened = try await environment.open(from, .writing)
      guard let source = opened as? any CopySource else { throw CopyError.noSource }
      guard JournalPlace(to).isPostgres else { throw CopyError.noTarget }
      let places = (JournalPlace(from).shown.inOneLine, JournalPlace(to).shown.inOneLine)
      if !yes {
        let question = "Seal \(places.0) for ever, and copy it to \(places.1)? [y/N]"
        guard environment.confirm(question) else { throw CommandError.notConfirmed }
      }
      let made = try await environment.open(to, .making)
      guard let target = made as? any CopyTarget else { throw CopyError.noTarget }
      var counts: [(table: CopiedTable, rows: Int)] = []
      var told = 0
      // What can't be told does not end the copy halfway, with both journals sealed.
      var untold: (any Error)?
      try await JournalCopy.copy(from: source, to: target) { progress in
        if progress.isDone { counts.append((progress.table, progress.rows)) }
        // One line per table, and per 10,000 rows of a long table.
        guard progress.isDone || progress.rows / 10_000 > told else { return }
        told = progress.isDone ? 0 : progress.rows / 10_000
        guard !json, untold == nil else { return }
        let more = progress.isDone ? "" : " so far"
        do {
          try environment.write("\(progress.rows) \(progress.table.words)\(more)\n")
        } catch {
          untold = error
        }
      }
      if let untold { throw untold }
      var findings = 0
      try await target.verify { finding in
        findings += 1
        try environment.write(
          json ? JSONText.line(of: finding) : "\(finding)".inOneLine + "\n")
      }
      guard findings == 0 else { throw CommandFindings() }
      try environment.write(
        json
          ? JSONText.object(counts.map { ($0.table.name, .number($0.rows)) }).text
          : "\(places.0) is sealed; \(places.1) has all of it, and nothing is wrong.\n")
    }
  }
#endif
