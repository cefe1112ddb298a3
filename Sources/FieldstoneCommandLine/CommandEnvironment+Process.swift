#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation

  #if INSPECTOR
    import FieldstoneInspector
  #endif
  #if PostgreSQL
    import FieldstonePostgres
  #endif

  extension CommandEnvironment {
    /// The files, the terminal, and the clocks of this machine.
    static let process = CommandEnvironment(
      open: { path, access in
        if JournalPlace(path).isPostgres {
          if access != .reading { try StandardOutput.check() }
          return try await postgres(path, access)
        }
        // Opened for reading first: a writer must neither create a journal nor touch a foreign
        // file.
        let reader = try SQLiteJournal.reader(path: path)
        if access != .reading { try StandardOutput.check() }
        return access == .reading ? reader : try SQLiteJournal(path: path)
      },
      write: { try StandardOutput.write($0) },
      // No stream is left to report a failure of this write to.
      complain: { try? FileHandle.standardError.write(contentsOf: Data("\($0)\n".utf8)) },
      confirm: { question in
        try? FileHandle.standardError.write(contentsOf: Data("\(question) ".utf8))
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        return answer == "y" || answer == "yes"
      },
      readInput: { try FileHandle.standardInput.readToEnd() ?? Data() },
      save: { text, path in try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) },
      serve: servesPages,
      user: NSUserName(),
      time: .system)

    #if PostgreSQL
      /// Opens a server's journal.
      ///
      /// It creates tables only for a copy, because a mistyped name must not create any.
      private static func postgres(_ text: String, _ access: Access) async throws -> any Journal {
        var options = PostgresJournalOptions(checkpointConnections: 1, connections: 1)
        if let schema = ProcessInfo.processInfo.environment["FIELDSTONE_SCHEMA"] {
          options.schema = schema
        }
        let journalAccess: PostgresJournal.Access =
          switch access {
          case .reading: .reading
          case .writing: .existing
          case .making: .making
          }
        return try await PostgresJournal(
          text, options: options, access: journalAccess, serverClock: nil)
      }
    #else
      private static func postgres(_ text: String, _ access: Access) async throws -> any Journal {
        throw CommandError.noPostgres
      }
    #endif

    #if INSPECTOR
      private static let servesPages: (@Sendable (ServeRequest) async throws -> Void)? = {
        request in
        var options = InspectorOptions()
        options.isReadOnly = request.isReadOnly
        options.password = try password(request.passwordFile)
        options.path = request.path
        options.hosts.formUnion(request.hosts)
        options.redactedNames.formUnion(request.redactedNames.map { $0.lowercased() })
        if request.host != "0.0.0.0" { options.hosts.insert(request.host) }
        // The user has asked for the pages, so a release build serves them, too.
        options.allowsReleaseBuilds = true
        let log = try request.changesFile.map(ChangesFile.log)
        let inspector =
          switch request.content {
          case .journal(let journal):
            Inspector(
              journal: journal, name: request.name, options: options,
              onChange: log.map { log in { @Sendable change in log(change.line) } }
            ).checking(request.flows ?? []).offering(request.signals)
          case .session(let path):
            try Inspector(session: try contents(of: path), options: options)
          }
        try await inspector.run(
          host: request.host, port: request.port, onListening: request.onListening)
      }

      /// The password from a file, else from the environment; never from an argument, which all
      /// users of a machine can read.
      private static func password(_ path: String?) throws -> String? {
        guard let path else {
          let password = ProcessInfo.processInfo.environment["FIELDSTONE_PASSWORD"] ?? ""
          return password.isEmpty ? nil : password
        }
        let text: String
        do {
          let file = try FileHandle(forReadingFrom: URL(filePath: path))
          defer { try? file.close() }
          text = String(decoding: try file.read(upToCount: 4_096) ?? Data(), as: UTF8.self)
        } catch {
          throw CommandError.noPassword(path: path, reason: error.localizedDescription)
        }
        let lines = text.split(whereSeparator: \.isNewline)
        guard let line = lines.first, lines.count == 1 else {
          throw CommandError.noPassword(path: path, reason: "it has \(lines.count) lines")
        }
        return String(line)
      }

      /// Reads a file of any size, up to one byte more than the largest export.
      private static func contents(of path: String) throws -> Data {
        do {
          let file = try FileHandle(forReadingFrom: URL(filePath: path))
          defer { try? file.close() }
          return try file.read(upToCount: (64 << 20) + 1) ?? Data()
        } catch {
          throw CommandError.noTimeline(path: path, reason: error.localizedDescription)
        }
      }
    #else
      private static let servesPages: (@Sendable (ServeRequest) async throws -> Void)? = nil
    #endif
  }

  /// The file to which changes are appended.
  enum ChangesFile {
    /// Appends lines to a file, which is created if it does not exist.
    static func log(
      _ path: String
    ) throws -> @Sendable (_ line: String) -> Void {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw CommandError.noChangesFile(
          path: path, reason: String(cString: strerror(errno)))
      }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      return { line in
        do {
          try file.write(contentsOf: Data((line + "\n").utf8))
        } catch {
          // The change has been made, so its line goes to the error output.
          try? FileHandle.standardError.write(
            contentsOf: Data("fieldstone: \(path) can't be written: \(line)\n".utf8))
        }
      }
    }
  }

  /// The standard output of this process, which may be closed, full, or a pipe without a reader.
  enum StandardOutput {
    /// Opens a placeholder for each closed standard stream.
    ///
    /// Otherwise the next opened file gets its descriptor, and output for the user would go into
    /// the journal.
    static func closeGaps() {
      for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
        _ = open("/dev/null", O_RDONLY)
      }
    }

    /// Throws if writing is known to fail.
    ///
    /// A full disk is only detected by a write.
    static func check() throws {
      let flags = fcntl(STDOUT_FILENO, F_GETFL)
      guard flags != -1, flags & O_ACCMODE != O_RDONLY else {
        throw CommandError.noOutput(reason: "it is closed")
      }
      var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      if poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR | POLLNVAL) != 0 {
        throw CommandError.noOutput(reason: "its reader is gone")
      }
    }

    /// Writes all of a text.
    static func write(_ text: String) throws {
      do {
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
      } catch {
        throw CommandError.outputFailed(reason: error.localizedDescription)
      }
    }
  }
#endif
