#if INSPECTOR
  import Foundation

  /// The live part of a page, in the format of its script.
  struct LivePart: Encodable {
    /// The maximum length of a tag: two numbers of 64 bits in hexadecimal digits, and what is between.
    static let longestTag = 33

    /// The version of the part: of its words, and of all else.
    var tag: String
    var time: String
    /// Nil if the script already has this version, but for the words.
    var html: String?
    /// The texts of its times, in their order, where the script needs only these.
    var words: [String]?
    /// The reason why the part is unavailable at the moment.
    var problem: String?

    /// The JSON on one line, as events require.
    var json: String {
      get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
  }

  extension LivePart {
    /// A part without what the script has already; O(length of the markup).
    ///
    /// The distances of times change each second, and a page may have some megabytes of stages.
    ///
    /// - Parameter known: the tag of the version that the script has.
    init(_ markup: String, time: String, unless known: String?) {
      let (rest, words) = Self.parted(markup)
      let ofRest = Self.digits(rest)
      let ofWords = Self.digits(words.reduce(into: Hasher()) { $0.combine($1) })
      let parts = known?.split(separator: ".") ?? []
      self.init(tag: "\(ofRest).\(ofWords)", time: time)
      if parts.first.map(String.init) != ofRest {
        html = markup
      } else if parts.last.map(String.init) != ofWords {
        self.words = words
      }
    }

    /// The hash of a markup without the words in its `time` elements, and these words.
    private static func parted(_ markup: String) -> (rest: Hasher, words: [String]) {
      var rest = Hasher()
      var words: [String] = []
      let end = Array("</time>".utf8)
      let bytes = Array(markup.utf8)
      bytes.withUnsafeBytes { bytes in
        var begin = 0
        for index in bytes.indices where bytes[index] == UInt8(ascii: "<") {
          guard bytes[index...].starts(with: end) else { continue }
          // The words follow the last tag: text has no angle bracket.
          let first = (bytes[begin..<index].lastIndex(of: UInt8(ascii: ">")) ?? index - 1) + 1
          rest.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[begin..<first]))
          words.append(String(decoding: bytes[first..<index], as: UTF8.self))
          begin = index
        }
        rest.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[begin...]))
      }
      return (rest, words)
    }

    private static func digits(_ hasher: Hasher) -> String {
      String(UInt(bitPattern: hasher.finalize()), radix: 16)
    }
  }
#endif
