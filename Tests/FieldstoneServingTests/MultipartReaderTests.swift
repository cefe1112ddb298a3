import FieldstoneServing
import FieldstoneTesting
import Testing

@Suite("A posted form with a file")
struct MultipartReaderTests {
  static let type = "multipart/form-data; boundary=XyZ"
  static let head =
    "--XyZ\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n"
    + "Content-Type: text/csv\r\n\r\n"

  /// A part with its content.
  private struct Part: Equatable {
    let name: String
    let fileName: String?
    var content = ""
    var hasEnded = false
  }

  private func parts(
    _ pieces: [[UInt8]], type: String = type
  ) throws(MultipartError) -> [Part] {
    var reader = try MultipartReader(contentType: type)
    var parts: [Part] = []
    for piece in pieces {
      for event in try reader.feed(piece) {
        switch event {
        case .part(let name, let fileName): parts.append(Part(name: name, fileName: fileName))
        case .content(let bytes):
          parts[parts.count - 1].content += String(decoding: bytes, as: UTF8.self)
        case .partEnd: parts[parts.count - 1].hasEnded = true
        }
      }
    }
    try reader.finish()
    return parts
  }

  private func parts(_ text: String, type: String = type) throws(MultipartError) -> [Part] {
    try parts([Array(text.utf8)], type: type)
  }

  static let contents = [
    "", "icao\r\n", "\r\n", "\r", "\n--XyZ", "--XyZ", "--XyZ--", "\r\n--Xy", "\r\n-", "\r\n\r\n--",
    "a\r\n--XyY\r\n", "\r\r\n--Xy\r\r\n", "a--XyZ--b", "\r\n--xyz--\r\n",
  ]

  @Test("is the same, however its bytes are cut", arguments: contents)
  func cuts(_ content: String) throws {
    let text =
      "--XyZ\r\ncontent-disposition: form-data; name=note\r\n\r\nhello\r\n" + Self.head + content
      + "\r\n--XyZ--\r\n"
    let expected = [
      Part(name: "note", fileName: nil, content: "hello", hasEnded: true),
      Part(name: "file", fileName: "a.csv", content: content, hasEnded: true),
    ]
    #expect(try parts(text) == expected)
    let bytes = Array(text.utf8)
    for size in 1...bytes.count {
      let pieces = stride(from: 0, to: bytes.count, by: size).map { start in
        Array(bytes[start..<min(start + size, bytes.count)])
      }
      #expect(try parts(pieces) == expected, "pieces of \(size)")
    }
    #expect(try parts(String(text.dropLast())) == expected)
  }

  @Test(
    "takes what clients write",
    arguments: [
      ("form-data; name=\"file\"; filename=\"a b.csv\"", "a b.csv"),
      ("form-data;name=file;filename=a.csv;", "a.csv"),
      ("Form-Data ; Filename=\"\\\"a\\\".csv\" ; Name=\"file\"", "\"a\".csv"),
      ("form-data; name=\"file\"; filename=\"C:\\dir\\a.csv\"", "C:\\dir\\a.csv"),
      ("form-data; name=\"file\"; filename=\"; name=x\"", "; name=x"),
      ("form-data; name=\"file\"; filename=\"Łódź.csv\"", "Łódź.csv"),
      ("form-data; name=\"file\"; filename=\"\"", ""),
      ("form-data; name=\"file\"", nil),
    ])
  func dispositions(_ disposition: String, _ fileName: String?) throws {
    let text = "--XyZ\r\nContent-Disposition: \(disposition)\r\n\r\nx\r\n--XyZ--"
    let parts = try parts(text)
    #expect(parts == [Part(name: "file", fileName: fileName, content: "x", hasEnded: true)])
  }

  @Test(
    "has to name a boundary that can be one",
    arguments: [
      "", "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary",
      "multipart/form-data; boundary=\"\"", "multipart/mixed; boundary=x",
      "multipart/form-data; boundary=a; boundary=b", "multipart/form-data; boundary=ä",
      "multipart/form-data; boundary=\"a\r\nb\"", "multipart/form-data; boundary=\"a", "text/plain",
      "multipart/form-data; boundary=\"a \"", "multipart/form-datax; boundary=x",
      "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
    ])
  func boundaries(_ type: String) {
    #expect(throws: MultipartError.noBoundary) { try MultipartReader(contentType: type) }
  }

