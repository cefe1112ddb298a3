import FieldstoneCore

/// The listeners of a store, and the watch that is there for as long as there are some.
struct Watching<Value: Sendable>: Sendable {
  var watch: FolderWatch?
  var listeners: [Int: Mailbox<FileChange<Value>>] = [:]
  var last = 0
  /// Whether a look at the file already stands in line.
  var isCheckInLine = false
}
