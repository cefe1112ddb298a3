import FieldstoneCore
import FieldstoneServing
import FieldstoneTesting
import Testing

@Suite("A stream of events")
struct EventStreamTests {
  private func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("has a first event at once, one for all changes since the last, and a sign of life")
  func events() async {
    let time = ManualTime()
    let changes = Locked(["first"])
    let stream = EventStream(heartbeat: .seconds(15), time: time.source) {
      changes.withLock { $0.popLast() }
    }
    #expect(text(await stream.next()) == "data: first\n\n")
    changes.withLock { $0 = ["one\ntwo\r\n\n"] }
    for _ in 0..<3 { stream.signal() }
    #expect(text(await stream.next()) == "data: one\ndata: two\ndata: \ndata: \n\n")
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(15))
    #expect(text(await stream.next()) == ": alive\n\n")
    await stream.close()
    #expect(await stream.next() == nil)
  }

  @Test("has no sign of life where there is no time between two", arguments: [0, -1])
  func noHeartbeat(_ seconds: Int) async {
    let sleeps = Recorder<Duration>()
    let manual = ManualTime().source
    let time = TimeSource(
      now: { manual.now }, uptime: { manual.uptime },
      sleepUntilUptime: { uptime in
        sleeps.record(uptime)
        try await manual.sleep(untilUptime: uptime)
      }, sleepUntilDate: { try await manual.sleep(until: $0) })
    let changes = Locked(["second", "first"])
    let stream = EventStream(heartbeat: .seconds(seconds), time: time) {
      changes.withLock { $0.popLast() }
    }
    #expect(text(await stream.next()) == "data: first\n\n")
    // Time for a heart to beat.
    for _ in 0..<1_000 { await Task.yield() }
    stream.signal()
    #expect(text(await stream.next()) == "data: second\n\n")
    await stream.close()
    #expect(await stream.next() == nil)
    #expect(sleeps.count == 0)
  }

  @Test("has one line for a text with the line ends that only Unicode has")
  func separators() async {
    let text = "one\u{2028}two\u{2029}three\u{85}four\u{B}five\u{C}six"
    let stream = EventStream(time: ManualTime().source, event: { text })
    #expect(self.text(await stream.next()) == "data: \(text)\n\n")
    await stream.close()
  }

  @Test("ends once, and what it held is told then")
  func close() async {
    let ends = Recorder<Int>()
    let stream = EventStream(time: ManualTime().source, event: { nil }) { ends.record(1) }
    await stream.close()
    await stream.close()
    #expect(ends.count == 1)
  }
}

@Suite("Names and values")
struct FormValuesTests {
  @Test("of a text are read, however many there are")
  func values() {
    for count in [0, 255, 256, 100_000] {
      let values = FormValues(String(repeating: "x=1&", count: count) + "q=abc")
      #expect(values["q"] == "abc" && values.pairs.count == count + 1, "\(count)")
    }
  }

  @Test(
    "are decoded, and what is no code stands for itself",
    arguments: [
      ("a+b%20c", "a b c"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%41%C3%B8", "Aø"),
      ("%FF", "\u{FFFD}"), ("%2B", "+"), ("%00", "\0"), ("%+1", "% 1"),
    ])
  func decoding(_ text: String, _ value: String) {
    #expect(FormValues("q=" + text)["q"] == value)
    #expect(FormValues(text + "=x").pairs.first?.name == value)
  }

  @Test("are separated by their bytes, also before a combining mark")
  func combiningMarks() {
    let values = FormValues("a=\u{301}b&\u{301}c=d&e=\u{301}")
    #expect(values.pairs.map(\.name) == ["a", "\u{301}c", "e"])
    #expect(values.pairs.map(\.value) == ["\u{301}b", "d", "\u{301}"])
    let request = SiteRequest(target: "/a?\u{301}b=c?d")
    #expect(request.path == "/a" && request.query == "\u{301}b=c?d")
    #expect(SiteRequest(target: "/a").query == "" && SiteRequest(target: "?").path == "")
    let access = SiteAccess(hosts: ["localhost"], readers: ["/\u{301}live": []])
    let foreign = SiteRequest(
      target: "//\u{301}live", headers: ["host": "localhost", "sec-fetch-site": "cross-site"])
    #expect(access.answer(to: foreign)?.status == 403)
  }

  @Test(
    "come back from an address as they were", arguments: ["a b", "&=?#/", "ø\u{0301}", "%41", "\n"])
  func roundTrip(_ text: String) {
    let address = FormValues.address("/a", [(text, text)])
    let request = SiteRequest(target: address)
    #expect(
      request.path == "/a" && FormValues(request.query).pairs.first ?? ("", "") == (text, text))
    #expect(PercentCoding.decode(PercentCoding.encode(text)) == text)
    #expect(FormValues.address("/a", []) == "/a")
  }

  @Test(
    "of a body are those of a form without an encoding",
    arguments: [
      (["Content-Type": "application/x-www-form-urlencoded"], true),
      (["content-type": "Application/X-WWW-Form-URLEncoded; charset=utf-8"], true),
      (["content-type": "application/x-www-form-urlencodedx"], false),
      (["content-type": "text/plain"], false), ([:], false),
      (["content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip"], false),
      (
        ["content-type": "application/x-www-form-urlencoded", "content-encoding": "identity"], true
      ),
    ])
  func forms(_ headers: [String: String], _ isForm: Bool) {
    let request = SiteRequest(
      method: "POST", target: "/", headers: headers, body: Array("a=b".utf8))
    #expect((request.form?["a"] == "b") == isForm)
  }
}
