#if CommandLineTool
  import ArgumentParser
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  struct EditCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Replaces the stage of a run, or changes a part of many.",
      discussion: """
        The steps keep the old stage. Running runs can't be edited. --patch is a JSON merge patch: the \
        members to set, and null for those to remove. With --flow, --state and the like it changes the \
        runs that are at the stage that it names.
        """)

    @OptionGroup var options: JournalOptions
    @OptionGroup var many: ManyRunsArguments

    @Option(
      help: "The stage as JSON; without --patch, read from the standard input when it is not given."
    )
    var stage: String?

    @Option(help: "What changes of the stage, as a JSON merge patch (RFC 7396).")
    var patch: String?

    @Option(
      parsing: .unconditional,
      help: "The version of the flow that the stage is written for; as it was, if not given.")
    var flowVersion: Int?

    @OptionGroup var checking: CheckOptions

    func validate() throws {
      guard stage == nil || patch == nil else {
        throw ValidationError(
          "--stage replaces a stage and --patch changes a part of it; give one.")
      }
    }

    func run(in environment: CommandEnvironment) async throws {
      guard let text = many.run else {
        guard !many.filter.isEmpty else { throw CommandError.noRuns }
        guard let patch else { throw CommandError.editOfMany }
        return try await environment.changeMany(
          many, .edit(patch: Data(patch.utf8), version: flowVersion), options,
          try checking.check(in: environment), one: { _, _ in })
      }
      guard many.isOfOne else { throw CommandError.runAndQuery }
      try await edit(try RunID.typed(text), in: environment)
    }

    private func edit(_ id: RunID, in environment: CommandEnvironment) async throws {
      let typed = try patch == nil ? stage.map { Data($0.utf8) } ?? environment.readInput() : Data()
      guard patch != nil || StageText.isJSON(typed) else { throw JournalError.notJSON }
      let check = try checking.check(in: environment)
      let journal = try await environment.open(options.journal, .reading)
      guard let run = try await journal.run(id) else { throw JournalError.noRun(id) }
      var payload = typed
      if let patch {
        guard let stage = try MergePatch(Data(patch.utf8)).edited(run.payload) else {
          throw CommandError.noEdit(id, stage: StageText.text(of: run.payload))
        }
        payload = stage
      }
      try check.check(
        payload, version: flowVersion ?? run.version, of: run.flow, run: id,
        sequence: run.sequence)
      if !many.yes {
        let question = """
          Run \(id) of \(run.flow.inOneLine), stage \(run.sequence), \(run.state.rawValue):
            is  \(StageText.text(of: run.payload))
            new \(StageText.text(of: payload))
          Put the new one there? [y/N]
          """
        guard environment.confirm(question) else { throw CommandError.notConfirmed }
      }
      let writer = try await environment.open(options.journal, .writing)
      try await environment.change(
        id, .edit(payload, version: flowVersion, expectedSequence: run.sequence), options,
        many.actor, in: writer)
    }
  }

  extension CommandEnvironment {
    /// Changes a run and writes its new state.
    func change(
      _ id: RunID, _ change: RunChange, _ options: JournalOptions, _ actor: ActorOptions,
      in journal: any Journal
    ) async throws {
      let run = try await journal.change(id, change, by: actor.name(in: self), at: journalTime)
      try write(
        options.json
          ? JSONText(run).text : "Run \(id) is \(run.state.rawValue) at stage \(run.sequence).\n")
    }
  }

  struct SignalCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "signal", abstract: "Sends a signal to a run, or to many.",
      discussion: """
        Names a run and the signal: signal RUN approval. With --flow, --state and the like, names the \
        signal alone: signal approval --flow order.
        """)

    @OptionGroup var options: JournalOptions
    @OptionGroup var many: ManyRunsArguments

    @Argument(help: "The name of the signal that the run waits for.")
    var name: String?

    @Option(help: "The payload of the signal, as JSON.")
    var payload = "null"

    @Flag(help: "Sends the payload without decoding it as the app's signal.")
    var unchecked = false

    @Option(
      help: "The identifier of the signal: a second signal with it is not sent; only to one run.")
    var id: String?

    /// A script's variable may be empty: all signals without an identifier would be one signal.
    func validate() throws {
      guard id?.isEmpty != true else {
        throw ValidationError("--id is empty; name the signal, or leave the option out.")
      }
      guard (name ?? many.run)?.isEmpty != true else {
        throw ValidationError(
          "The name of the signal is empty; give the one that the run waits for.")
      }
    }

    func run(in environment: CommandEnvironment) async throws {
      var many = many
      // Without a run, the only argument is the signal's name.
      if name == nil { many.run = nil }
      guard let name = name ?? self.many.run, many.run != nil || !many.filter.isEmpty else {
        throw CommandError.noSignal
      }
      let time = environment.journalTime
      let signal = SignalRecord(
        id: id ?? UUID().uuidString, name: name, payload: Data(payload.utf8), sentAt: time.date,
        actor: many.actor.name(in: environment))
      guard StageText.isJSON(signal.payload) else { throw JournalError.notJSON }
      if !unchecked { try environment.check(signal) }
      if many.run == nil, id != nil { throw CommandError.signalOfMany }
      let action = BulkChange.Action.signal(name: name, payload: signal.payload)
      try await environment.changeMany(many, action, options, .unchecked) { journal, run in
        try environment.write(
          try await journal.signal(run, signal, at: time), of: signal, to: run, options)
      }
    }
  }

  extension CommandEnvironment {
    fileprivate func write(
      _ receipt: SignalReceipt, of signal: SignalRecord, to run: RunID, _ options: JournalOptions
    ) throws {
      if options.json {
        return try write(
          JSONText.object([
            ("run", .string("\(run)")), ("signal", .string(signal.id)),
            ("receipt", .string(receipt.rawValue)),
          ]).text)
      }
      let name = signal.id.inOneLine
      try write(
        receipt == .sent
          ? "Signal \(name) was sent to run \(run).\n"
          : "Run \(run) has had signal \(name) before; nothing was sent.\n")
    }
  }

  extension CommandEnvironment {
    /// Decodes the payload of a signal that the command was built with.
    fileprivate func check(_ signal: SignalRecord) throws(CommandError) {
      let known = signals.last { $0.name.utf8.elementsEqual(signal.name.utf8) }
      guard let known, let problem = known.problem(of: signal.payload) else { return }
      throw .otherPayload(
        signal: signal.name.inOneLine, example: String(decoding: known.example, as: UTF8.self),
        reason: problem)
    }
  }

  struct PurgeCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "purge", abstract: "Deletes runs that are over.",
      discussion: """
        Without runs, deletes old completed and cancelled runs, by --days; it can't be tried by \
        --dry-run, and leaves no audit row. With --flow, --state and the like it deletes the runs \
        that these choose, dead ones too, however young.
        """)

    @OptionGroup var options: JournalOptions
    @OptionGroup var many: ManyRunsArguments

    @Option(
      parsing: .unconditional,
      help: "Deletes runs that ended more than this many days ago (default: 30).")
    var days: Int?

    @Option(
      parsing: .unconditional,
      help: "Keeps this many of the newest steps of the other runs (default: 10000).")
    var steps: Int?

    func validate() throws {
      guard (0...100_000).contains(days ?? 0), steps ?? 0 >= 0 else {
        throw ValidationError("--days counts from 0 to 100,000, and --steps from 0.")
      }
    }

    func run(in environment: CommandEnvironment) async throws {
      if many.run != nil || !many.filter.isEmpty {
        if days != nil || steps != nil { throw CommandError.filteredPurge }
        return try await environment.changeMany(many, .purge, options, .unchecked) {
          try await $0.purge($1, by: many.actor.name(in: environment), at: environment.journalTime)
          try environment.write(
            options.json
              ? JSONText.object([("purged", .number(1))]).text : "Run \($1) is deleted.\n")
        }
      }
      let others = [
        ("--dry-run", many.dryRun), ("--after", many.after != nil), ("--up-to", many.upTo != nil),
        ("--change-id", many.changeId != nil),
      ]
      if let other = others.first(where: \.1) { throw CommandError.notOfPurge(other.0) }
      let journal = try await environment.open(options.journal, .writing)
      let retention = JournalRetention(
        runs: .seconds((days ?? 30) * 86_400), stepsPerRun: steps ?? 10_000)
      let count = try await journal.purge(retention, at: environment.journalTime)
      try environment.write(
        options.json
          ? JSONText.object([("purged", .number(count))]).text
          : "Deleted \(count) \(count == 1 ? "run" : "runs").\n")
    }
  }
#endif
