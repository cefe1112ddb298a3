public import Foundation

extension Row {
  private struct Line: Encodable {
    var group: String
    var `case`: String
    var nanoseconds: Double
    var floor: Double
    var ratio: Double
  }

  /// The result as one line of JSON, without the line's end.
  ///
  /// In a group of bytes, `nanoseconds` and `floor` are bytes.
  ///
  /// - Throws: `EncodingError` if a figure is not finite.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(
      Line(
        group: group, case: name, nanoseconds: Format.rounded(figure),
        floor: Format.rounded(floor), ratio: Format.rounded(ratio)))
  }
}
