#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  struct ListSchedulesCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists schedules by their names, with their next ticks.")

    @OptionGroup var options: JournalOptions

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .reading)
      let records = try await journal.schedules()
      guard options.json else {
        let lines = records.map { $0.line }
        return try environment.write(lines.isEmpty ? "There are no schedules.\n" : lines.joined())
      }
      for record in records { try environment.write(JSONText.object(record.members).text) }
    }
  }

  struct PauseScheduleCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "pause", abstract: "Pauses a schedule; its ticks pass by.")

    @OptionGroup var argument: ScheduleArgument
    @OptionGroup var options: JournalOptions
    @OptionGroup var actor: ActorOptions

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .writing)
      try await journal.pauseSchedule(
        argument.name, by: actor.name(in: environment), at: environment.journalTime)
      try environment.answer(argument, "is paused", ("paused", true), options)
    }
  }

  struct ResumeScheduleCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "resume", abstract: "Lets a paused schedule go on from its next tick.")

    @OptionGroup var argument: ScheduleArgument
    @OptionGroup var options: JournalOptions
    @OptionGroup var actor: ActorOptions

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .writing)
      let wasPaused = try await journal.resumeSchedule(
        argument.name, by: actor.name(in: environment), at: environment.journalTime)
      try environment.answer(
        argument, wasPaused ? "goes on" : "was not paused; nothing changed",
        ("wasPaused", wasPaused), options)
    }
  }

  struct RunScheduleCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "run", abstract: "Starts a run of a schedule now, beside its ticks.")

    @OptionGroup var argument: ScheduleArgument
    @OptionGroup var options: JournalOptions
    @OptionGroup var actor: ActorOptions

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .writing)
      let time = environment.journalTime
      let run = try await journal.runNow(
        argument.name, by: actor.name(in: environment), at: time
      ) { RunID(at: time.date, slot: $0) }.id
      try environment.write(
        options.json
          ? JSONText.object([("schedule", .string(argument.name)), ("run", .string("\(run)"))]).text
          : "Schedule \(argument.name.inOneLine) has started run \(run).\n")
    }
  }

  struct RemoveScheduleCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Removes a schedule; its runs go on.")

    @OptionGroup var argument: ScheduleArgument
    @OptionGroup var options: JournalOptions
    @OptionGroup var actor: ActorOptions

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .writing)
      let wasThere = try await journal.removeSchedule(
        argument.name, by: actor.name(in: environment), at: environment.journalTime)
      if !wasThere { throw ScheduleError.noSchedule(argument.name) }
      try environment.answer(argument, "is removed", ("removed", true), options)
    }
  }

  /// Names a schedule.
  struct ScheduleArgument: ParsableArguments {
    @Argument(help: "The name of the schedule.")
    var name: String
  }

  extension CommandEnvironment {
    fileprivate func answer(
      _ argument: ScheduleArgument, _ words: String, _ member: (String, Bool),
      _ options: JournalOptions
    ) throws {
      try write(
        options.json
          ? JSONText.object([
            ("schedule", .string(argument.name)),
            (member.0, .raw(Data("\(member.1)".utf8))),
          ]).text
          : "Schedule \(argument.name.inOneLine) \(words).\n")
    }
  }

  extension ScheduleRecord {
    fileprivate var line: String {
      guard let status = try? ScheduleStatus(self) else {
        return "\(name.inOneLine)  can't be read by this version\n"
      }
      let progress = status.progress
      let next = progress.nextTick.map { "next \($0.ISO8601Format())" } ?? "no more ticks"
      let last = progress.lastTick.map { "last \($0.ISO8601Format())" } ?? "not run yet"
      return "\(name.inOneLine)  \(status.schedule.flow.inOneLine)  "
        + "\(ScheduleText.timing(status.schedule.timing))  "
        + "\(progress.isPaused ? "paused" : next)  \(last)\n"
    }

    fileprivate var members: [(String, JSONText)] {
      guard let status = try? ScheduleStatus(self) else {
        return [("schedule", .string(name)), ("readable", .raw(Data("false".utf8)))]
      }
      let progress = status.progress
      func date(_ date: Date?) -> JSONText { date.map { .string($0.ISO8601Format()) } ?? .null }
      return [
        ("schedule", .string(name)), ("flow", .string(status.schedule.flow)),
        ("paused", .raw(Data("\(progress.isPaused)".utf8))), ("nextTick", date(progress.nextTick)),
        ("lastTick", date(progress.lastTick)),
        ("lastRun", progress.lastRun.map { .string("\($0)") } ?? .null),
        ("queued", .raw(Data("\(progress.queuedTicks.count)".utf8))),
        ("definition", .raw(definition)),
      ]
    }
  }
#endif
