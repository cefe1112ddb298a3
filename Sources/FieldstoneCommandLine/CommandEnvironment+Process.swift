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
        if JournalPlace(path).isConnectionText, !FileManager.default.fileExists(atPath: path) {
          throw CommandError.connectionText
        }
        // Opened for reading first: a writer must neither create a journal nor touch a foreign
        // file.
        let reader = try SQLiteJournal.reader(path: path)
        if access != .reading { try StandardOutput.check() }
        if access == .reading { return reader }
        let journal = try SQLiteJournal(path: path)
        try await reader.close()
        return journal
      },
      close: { journal in
        // The command is done: what can't be closed in order ends with the process.
        if let journal = journal as? SQLiteJournal { try? await journal.close() }
        #if PostgreSQL
          if let journal = journal as? PostgresJournal { await journal.close() }
        #endif
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
      user: userName,
      time: .system)

    /// The name for the audit; the number of a user without one, as in many containers.
    private static var userName: String {
      let name = NSUserName()
      return name.isEmpty ? "user \(getuid())" : name
    }

    #if PostgreSQL
      /// Opens a server's journal.
      ///
      /// It creates tables only for a copy, because a mistyped name must not create any.
      private static func postgres(_ text: String, _ access: Access) async throws -> any Journal {
        var options = PostgresJournalOptions(checkpointConnections: 1, connections: 1)
        let environment = ProcessInfo.processInfo.environment
        if let schema = environment["FIELDSTONE_SCHEMA"] { options.schema = schema }
        options.isPooled = environment["FIELDSTONE_POOLED"]?.lowercased() == "true"
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
        try await untilSignal {
          try await inspector.run(
            host: request.host, port: request.port, onListening: request.onListening)
        }
      }

      /// Works until the process is asked to end, so that the journal is closed before.
      private static func untilSignal(_ work: @escaping @Sendable () async throws -> Void)
        async throws
      {
        let work = Task { try await work() }
        let signals = SignalWatch([.terminate, .interrupt]) {
          // The second one does not wait for the end any more.
          if work.isCancelled { exit(1) }
          work.cancel()
        }
        defer { signals.end() }
        do {
          try await work.value
        } catch is CancellationError where work.isCancelled {
          return
        }
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
      // A full disk may have taken a part of a line, also before this process began.
      let isTorn = Locked(!endsWithLine(path))
      return { line in
        let isWritten = isTorn.withLock { isTorn in
          append((isTorn ? "\n" : "") + line + "\n", to: file.fileDescriptor, &isTorn)
        }
        if !isWritten {
          // The change has been made, so its line goes to the error output.
          try? FileHandle.standardError.write(
            contentsOf: Data("fieldstone: \(path) can't be written: \(line)\n".utf8))
        }
      }
    }

    /// Appends a text by one call, so that lines of several processes don't mix.
    ///
    /// - Returns: whether all of it was written; otherwise `isTorn` says whether a part was.
    private static func append(_ text: String, to file: Int32, _ isTorn: inout Bool) -> Bool {
      var text = text
      let (written, count) = text.withUTF8 { bytes in
        var written = -1
        repeat {
          written = systemWrite(file, UnsafeRawBufferPointer(bytes))
        } while written < 0 && errno == EINTR
        return (written, bytes.count)
      }
      if written > 0 { isTorn = written < count }
      return written == count
    }

    /// Whether a file is empty, ends with a line end, or can't be read.
    private static func endsWithLine(_ path: String) -> Bool {
      guard let file = try? FileHandle(forReadingFrom: URL(filePath: path)) else { return true }
      defer { try? file.close() }
      guard let end = try? file.seekToEnd(), end > 0, (try? file.seek(toOffset: end - 1)) != nil
      else { return true }
      return (try? file.read(upToCount: 1))?.first == UInt8(ascii: "\n")
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

    /// Sets the width of help texts on a narrow terminal; they are longer than its lines then.
    ///
    /// The parser of arguments traps where a line has fewer columns than its indentation, 26.
    static func widenHelp() {
      let narrowest = 40
      var size = winsize()
      let columns =
        ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        ?? (ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0)
      if columns > 0, columns < narrowest { setenv("COLUMNS", "\(narrowest)", 1) }
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
      // Of a pipe without a reader Linux says that it has an error, Darwin that it was hung up.
      if poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR | POLLNVAL | POLLHUP) != 0 {
        throw CommandError.noOutput(reason: "its reader is gone")
      }
    }

    /// Writes all of a text.
    static func write(_ text: String) throws {
      var text = text
      try text.withUTF8 { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let written = systemWrite(
            STDOUT_FILENO, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest)))
          if written >= 0 {
            rest = rest.dropFirst(written)
          } else if errno == EAGAIN {
            // Another program has made the stream non-blocking.
            var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            _ = poll(&output, 1, -1)
          } else if errno != EINTR {
            throw CommandError.outputFailed(reason: String(cString: strerror(errno)))
          }
        }
      }
    }
  }

  private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(file, bytes.baseAddress, bytes.count)
  }
#endif
