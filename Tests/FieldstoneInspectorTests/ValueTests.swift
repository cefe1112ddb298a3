#if INSPECTOR
  import FieldstoneCore
  import FieldstoneFields
  import FieldstoneForms
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneServing
  import Foundation
  import Testing

  /// A collection of a million elements, which counts how many are read.
  private struct Endless: Equatable, Sendable, CustomReflectable {
    let reads: Locked<Int>

    static func == (left: Self, right: Self) -> Bool { left.reads === right.reads }

    var customMirror: Mirror {
      Mirror(self, unlabeledChildren: Elements(reads: reads), displayStyle: .collection)
    }

    private struct Elements: RandomAccessCollection {
      let reads: Locked<Int>
      var startIndex: Int { 0 }
      var endIndex: Int { 1_000_000 }

      subscript(index: Int) -> Int {
        reads.withLock { $0 += 1 }
        return index
      }
    }
  }

  /// A key without words of its own.
  private struct Many: Hashable, Sendable {
    var numbers = Array(0..<100_000)
  }

  private struct Named: Hashable, Sendable, CustomStringConvertible {
    var numbers = [1]
    var description: String { "by its name" }
  }

  /// A value that counts how often it is put into words on the main actor, and elsewhere.
  private struct Watchful: Encodable, Equatable, Sendable {
    var number = 0
    let onMain: Locked<Int>
    let elsewhere: Locked<Int>

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    func note() {
      (MainDispatch.isOnMain ? onMain : elsewhere).withLock { $0 += 1 }
    }

    func encode(to encoder: any Encoder) throws {
      note()
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  @MainActor
  @Suite("Values in the inspector")
  struct ValueTests {
    private let desk = LiveDesk()

    /// A value as its page shows it.
    private func shown<Value: Equatable & Sendable>(_ value: Value) async -> String {
      let field = Field<Value>("A", value: value)
      desk.inspector.watch(field, as: "value")
      let overview = await desk.get("/watched").text
      let count = overview.components(separatedBy: "href=\"/watched/").count - 1
      let page = await desk.get("/watched/\(count)").text
      let text = page.components(separatedBy: "<pre class=\"json\" tabindex=\"0\">").last ?? ""
      let shown = text.components(separatedBy: "</pre>").first ?? ""
      return [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&amp;", "&")]
        .reduce(shown) { $0.replacing($1.0, with: $1.1) }
    }

    struct Person: Codable, Equatable, Sendable {
      var name = "Ada"
      var born: Date? = Date(timeIntervalSince1970: 0)
      var tags = ["a", "b"]
      var link = URL(string: "https://example.org/x")
      var data = Data([1, 2, 3])
      var password = "hunter2"
      var nested = ["apiKey": "k", "plain": "p"]
      var ratio = 0.1
      var none: Int?
    }

    struct Plain: Equatable, Sendable {
      enum Kind: Equatable, Sendable { case idle, at(place: String, floor: Int) }
      var kind = Kind.at(place: "door", floor: 2)
      var idle = Kind.idle
      var sessionToken = "s3cret"
      var map = ["b": 1, "a": 2]
      var none: Int?
    }

    final class Ring: Equatable, @unchecked Sendable {
      let name = "ring"
      nonisolated(unsafe) var next: Ring?
      static func == (left: Ring, right: Ring) -> Bool { left === right }
    }

    struct Broken: Encodable, Equatable, Sendable {
      var fine = 1
      func encode(to encoder: any Encoder) throws { throw Refused() }
    }

    struct Deep: Encodable, Equatable, Sendable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(Deep())
      }
    }

    @Test("A Codable value is shown as its JSON, without what the rule names")
    func codable() async {
      let text = await shown(Person())
      for part in [
        "\"name\": \"Ada\"", "\"born\": \"1970-01-01T00:00:00Z\"",
        "\"tags\": [\n    \"a\",\n    \"b\"\n  ]",
        "\"link\": \"https://example.org/x\"", "\"data\": \"3 bytes\"", "\"password\": •••",
        "\"apiKey\": •••", "\"plain\": \"p\"", "\"ratio\": 0.1",
      ] { #expect(text.contains(part), "\(part) in \(text)") }
      #expect(!text.contains("hunter2") && !text.contains("\"k\""))
    }

    @Test("Another value is shown by its members")
    func reflected() async {
      let text = await shown(Plain())
      for part in [
        "\"place\": \"door\"", "\"floor\": 2", "\"idle\": \"idle\"", "\"sessionToken\": •••",
        "\"a\": 2", "\"none\": null",
      ] { #expect(text.contains(part), "\(part) in \(text)") }
      #expect(!text.contains("s3cret"))
    }

    private enum Header: String, Codable {
      case authorization, accept
      case key = "Api-Key"
      case token = "t"
    }

    @Test("A dictionary's keys of any type are names, so what the rule names is hidden")
    func pairs() async {
      let headers: [Header: String] = [
        .authorization: "Bearer 1", .accept: "text/html", .key: "Bearer 2", .token: "Bearer 3",
      ]
      for text in [await shown(headers), await shown(["headers": headers])] {
        for part in [
          "\"authorization\": •••", "\"accept\": \"text/html\"", "\"Api-Key\": •••", "\"t\": •••",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        #expect(!text.contains("Bearer"))
      }
    }

    private actor Cache {
      let label = "inside"
      var count = 17
    }

    private struct Caching: Equatable, Sendable {
      let cache = Cache()
      var size = 3
      static func == (left: Self, right: Self) -> Bool { left.cache === right.cache }
    }

    @Test("Of an actor only the type is shown, because its members are its own")
    func isolated() async {
      let text = await shown(Caching())
      #expect(text.contains("\"cache\": \"Cache\"") && text.contains("\"size\": 3"))
      #expect(!text.contains("inside") && !text.contains("count"))
    }

    @Test("A value of any size or depth is cut")
    func bounded() async {
      let long = await shown(Array(repeating: ["x": 1], count: 100_000))
      #expect(long.utf8.count < 20_000 && long.contains("…"))
      let deep = await shown(Deep())
      #expect(deep.contains("…") && deep.utf8.count < 2_000)
      let text = await shown(String(repeating: "e\u{301}", count: 1_000_000))
      #expect(text.unicodeScalars.count < 2_100)
    }

    @Test("Of a collection of a million only the elements are read that are shown")
    func counted() async {
      let reads = Locked(0)
      let text = await shown(Endless(reads: reads))
      #expect(text.hasPrefix("[\n  0,\n  1,") && text.contains("…"))
      let count = reads.withLock { $0 }
      // The headline on the page of all objects, and the value on its own page.
      #expect(count > 300 && count < 1_000)
    }

    @Test("A dictionary's key of any size is cut, and one with words of its own keeps them")
    func keys() async {
      #expect(await shown([Many(): 1]).utf8.count < 20_000)
      #expect(await shown([Many(numbers: [1]): 2]).contains("\\\"numbers\\\": [ 1 ]"))
      #expect(await shown([Named(): Plain.Kind.idle]).contains("\"by its name\": \"idle\""))
    }

    @Test("Values of fields and forms are put into words off the main actor")
    func offMain() async throws {
      let (onMain, elsewhere) = (Locked(0), Locked(0))
      let value = Watchful(onMain: onMain, elsewhere: elsewhere)
      let field = Field<Watchful>("Field", value: value)
      let other = Field<Watchful>("Other", key: "other", value: value).transform(
        with: .custom(name: "watchful") { _ in
          value
        } export: {
          $0.note()
          return .string("written")
        })
      let form = FormModel { other }
      desk.inspector.watch(field, as: "Field")
      desk.inspector.watch(form, as: "Form")
      field.value = Watchful(number: 1, onMain: onMain, elsewhere: elsewhere)
      // A form's texts are read once as it is watched, so that their changes are known.
      onMain.withLock { $0 = 0 }
      for target in ["/timeline", "/watched", "/watched/1", "/watched/2"] {
        let before = elsewhere.withLock { $0 }
        _ = await desk.get(target)
        #expect(elsewhere.withLock { $0 } > before, "\(target)")
      }
      #expect(await desk.get("/watched/2").text.contains("<td>&quot;written&quot;</td>"))
      #expect(onMain.withLock { $0 } == 0)
    }

    @Test("A ring of objects, and a value that can't be encoded, are shown all the same")
    func odd() async {
      let ring = Ring()
      ring.next = ring
      let text = await shown(ring)
      #expect(text.contains("\"name\": \"ring\"") && text.contains("…"))
      ring.next = nil
      #expect(await shown(Broken()).contains("\"fine\": 1"))
    }

    @Test("Signs that steer a terminal or turn a line around are spelled out")
    func controls() async {
      #expect(await shown("a\u{202E}b\u{1B}[31m\"\\\n") == #""a\u202eb\u001b[31m\"\\\n""#)
    }

    @Test("A field that is watched alone is redacted by its own name, its key and its presentation")
    func ownName() async {
      let fields = [
        Field<String>("Password"), Field<String>("Second", key: "apiKey"),
        Field<String>("Pass").presented(as: .secure), Field<String>("Plain"),
      ]
      for (number, field) in fields.enumerated() {
        desk.inspector.watch(field, as: "field \(number)")
        field.value = "hunter\(number)"
      }
      let timeline = await desk.get("/timeline").text
      let overview = await desk.get("/watched").text
      for number in 0..<4 {
        let page = await desk.get("/watched/\(number + 1)").text
        for text in [timeline, overview, page] {
          #expect(text.contains("hunter\(number)") == (number == 3), "field \(number)")
        }
        #expect(page.contains("•••") == (number < 3))
      }
    }

    @Test("A field that gets a redacted name is redacted from then on")
    func renamed() async {
      let field = Field<String>("Plain")
      desk.inspector.watch(field, as: "field")
      field.value = "shown"
      (field.name, field.value) = ("Access token", "hunter1")
      (field.name, field.key, field.value) = ("Plain", "apiKey", "hunter2")
      for target in ["/timeline", "/watched", "/watched/1", "/timeline.json"] {
        let text = await desk.get(target).text
        #expect(!text.contains("hunter1") && !text.contains("hunter2"), "\(target)")
      }
      #expect(await desk.get("/timeline").text.contains("shown"))
    }

    @Test("The items of a secure field are dots, alone and in a form, also once it becomes secure")
    func secureItems() async {
      let codes = ArrayField(
        Field<String>("Codes", key: "codes").presented(as: .secure), value: ["hunter1"])
      let late = Field<String>("Late", key: "late", value: "hunter3")
      let form = FormModel {
        codes
        late
      }
      desk.inspector.watch(codes, as: "Codes")
      desk.inspector.watch(form, as: "Form")
      late.presented(as: .secure)
      codes.value = ["hunter2"]
      form[late]?.text = "hunter4"
      let timeline = await desk.page("/timeline", with: "late changed")
      #expect(timeline.contains("late changed"))
      for target in ["/timeline", "/watched", "/watched/1", "/watched/2", "/timeline.json"] {
        let text = await desk.get(target).text
        #expect(!text.contains("hunter"), "\(target)")
      }
    }

    @Test("The value of an object that is watched under a redacted name is dots")
    func watchedName() async throws {
      let token = Integrator(
        provider: ClosureProvider { "hunter2" }, errorHandlers: ErrorHandlers())
      desk.inspector.watch(token, as: "Access token")
      _ = try await token()
      let page = await desk.page("/watched/1", with: ">loaded</span>")
      #expect(page.contains(">•••</pre>") && !page.contains("hunter"))
    }
  }
#endif
