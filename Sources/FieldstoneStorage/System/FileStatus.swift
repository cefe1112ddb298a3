/// What the system knows about a file besides its content.
package struct FileStatus: Sendable, Equatable {
  enum Kind: Sendable {
    case file
    case folder
    case symbolicLink
    case other
  }

  var kind: Kind
  var device: UInt64
  var number: UInt64
  /// The twelve permission bits.
  var mode: UInt32
  package var owner: UInt32
  var group: UInt32
  package var size: Int

  /// Whether two readings are of one file, whatever its name.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && number == other.number
  }
}
