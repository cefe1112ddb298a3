/// The head of a part of a posted form, with its names.
struct MultipartHead {
  /// The name of the part's form control.
  let name: String

  /// The name of the part's file, as it was sent; nil for a part without a file.
  let fileName: String?

  /// Parses the lines between a boundary and the content.
  init(_ bytes: ArraySlice<UInt8>) throws(MultipartError) {
    var disposition: ArraySlice<UInt8>?
    for var line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      // After the split at line feeds, every line but the last ends in a carriage return.
      let isLast = line.endIndex == bytes.endIndex
      if !isLast, line.popLast() != UInt8(ascii: "\r") { throw .malformed("a head is broken") }
      guard line.allSatisfy({ ($0 >= 32 || $0 == 9) && $0 != 127 }),
        String(validating: line, as: UTF8.self) != nil
      else { throw .malformed("a head is no text") }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex
      else { throw .malformed("a head is broken") }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard name == "content-disposition" else { continue }
      guard disposition == nil else { throw .malformed("a part has two names") }
      disposition = line[(colon + 1)...]
    }
    guard let disposition, let values = HeaderValue(disposition, of: "form-data"),
      let name = values["name"]
    else { throw .malformed("a part has no name") }
    self.name = name
    fileName = values["filename"]
  }
}
