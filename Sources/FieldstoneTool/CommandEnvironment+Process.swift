#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation

  #if Inspector
    import FieldstoneInspector
  #endif

  extension CommandEnvironment {
    /// Files, the terminal, and the clocks of this machine.
    static let process = CommandEnvironment(
      open: { path, access in
        // Looked at first in any case: writing must neither make a journal nor touch another file.
        let reader = try SQLiteJournal.reader(path: path)
        if access == .writing { try StandardOutput.check() }
        return access == .reading ? reader : try SQLiteJournal(path: path)
      },
      write: { try StandardOutput.write($0) },
      // No stream is left to report this failure to.
      complain: { try? FileHandle.standardError.write(contentsOf: Data("\($0)\n".utf8)) },
      confirm: { question in
        try? FileHandle.standardError.write(contentsOf: Data("\(question) ".utf8))
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        return answer == "y" || answer == "yes"
      },
      readInput: { try FileHandle.standardInput.readToEnd() ?? Data() },
      save: { text, path in try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) },
      serve: servesPages,
      time: .system)

    #if Inspector
      private static let servesPages: (@Sendable (ServeRequest) async throws -> Void)? = {
        request in
        var options = InspectorOptions()
        options.isReadOnly = request.isReadOnly
        // Every user of this machine can reach the port; only this one reads the output.
        options.token = UUID().uuidString
        let inspector = Inspector(journal: request.journal, name: request.name, options: options)
        try await inspector.run(port: request.port, onListening: request.onListening)
      }
    #else
      private static let servesPages: (@Sendable (ServeRequest) async throws -> Void)? = nil
    #endif
  }

  /// The standard output of this process, which may be closed, full or a pipe without a reader.
  enum StandardOutput {
    /// Puts something in the place of standard streams that are closed.
    ///
    /// The next file that is opened would get their numbers, and what is written for a person would
    /// go into the journal.
    static func closeGaps() {
      for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
        _ = open("/dev/null", O_RDONLY)
      }
    }

    /// Throws where it is known that nothing can be written.
    ///
    /// A full disk is only known once something was written.
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
