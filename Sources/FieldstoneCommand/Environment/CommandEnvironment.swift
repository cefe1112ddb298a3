package import FieldstoneCore
package import FieldstoneDurable
package import Foundation

/// What a command has around it: how it opens a journal, where it writes, whom it asks.
package struct CommandEnvironment: Sendable {
  /// Whether a command only looks at a journal.
  package enum Access: Sendable, Hashable {
    /// It reads, on a connection that can't write.
    case reading
    /// It must write.
    case writing
  }

  /// Opens the journal at a path.
  var open: @Sendable (_ path: String, _ access: Access) throws -> any Journal
  /// Writes a text, which ends its line by itself; throws where it can't.
  var write: @Sendable (String) throws -> Void
  /// Writes a line about what went wrong.
  var complain: @Sendable (String) -> Void
  /// Asks whether it may go on.
  var confirm: @Sendable (_ question: String) -> Bool
  /// Reads all that is given on the standard input.
  var readInput: @Sendable () throws -> Data
  /// Writes a file, in place of the one that is there.
  var save: @Sendable (_ text: String, _ path: String) throws -> Void
  /// The clocks.
  var time: TimeSource

  /// Makes an environment.
  package init(
    open: @escaping @Sendable (String, Access) throws -> any Journal,
    write: @escaping @Sendable (String) throws -> Void,
    complain: @escaping @Sendable (String) -> Void,
    confirm: @escaping @Sendable (String) -> Bool,
    readInput: @escaping @Sendable () throws -> Data,
    save: @escaping @Sendable (String, String) throws -> Void,
    time: TimeSource
  ) {
    self.open = open
    self.write = write
    self.complain = complain
    self.confirm = confirm
    self.readInput = readInput
    self.save = save
    self.time = time
  }

  /// The clocks for a journal: what a person does takes no lease, so the boot says nothing.
  var journalTime: JournalTime { JournalTime(time, boot: "command line") }
}
