#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import Foundation
  import Testing

  @Suite("Runs as text to copy")
  struct CopyTests {
    private let desk = InspectedJournal()

    /// The texts of a page, as a person would copy them.
    private func texts(of id: RunID) async -> [String] {
      let page = await desk.get("/runs/\(id)/copy").text
      return page.matches(of: /data-copy="">([^<]*)<\/pre>/.matchingSemantics(.unicodeScalar)).map {
        match in
        [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
          .reduce(String(match.1)) { text, pair in
            // By bytes: a combining mark may follow.
            let bytes = Array(text.utf8).replacing(Array(pair.0.utf8), with: Array(pair.1.utf8))
            return String(decoding: bytes, as: UTF8.self)
          }
      }
    }

    @Test(
      "A shell gets the stage as it is, whatever stands in it",
      arguments: [
        "{\"send\":{\"to\":\"it's $(touch x) `id` \\\\ \\\" !! \\n\"}}", "{\"send\":{}}",
        "{\"send\":\"' ; rm -rf / ; '\"}",
        // For Swift it is one character with what follows, for a shell a quotation mark.
        "{\"send\":\"'\u{301}; rm -rf / ; '\u{301}\"}",
      ])
    func shell(_ stage: String) async throws {
      let id = try await desk.start(stage)
      let texts = await texts(of: id)
      try #require(texts.count == 4)
      #expect(texts[0] == stage)
      #expect(texts[1].contains("'Fixtures/order/1/send.json'"))
      // What a shell makes of it: everything within single quotes as it is.
      let word = texts[1].split(separator: "printf %s ", maxSplits: 1).last.map(String.init) ?? ""
      #expect(Self.firstWord(word) == stage, "what the shell reads")
      #expect(texts[2] == "fieldstone runs show --journal \"$JOURNAL\" \(id)")
      #expect(texts[3].hasSuffix(" 'http://localhost:8471/runs/\(id)/stages/0.json'"))
    }

    @Test(
      "Behind a proxy with TLS the address to copy is the proxy's",
      arguments: [("https", "https"), ("HTTPS", "https"), ("http", "http"), ("'; x", "http")])
    func proxied(_ said: String, _ scheme: String) async throws {
      let id = try await desk.start()
      let page = await desk.get("/runs/\(id)/copy", ["X-Forwarded-Proto": said]).text
      #expect(page.contains("&#39;\(scheme)://localhost:8471/runs/\(id)/stages/0.json&#39;"))
    }

    @Test(
      "A flow whose name is no folder has no sample",
      arguments: ["../../etc", ".hidden", "a/b", "-rf", "a b", "a'b"])
    func folder(_ flow: String) async throws {
      let id = try await desk.start(flow: flow)
      #expect(await texts(of: id).count == 3)
    }

    /// The first word that a POSIX shell reads, of quoted parts and of escaped signs.
    private static func firstWord(_ text: String) -> String {
      var word = String.UnicodeScalarView()
      var isQuoted = false
      var isEscaped = false
      for sign in text.unicodeScalars {
        if isEscaped {
          word.append(sign)
          isEscaped = false
        } else if sign == "'" {
          isQuoted.toggle()
        } else if isQuoted {
          word.append(sign)
        } else if sign == "\\" {
          isEscaped = true
        } else {
          return String(word)
        }
      }
      return String(word)
    }
  }
#endif
