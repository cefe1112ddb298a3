#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay

  struct SlotsCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "slots", abstract: "Shows which slots a journal owns, as one of several.")

    @OptionGroup var options: JournalOptions

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .reading)
      let slots = try await journal.slots()
      let ranges = slots.map { JournalSlots.text($0.ranges) } ?? "all, as it is not one of several"
      if options.json {
        let object = JSONText.object([
          ("group", slots.map { .string($0.group) } ?? .null), ("slots", .string(ranges)),
          ("flowsOnOneShard", .array((slots?.flowsOnOneShard ?? []).map { .string($0) })),
        ])
        return try environment.write(object.text)
      }
      let group = slots.map { " of the set \($0.group)" } ?? ""
      try environment.write("\(ranges)\(group)\n".inOneLine + "\n")
    }
  }

  struct MoveSlotsCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "move-slots",
      abstract: "Moves slots with their runs from one journal of a set to another.",
      discussion: """
        Stop all workers and all programs that start runs before: both journals refuse every other write \
        until it is done, and programs that were open keep the old slots. Open the new journal with the \
        others once, so that it has a record. After an interruption, repeat the command: what is there \
        already is passed over.
        """)

    @Option(
      help: "The file of the journal that gives the slots, or postgresql://… for one on a server.")
    var from: String

    @Option(help: "The file or the postgresql://… of the journal that gets them.")
    var to: String

    @Option(help: "The slots: numbers from 0 to 65535 and ranges of them, as in 5,100-199.")
    var slots: String

    @Flag(help: "Write JSON.")
    var json = false

    @Flag(help: "Do not ask before anything is moved.")
    var yes = false

    func run(in environment: CommandEnvironment) async throws {
      let moved = try JournalSlots.typed(slots)
      let opened = (
        try await environment.open(from, .writing), try await environment.open(to, .writing)
      )
      guard let source = opened.0 as? any MovableJournal,
        let target = opened.1 as? any MovableJournal
      else { throw ShardingError.immovable }
      let places = (JournalPlace(from).shown.inOneLine, JournalPlace(to).shown.inOneLine)
      if !yes {
        let question =
          "Move the slots \(JournalSlots.text(moved)) from \(places.0) to \(places.1), while no worker "
          + "runs? [y/N]"
        guard environment.confirm(question) else { throw CommandError.notConfirmed }
      }
      var counts: [(table: CopiedTable, rows: Int)] = []
      // What can't be told does not end the move halfway, with both journals sealed.
      var untold: (any Error)?
      try await SlotMove.move(moved, from: source, to: target) { progress in
        guard case .copied(let table, let rows, isDone: true) = progress else { return }
        counts.append((table, rows))
        guard !json, untold == nil else { return }
        do { try environment.write("\(rows) \(table.words)\n") } catch { untold = error }
      }
      if let untold { throw untold }
      var findings = 0
      for journal in [source, target] as [any Journal] {
        try await journal.verify { finding in
          findings += 1
          try environment.write(
            json ? JSONText.line(of: finding) : "\(finding)".inOneLine + "\n")
        }
      }
      guard findings == 0 else { throw CommandFindings() }
      try environment.write(
        json
          ? JSONText.object(counts.map { ($0.table.name, .number($0.rows)) }).text
          : "\(places.1) has the slots \(JournalSlots.text(moved)), and nothing is wrong in either.\n"
      )
    }
  }

  extension JournalSlots {
    /// Parses slots from the command line: `5,100-199`.
    fileprivate static func typed(_ text: String) throws(CommandError) -> [ClosedRange<UInt16>] {
      var ranges: [ClosedRange<UInt16>] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let ends = part.split(separator: "-", omittingEmptySubsequences: false)
          .map { UInt16($0.trimmingPrefix(" ")) }
        guard let first = ends[0], ends.count <= 2, let last = ends.last ?? nil, first <= last
        else {
          throw .noSlots(text)
        }
        ranges.append(first...last)
      }
      return united(ranges)
    }
  }
#endif
