#if CommandLineTool
  import ArgumentParser
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  struct RetryCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry",
      abstract: "Makes a dead, blocked, cancelled or waiting run ready at once, or many.")

    @OptionGroup var options: JournalOptions
    @OptionGroup var many: ManyRunsArguments

    func run(in environment: CommandEnvironment) async throws {
      try await environment.changeMany(many, .retry, options, .unchecked) { journal, id in
        try await environment.change(id, .retry, options, many.actor, in: journal)
      }
    }
  }

  struct CancelCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "cancel", abstract: "Cancels a run, or many; its worker loses it.")

    @OptionGroup var options: JournalOptions
    @OptionGroup var many: ManyRunsArguments

    func run(in environment: CommandEnvironment) async throws {
      try await environment.changeMany(many, .cancel, options, .unchecked) { journal, id in
        try await environment.change(id, .cancel, options, many.actor, in: journal)
      }
    }
  }

  struct ForkCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "fork", abstract: "Starts a new run from a stage of another one, or of many.",
      discussion: """
        The old run stays as it is. The new one has another identifier and other idempotency keys: \
        effects of its stages are repeated.
        """)

    @OptionGroup var options: JournalOptions
    @OptionGroup var many: ManyRunsArguments
    @OptionGroup var checking: CheckOptions

    @Option(
      parsing: .unconditional, help: "The number of the stage; the one it is at, if not given.")
    var from: Int?

    @Option(help: "The key of the new run; only where one run is forked.")
    var newKey: String?

    func run(in environment: CommandEnvironment) async throws {
      let check = try checking.check(in: environment)
      if many.run == nil, newKey != nil { throw CommandError.keyOfMany }
      try await environment.changeMany(many, .fork(from: from), options, check) { journal, id in
        let question = "Fork run \(id)? Effects of its stages are repeated. [y/N]"
        guard many.yes || environment.confirm(question) else { throw CommandError.notConfirmed }
        let time = environment.journalTime
        let fork = RunFork(
          id, from: from, key: newKey, by: many.actor.name(in: environment))
        let run = try await journal.fork(fork, checkedBy: check, at: time) {
          RunID(at: time.date, slot: $0)
        }
        let isUnchecked = if case .unchecked = check { " It is not checked." } else { "" }
        let from = run.origin.map { "from stage \($0.sequence) of run \($0.run)" } ?? ""
        try environment.write(
          options.json
            ? JSONText(run).text : "Run \(run.id) was started \(from).\(isUnchecked)\n")
      }
    }
  }

  /// Names one run, or filters many.
  struct ManyRunsArguments: ParsableArguments {
    @Argument(help: "The run's identifier, as the list shows it; without it, runs are chosen.")
    var run: String?

    @OptionGroup var filter: RunQueryOptions
    @OptionGroup var actor: ActorOptions

    @Flag(help: "Only count the runs that would be changed.")
    var dryRun = false

    @Flag(help: "Don't ask.")
    var yes = false

    @Option(help: "Go on after this run, where a change of many was stopped.")
    var after: String?

    @Option(help: "Leave runs alone that are younger than this one.")
    var upTo: String?

    @Option(help: "Names the change, so that going on forks or signals no run twice.")
    var changeId: String?

    /// Whether nothing is given that only many runs have.
    var isOfOne: Bool {
      filter.isEmpty && !dryRun && after == nil && upTo == nil && changeId == nil
    }
  }

  extension CommandEnvironment {
    /// Changes the named run, or the filtered runs.
    ///
    /// - Parameter one: changes the named run, and writes the result.
    func changeMany(
      _ many: ManyRunsArguments, _ action: BulkChange.Action, _ options: JournalOptions,
      _ check: StageCheck, one: (any Journal, RunID) async throws -> Void
    ) async throws {
      if let run = many.run {
        guard many.isOfOne else { throw CommandError.runAndQuery }
        let id = try RunID.typed(run)
        return try await one(try await open(options.journal, .writing), id)
      }
      guard !many.filter.isEmpty else { throw CommandError.noRuns }
      // It would choose all runs.
      if many.filter.hasNoTerm { throw CommandError.noTerm }
      let name = try many.changeId.map { text in try RunID.typed(text) } ?? RunID(at: time.now)
      let bulk = BulkChange(action, of: try many.filter.query(), id: name)
      let position = try many.after.map { text in try RunID.typed(text) }
      var trial = try BulkEditTrial(action, checkedBy: check)
      let journal = try await open(options.journal, many.dryRun ? .reading : .writing)
      let end = try many.upTo.map { text in try RunID.typed(text) }
      let count =
        if position == nil, end == nil, trial == nil {
          try await journal.count(bulk)
        } else {
          try await journal.count(
            bulk, after: position,
            where: { run in
              (end.map { run.id <= $0 } ?? true) && trial?.takes(run) ?? true
            })
        }
      let unreadable = trial?.complaint ?? ""
      let runs =
        "\(count.hasMore ? "more than " : "")\(count.number) "
        + (count.number == 1 ? "run" : "runs")
      if many.dryRun {
        return try write(
          options.json
            ? JSONText.line(
              [
                ("count", .number(count.number)), ("more", .boolean(count.hasMore)),
                ("youngest", count.youngest.map { .string("\($0)") } ?? .null),
              ] + (trial?.members ?? []))
            : "\(runs) would be \(action.participle).\n\(trial?.preview ?? "")\(unreadable)")
      }
      guard let youngest = end ?? count.youngest, count.number > 0 else {
        return try write(
          options.json
            ? JSONText.line(of: BulkProgress(isDone: true), upTo: nil, change: name)
            : "There are no such runs.\n\(unreadable)")
      }
      let preview = trial.map { "\n\($0.preview)\(unreadable)Write this?" } ?? ""
      guard many.yes || confirm("\(action.question(runs))\(preview) [y/N]") else {
        throw CommandError.notConfirmed
      }
      // What can't be told does not end the change halfway.
      let untold = Locked<(any Error)?>(nil)
      let call = BulkCall(by: many.actor.name(in: self), checkedBy: check)
      let result = try await journal.perform(
        bulk, upTo: youngest, after: BulkProgress(position: position), call, at: journalTime,
        where: { [trial] run in trial.map { (try? $0.stage(for: run)) != nil } ?? true },
        report: { progress in
          do {
            if options.json {
              return try write(JSONText.line(of: progress, upTo: youngest, change: name))
            }
            guard !progress.isDone, let position = progress.position else { return }
            try write(
              "\(progress.changed) so far; to go on: --after \(position) --up-to \(youngest) "
                + "--change-id \(name)\n")
          } catch {
            untold.withLock { $0 = error }
          }
        })
      if let error = untold.withLock(\.self) { throw error }
      if options.json { return }
      let changed = "\(result.changed) \(result.changed == 1 ? "run" : "runs")"
      try write("\(changed) \(action.participle)\(result.complaint(of: action))\n\(unreadable)")
    }
  }

  extension BulkProgress {
    /// How many runs were skipped, and why; a full stop if none was.
    fileprivate func complaint(of action: BulkChange.Action) -> String {
      if skipped == 0 { return "." }
      if action == .purge {
        return
          "; \(skipped) \(skipped == 1 ? "was" : "were") left alone: they had gone on, or a parent "
          + "might still read their outcome. Repeat this for those whose parent is deleted now."
      }
      guard let error else { return "; \(skipped) had gone on, and were left alone." }
      return "; \(skipped) \(skipped == 1 ? "was" : "were") left alone. \(error.message.inOneLine)"
    }
  }

  extension BulkEditTrial {
    /// The first stages, as they are and as they would be.
    fileprivate var preview: String {
      samples.map { run, stage in
        """
          Run \(run.id) of \(run.flow.inOneLine), stage \(run.sequence), \(run.state.rawValue):
            is  \(StageText.text(of: run.payload))
            new \(StageText.text(of: stage))

        """
      }.joined()
    }

    /// How many runs can't be edited so, and why the first can't; empty if all can.
    fileprivate var complaint: String {
      guard let error else { return "" }
      return
        "\(unreadable) \(unreadable == 1 ? "run is" : "runs are") left alone. \(error.message)\n"
    }

    /// The same for other programs.
    fileprivate var members: [(String, JSONText)] {
      [
        ("unreadable", .number(unreadable)),
        ("error", error.map { .string($0.message) } ?? .null),
      ]
    }
  }

  extension BulkChange.Action {
    fileprivate var participle: String {
      switch self {
      case .retry: "retried"
      case .cancel: "cancelled"
      case .pause: "paused"
      case .resume: "resumed"
      case .fork: "forked"
      case .purge: "deleted"
      case .signal: "signalled"
      case .edit: "edited"
      }
    }

    fileprivate func question(_ runs: String) -> String {
      switch self {
      case .retry: "Retry \(runs)?"
      case .cancel: "Cancel \(runs)?"
      case .pause: "Pause \(runs)?"
      case .resume: "Resume \(runs)?"
      case .fork: "Fork \(runs)? Effects of their stages are repeated."
      case .purge: "Delete \(runs) for ever?"
      case .signal(let name, let payload):
        "Send the signal “\(name.inOneLine.cut(to: 60))” with \(StageText.text(of: payload)) to \(runs)?"
      case .edit: "Edit \(runs), and make them ready at once? The first:"
      }
    }
  }
#endif
