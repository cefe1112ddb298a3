#if INSPECTOR
  import Foundation

  /// The live part of a page, in the format of its script.
  struct LivePart: Encodable {
    /// The maximum length of a tag, a number of 64 bits in hexadecimal digits.
    static let longestTag = 16

    var tag: String
    var time: String
    /// Nil if the script already has this version.
    var html: String?
    /// The reason why the part is unavailable at the moment.
    var problem: String?

    /// The JSON on one line, as events require.
    var json: String {
      get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
  }
#endif