  @Test("may put its boundary in quotes")
  func quoted() throws {
    let text = Self.head + "x\r\n--XyZ--"
    #expect(
      try parts(text, type: "Multipart/Form-Data; charset=utf-8; boundary=\"XyZ\"").count == 1)
    let wide = "multipart/form-data; boundary=\"a b'()+_,-./:=?c\""
    #expect(try parts("--a b'()+_,-./:=?c--", type: wide).isEmpty)
  }

  static let refused: [(text: String, error: MultipartError?)] = [
    ("", .truncated), ("-", .truncated), ("--XyZ", .truncated), ("--XyZ\r\n", .truncated),
    (head, .truncated), (head + "content", .truncated), (head + "content\r\n--XyZ", .truncated),
    (head + "content\r\n--XyZ-", .truncated), (head + "content\r\n--XyZ\r\n", .truncated),
    (String(head.dropLast(2)), .truncated),
    ("--Other--", nil), ("preamble\r\n--XyZ--", nil), ("\r\n--XyZ--", nil), ("--XyZxy", nil),
    ("--XyZ \r\n", nil), (head + "a\r\n--XyZbc", nil), (head + "a\r\n--XyZ--\r\nmore", nil),
    (head + "a\r\n--XyZ--x", nil), (head + "a\r\n--XyZ--\r\n\r\n", nil),
    ("--XyZ\r\n\r\n\r\n", nil), ("--XyZ\r\nContent-Type: text/csv\r\n\r\n", nil),
    ("--XyZ\r\nContent-Disposition: form-data\r\n\r\n", nil),
    ("--XyZ\r\nContent-Disposition: attachment; name=\"file\"\r\n\r\n", nil),
    ("--XyZ\r\nContent-Disposition: form-data; name=\"file\r\n\r\n", nil),
    ("--XyZ\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\n", nil),
    ("--XyZ\r\nContent-Disposition: form-data name=a\r\n\r\n", nil),
    ("--XyZ\r\nContent-Disposition: form-data; name=\"a\"b\r\n\r\n", nil),
    ("--XyZ\r\nContent-Disposition: form-data; name=\"a\u{0}\"\r\n\r\n", nil),
    ("--XyZ\r\nnonsense\r\n\r\n", nil), ("--XyZ\r\n: x\r\n\r\n", nil),
    ("--XyZ\r\nContent-Disposition: form-data; name=a\nX: y\r\n\r\n", nil),
    (
      "--XyZ\r\nContent-Disposition: form-data; name=a\r\n"
        + "Content-Disposition: form-data; name=b\r\n\r\n", nil
    ),
    ("--XyZ\r\nA: " + String(repeating: "x", count: 5_000), .headTooLarge),
    ("--XyZ\r\nA: " + String(repeating: "x", count: 5_000) + "\r\n\r\n", .headTooLarge),
    (String(repeating: head + "\r\n", count: 9) + "--XyZ--", .tooManyParts),
  ]

  @Test("is refused where it has not the form of one", arguments: refused)
  func malformed(_ text: String, _ expected: MultipartError?) {
    for pieces in [[Array(text.utf8)], text.utf8.map { [$0] }] {
      let error = #expect(throws: MultipartError.self) { try parts(pieces) }
      if let expected {
        #expect(error == expected)
      } else if case .malformed? = error {
        #expect(error?.message.contains("Choose the file") == true)
      } else {
        Issue.record("\(String(describing: error))")
      }
    }
  }

  @Test("holds no more than a boundary of what has come of its content")
  func small() throws {
    var reader = try MultipartReader(contentType: Self.type)
    _ = try reader.feed(Array(Self.head.utf8))
    var given = 0
    var taken = 0
    for _ in 0..<50 {
      given += 1_000
      for event in try reader.feed(Array(repeating: 13, count: 1_000)) {
        if case .content(let bytes) = event { taken += bytes.count }
      }
      #expect(given - taken < 7)
    }
  }

  @Test("never ends the reader, whatever the bytes are", arguments: [UInt64](1...40))
  func anything(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var reader = try MultipartReader(contentType: Self.type)
    let pieces = [Self.head, "\r\n--XyZ", "--", "\r\n", "\r", "\n", "--XyZ", "Content-", ";", "\""]
    do {
      if seed.isMultiple(of: 2) { _ = try reader.feed(Array(Self.head.utf8)) }
      for _ in 0..<200 {
        if Bool.random(using: &random) {
          _ = try reader.feed(Array((pieces.randomElement(using: &random) ?? "").utf8))
        } else {
          _ = try reader.feed([UInt8.random(in: 0...255, using: &random)])
        }
      }
      try reader.finish()
    } catch {
      // Its message says why.
    }
  }
}
