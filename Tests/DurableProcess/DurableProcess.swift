#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation

  /// The other process in the tests of journals: it does one thing with a journal, says
  /// how it went in words of one line, and may be killed.
  @main
  struct DurableProcess {
    static func main() async {
      let arguments = Array(CommandLine.arguments.dropFirst())
      guard arguments.count >= 2 else { return say("usage: durable-process COMMAND PATH [LEASE]") }
      let lease = Duration.milliseconds(arguments.count > 2 ? Int(arguments[2]) ?? 0 : 3_600_000)
      do {
        let point = arguments.count > 2 ? arguments[2] : nil
        if arguments[0] == "travel" {
          return try await watched(arguments[1], until: point) {
            try await Traveller(path: arguments[1]).travel()
          }
        }
        if arguments[0] == "sell" {
          return try await watched(arguments[1], until: point) {
            try await Seller(path: arguments[1]).sell()
          }
        }
        if arguments[0] == "steer" {
          return try await watched(arguments[1], until: point) {
            try await Steersman(path: arguments[1]).steer()
          }
        }
        if arguments[0] == "keep-time" {
          return try await watched(arguments[1], until: point) {
            try await Timekeeper(path: arguments[1]).keep()
          }
        }
        if arguments[0] == "visit" { return try await visit(arguments[1]) }
        #if PostgreSQL
          if ["work-postgres", "lanes-postgres"].contains(arguments[0]) {
            endWithInput()
            return try await PostgresLaborer.work(
              arguments[1], schema: arguments.last ?? "", hasLanes: arguments[0] == "lanes-postgres"
            )
          }
        #endif
        let journal = try SQLiteJournal(path: arguments[1])
        switch arguments[0] {
        case "claim": try await Clerk(journal, lease: lease).claim()
        case "stall": try await Clerk(journal, lease: lease).stall()
        case "write": try await Clerk(journal, lease: lease).write()
        case "work": try await Laborer(journal, lease: lease).workUntilToldToEnd()
        case "pause": try await Laborer(journal, lease: lease, pauses: true).workUntilToldToEnd()
        case "finish":
          endWithInput()
          try await Laborer(journal, lease: lease).finishAll()
        case "work-lanes":
          try await Laborer(journal, lease: lease, concurrency: 8, hasLanes: true)
            .workUntilToldToEnd()
        case "finish-lanes":
          endWithInput()
          try await Laborer(journal, lease: lease, concurrency: 8, hasLanes: true).finishAll()
        case "hold":
          try await Laborer(journal, lease: lease, concurrency: 16, holds: true)
            .workUntilToldToEnd()
        case "drain":
          endWithInput()
          try await Laborer(journal, lease: lease, concurrency: 16, countsClaims: true).finishAll()
        case "survive":
          endWithInput()
          try await Laborer(journal, lease: lease, concurrency: 4).finishAll()
        case "trap":
          endWithInput()
          try await Laborer(journal, lease: lease, concurrency: 4, readingKills: true).finishAll()
        case "crowd":
          endWithInput()
          try await Laborer(
            journal, lease: lease, concurrency: 8, budget: Crowd.budget, crowd: Crowd(size: 3)
          ).finishAll()
        case "starve":
          endWithInput()
          try await Blockage.finishAll(journal, lease: lease)
        case "serve":
          endWithInput()
          try await Server.run(journal, grace: lease)
        case "burst":
          try await Burst.start(arguments.count > 2 ? Int(arguments[2]) ?? 0 : 1_000, in: journal)
        case "soak":
          endWithInput()
          try await Soak(journal).run(arguments.count > 2 ? Int(arguments[2]) ?? 0 : 1_000)
        default: say("unknown command")
        }
      } catch {
        say("failed: \(error)")
      }
    }

    /// Looks into a journal as a user who has another group by default than that of the journal,
    /// and stays until its input ends.
    private static func visit(_ path: String) async throws {
      let (user, group): (UInt32, UInt32) = (65_533, 65_532)
      var groups: [gid_t] = [65_534]
      guard setgroups(1, &groups) == 0, setgid(group) == 0, setuid(user) == 0 else {
        return say("still root")
      }
      let journal = try SQLiteJournal(path: path)
      say("\(try await journal.count(RunQuery()))")
      while readLine() != nil {}
      try await journal.close()
    }

    private static func watched(
      _ path: String, until point: String?, _ work: () async throws -> Void
    ) async throws {
      let disk =
        point == "list" ? KillPoint.list(path) : point.flatMap { KillPoint($0)?.watch(path) }
      try await work()
      withExtendedLifetime(disk) {}
    }
  }

  /// Ends when the process that has started this one ends.
  func endWithInput() {
    Thread {
      while readLine() != nil {}
      exit(1)
    }.start()
  }

  func say(_ line: String) {
    // One write, so that whoever reads gets whole lines or none.
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
    let isLast = linesLeft.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { kill(getpid(), SIGKILL) }
  }

  /// How many lines are said before the process kills itself.
  ///
  /// Whoever reads the lines may be slow, and the process would have done all that there was.
  private let linesLeft = Locked(
    ProcessInfo.processInfo.environment["FIELDSTONE_LAST_LINE"].flatMap { Int($0) } ?? .max)
#else
  /// Without the trait there is no journal to work on.
  @main
  struct DurableProcess {
    static func main() {}
  }
#endif
