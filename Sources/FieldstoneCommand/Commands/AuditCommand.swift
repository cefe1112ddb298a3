#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "audit", abstract: "Shows the changes by persons and programs.",
      subcommands: [ListAuditCommand.self])
  }

  struct ListAuditCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists changes, the newest first.")

    @OptionGroup var options: JournalOptions

    @Option(name: .customLong("run"), help: "Only changes of this run.")
    var runID: String?

    @Option(help: "Only changes of this flow, or of a concurrency key of it.")
    var flow: String?

    @Option(help: "Only changes of this concurrency key of the flow.")
    var concurrencyKey: String?

    @Option(help: "Only changes of this schedule.")
    var schedule: String?

    @Option(
      parsing: .unconditional, help: "Only changes before this one: the last of the page before.")
    var before: Int?

    @Option(
      parsing: .unconditional, help: "The largest number of changes, from 1 to 1,000.",
      transform: { text in try ListLimit.typed(text, of: "changes") })
    var limit = ListLimit(count: 50)

    func validate() throws {
      let count = [runID, flow, schedule].compactMap { $0 }.count
      guard count <= 1, concurrencyKey == nil || flow != nil else {
        throw ValidationError(
          "Name one of --run, --flow and --schedule; --concurrency-key takes its --flow.")
      }
    }

    func run(in environment: CommandEnvironment) async throws {
      let subject: AuditSubject? =
        if let runID {
          .run(try RunID.typed(runID))
        } else if let flow, let concurrencyKey {
          .concurrencyKey(concurrencyKey, flow: flow)
        } else if let flow {
          .flow(flow)
        } else {
          schedule.map { .schedule($0) }
        }
      let journal = try await environment.open(options.journal, .reading)
      let page = try await journal.audit(
        AuditQuery(subject: subject, before: before, limit: limit.count))
      if options.json {
        for record in page.records { try environment.write(JSONText.line(record.members)) }
        return
      }
      let lines = page.records.map(\.line).joined()
      let more = page.next.map { "There are more: --before \($0)\n" } ?? ""
      try environment.write(lines.isEmpty ? "There are no such changes.\n" : lines + more)
    }
  }

  extension AuditRecord {
    fileprivate var line: String {
      let actor = actor.map { $0.inOneLine.cut(to: 40) } ?? "not known"
      let before = before.map { StageText.text(of: $0).inOneLine.cut(to: 100) }
      let after = after.map { StageText.text(of: $0).inOneLine.cut(to: 100) }
      let values = "\(before ?? "nothing") → \(after ?? "nothing")"
      return "\(number)  \(StageText.time(date)) UTC  \(actor)  \(action.rawValue.inOneLine)  "
        + "\(subject.words)  \(values)\n"
    }

    fileprivate var members: [(String, JSONText)] {
      [
        ("number", .number(number)), ("date", .string(date.ISO8601Format())),
        ("actor", actor.map { .string($0) } ?? .null), ("action", .string(action.rawValue)),
        ("subject", .object(subject.members)), ("before", before.map { .raw($0) } ?? .null),
        ("after", after.map { .raw($0) } ?? .null),
      ]
    }
  }

  extension AuditSubject {
    fileprivate var words: String {
      switch self {
      case .run(let id): "run \(id)"
      case .flow(let name): "flow \(name.inOneLine)"
      case .concurrencyKey(let key, let flow):
        "concurrency key \(key.inOneLine) of flow \(flow.inOneLine)"
      case .schedule(let name): "schedule \(name.inOneLine)"
      }
    }

    fileprivate var members: [(String, JSONText)] {
      switch self {
      case .run(let id): [("run", .string("\(id)"))]
      case .flow(let name): [("flow", .string(name))]
      case .concurrencyKey(let key, let flow):
        [("flow", .string(flow)), ("concurrencyKey", .string(key))]
      case .schedule(let name): [("schedule", .string(name))]
      }
    }
  }
#endif
