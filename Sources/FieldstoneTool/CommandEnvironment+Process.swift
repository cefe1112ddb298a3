#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation

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
      time: .system)
  }
#endif
