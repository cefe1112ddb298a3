#if SQLite && (os(macOS) || os(Linux))
  import Testing

  /// A command of the other process that does the same each time, and can be killed at each change of
  /// a file.
  struct KillableCommand {
    let name: String

    /// The points to be killed at: before and after each change, and halfway through each write.
    func points() async throws -> [String] {
      let changes = try await run(try Folder(), "list").filter { $0.hasPrefix("change ") }
      return changes.enumerated().flatMap { index, change in
        (["before", "after"] + (change.hasPrefix("change write") ? ["halfway"] : []))
          .map { "\($0) \(index + 1)" }
      }
    }

    /// Kills the command at some of its points, and lets it go on to its end each time.
    ///
    /// - Parameters:
    ///   - seed: chooses the points.
    ///   - examine: examines the journal of a folder, after the kill and at the end.
    ///   - expect: expects the findings at the end.
    func killAndGoOn<Findings>(
      seed: UInt64, examine: (Folder, _ context: String) async throws -> Findings,
      atEnd expect: (Findings, _ context: String) -> Void
    ) async throws {
      let all = try await points()
      #expect(all.count > 40)
      let some = Thoroughness.some(24, of: all, "points to be killed at", seed: seed)
      var kills = 0
      for point in some {
        let context = "killed \(point), seed \(seed)"
        let folder = try Folder()
        if try await run(folder, point).last != "ended" { kills += 1 }
        _ = try await examine(folder, context)
        let told = try await run(folder, "none")
        #expect(told.last == "ended", "\(context): \(told)")
        expect(try await examine(folder, context), context)
      }
      // A command with several threads may end before one of the last points.
      #expect(kills > some.count / 2)
    }

    /// Runs the command on the journal of a folder, up to a point.
    ///
    /// - Parameters:
    ///   - folder: contains the journal.
    ///   - point: one of ``points()``; `none` to run to the end.
    /// - Returns: the lines that the process printed.
    func run(_ folder: Folder, _ point: String) async throws -> [String] {
      let (name, path) = (name, folder.path)
      return try await onThread { try OtherProcess(name, path, point).end() }
    }
  }
#endif
