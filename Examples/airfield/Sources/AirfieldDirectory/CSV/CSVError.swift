/// What keeps a whole file from being read as CSV.
public enum CSVError: Error, Equatable {
  /// The record that begins on this line holds bytes that are not UTF-8.
  case notUTF8(line: Int)
}
