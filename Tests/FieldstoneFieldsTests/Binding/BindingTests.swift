import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Foundation
import Testing

@Suite("Binding fields")
struct BindingTests {
  @Test("The target takes the value at once and with each change")
  func oneWay() {
    let (a, b) = (Field<Int>(value: 1), Field<Int>(value: 9))
    a --> b
    #expect(b.value == 1)
    a.value = 2
    #expect(b.value == 2)
    b.value = 3
    #expect(a.value == 2)
    let c = Field<Int>()
    c <-- a
    #expect(c.value == 2)
  }

  @Test("A source of which nothing is known hands on nothing until it is")
  func unknownSource() {
    let (a, b) = (Field<Int>(), Field<Int>(value: 9))
    a --> b
    #expect(b.value == 9)
    a.value = nil
    #expect(b.phase == .loaded(nil))
  }

  @Test("Chains are statements, and live as long as the source")
  func chains() {
    let (a, b, c) = (Field<Int>(value: 1), Field<Int>(), Field<Int>())
    var heard: [Int?] = []
    a --> b --> c --> { heard.append($0) }
    a.value = 2
    #expect(c.value == 2 && heard == [1, 2])
    let (d, e) = (Field<Int>(), Field<Int>())
    e <-- d <-- a
    #expect(d.value == 2 && e.value == 2)
    a.value = 3
    #expect(d.value == 3 && e.value == 3)
  }

  @Test("A target that is gone is forgotten")
  func targetDies() {
    let a = Field<Int>(value: 1)
    var b: Field<Int>? = Field()
    let weakB = { [weak b] in b }
    a --> b!
    #expect(a.observerCount == 1)
    b = nil
    #expect(weakB() == nil)
    a.value = 2
    #expect(a.observerCount == 0)
  }

  @Test("Both ways: both take the right one's value first, then each other's", arguments: [0, 1])
  func bothWays(side: Int) {
    let (a, b) = (Field<Int>(value: 1), Field<Int>(value: 2))
    a <--> b
    #expect(a.value == 2 && b.value == 2)
    #expect(a.revision == 2 && b.revision == 1, "what comes back at once is an echo, too")
    let (set, other) = side == 0 ? (a, b) : (b, a)
    set.value = 5
    #expect(other.value == 5)
    other.value = 6
    #expect(set.value == 6)
  }

  @Test("Both ways with a right one of which nothing is known: it takes the left one's value")
  func bothWaysFromTheLeft() {
    let (a, b) = (Field<Int>(value: 1), Field<Int>())
    a <--> b
    #expect(a.phase == .loaded(1) && b.phase == .loaded(1))
    let (c, d) = (Field<Int>(), Field<Int>())
    c <--> d
    #expect(!c.isKnown && !d.isKnown)
    let (e, f) = (Field<Int>(value: 1), Field<Int>())
    f.value = nil
    e <--> f
    #expect(e.phase == .loaded(nil), "nil that is known is a value")
  }

  @Test("An echo moves neither timestamps nor revision")
  func echo() {
    let time = ManualTime()
    let (a, b) = (Field<Int>("a", time: time.source), Field<Int>("b", time: time.source))
    a <--> b
    time.advance(by: .seconds(1))
    a.value = 1
    let stamps = (a.updatedAt, b.updatedAt)
    #expect(a.revision == 1 && b.revision == 1)
    #expect(stamps.0 == time.now && stamps.1 == time.now)
    time.advance(by: .seconds(1))
    b.value = 1
    #expect(b.revision == 2 && a.revision == 1 && a.updatedAt == stamps.0)
  }

  @Test("What came in another thread's delivery is no echo in one of this thread")
  func otherThread() async {
    // One after the other; each thread is new, and so is its first delivery.
    nonisolated(unsafe) let (a, b) = (Field<Int>(value: 0), Field<Int>(value: 0))
    a --> b
    let registration = b.observe { _ in }
    let revision = b.revision
    await onNewThread { b.value = 1 }
    await onNewThread { a.value = 1 }
    #expect(b.revision == revision + 2)
    registration.cancel()
  }

  @Test("Each field's timestamps come from its own time source")
  func ownTime() {
    let (one, other) = (ManualTime(), ManualTime(now: .distantPast))
    let a = Field<Int>("a", time: one.source)
    let b = Field<Int>("b", time: other.source)
    let c = Field<Int>("c")
    a --> b --> c
    a.value = 1
    #expect(a.updatedAt == one.now && b.updatedAt == other.now)
    #expect(c.updatedAt! > one.now)
    let (source, target) = (
      Field("s", value: 1, time: one.source), Field<Int>("t", time: one.source)
    )
    one.advance(by: .seconds(5))
    source --> target
    #expect(target.updatedAt == one.now && source.updatedAt == one.now - 5)
    c --> a
    c.value = 2
    #expect(a.value == 2 && a.updatedAt == one.now)
  }

  @Test("A circle of three settles, and its echo is none")
  func circle() {
    let fields = (0..<3).map { _ in Field<Int>() }
    fields[0] --> fields[1] --> fields[2] --> fields[0]
    fields[0].value = 1
    #expect(fields.map(\.value) == [1, 1, 1])
    #expect(fields.map(\.revision) == [1, 1, 1])
    fields[1].value = 2
    #expect(fields.map(\.value) == [2, 2, 2])
    #expect(fields.map(\.revision) == [2, 2, 2])
  }

  @Test("A wave that is overtaken by a newer one does not go round for ever")
  func overtaken() {
    let fields = (0..<3).map { _ in Field<Int>(value: 0) }
    fields[0] --> fields[1] --> fields[2] --> fields[0]
    let registration = fields[0].observe { [unowned field = fields[0]] change in
      if change.new == 1 { field.value = 2 }
    }
    fields[0].value = 1
    #expect(fields.map(\.value) == [2, 2, 2])
    withExtendedLifetime(registration) {}
  }

  @Test("A field reached over two ways is set once")
  func diamond() {
    let (a, b, c, d) = (Field<Int>(value: 0), Field<Int>(), Field<Int>(), Field<Int>())
    a --> b --> d
    a --> c --> d
    var heard: [Int?] = []
    let registration = d.observe { heard.append($0.new) }
    let revision = d.revision
    a.value = 1
    #expect(heard == [0, 1] && d.revision == revision + 1)
    withExtendedLifetime(registration) {}
  }

  @Test("A target that corrects the value hands the correction back")
  func correction() {
    let (a, b) = (Field<Int>(value: 0), Field<Int>(value: 0))
    a <--> b
    let registration = b.observe { [unowned b] change in
      if let new = change.new, new > 10 { b.value = 10 }
    }
    a.value = 50
    #expect(a.value == 10 && b.value == 10)
    withExtendedLifetime(registration) {}
  }

  @Test("A binding is ended by its target, and all of them at once")
  func unbinding() {
    let (a, b, c) = (Field<Int>(value: 1), Field<Int>(), Field<Int>())
    a --> b
    a --> c
    a -/-> b
    a.value = 2
    #expect(b.value == 1 && c.value == 2)
    a.removeAllObservers()
    a.value = 3
    #expect(c.value == 2)
  }

  @Test("A binding converts between types")
  func converting() {
    let (number, text) = (Field<Int>(value: 1), Field<String>())
    number.bind(to: text) { "\($0)" }
    text.bind(to: number) { Int($0) }
    #expect(text.value == "1")
    text.value = "7"
    #expect(number.value == 7)
    number.value = nil
    #expect(text.value == nil && text.isKnown)
  }

  /// A stand-in for a text field: it tells of what is typed, and not of what it is handed.
  final class TextBox: ValueSource, ValueObserver {
    let valueObservers = ValueObservers<String>()
    private(set) var value: String?
    private(set) var receivedCount = 0

    func type(_ text: String) {
      value = text
      valueObservers.notify(text)
    }

    func receive(_ value: String?) {
      self.value = value
      receivedCount += 1
    }
  }

  @Test("Two fields bound both ways exchange the values that one batch sets, until the next change")
  func bothSet() {
    let (a, b) = (Field<Int>(value: 0), Field<Int>(value: 0))
    a <--> b
    Fields.batch {
      a.value = 1
      b.value = 2
    }
    #expect(a.value == 2 && b.value == 1)
    a.value = 3
    #expect(a.value == 3 && b.value == 3)
  }

  @Test("Any class can be at either end, both ways")
  func anyClass() {
    let (box, name) = (TextBox(), Field<String>(value: "Ada"))
    box <--> name
    #expect(box.value == "Ada")
    box.type("Grace")
    #expect(name.value == "Grace" && name.revision == 2)
    name.value = "Edsger"
    #expect(box.value == "Edsger")
    box -/-> name
    box.type("Alan")
    #expect(name.value == "Edsger")
    let other = TextBox()
    var heard: [String?] = []
    box --> other
    box --> { heard.append($0) }
    box.type("Kathleen")
    #expect(other.value == "Kathleen" && heard == ["Alan", "Kathleen"])
    let label = TextBox()
    label <-- name
    #expect(label.value == "Edsger")
    let copy = Field<String>()
    copy <-- box
    #expect(copy.value == "Kathleen")
    name <--> box
    #expect(name.value == "Kathleen")
  }

  /// Code over anything that can be observed.
  private func follow<Source: ValueSource<String>>(
    _ source: Source, _ target: some ValueObserver<String>
  ) {
    source --> target
  }

  @Test("Code over anything that can be observed takes fields, too, at both ends")
  func fieldsAsSources() {
    let (box, name, copy) = (TextBox(), Field<String>(), Field<String>(value: "kept"))
    follow(name, copy)
    #expect(copy.value == "kept", "what is not known yet is not handed on")
    follow(box, name)
    #expect(name.isKnown && copy.value == nil)
    box.type("Ada")
    #expect(name.value == "Ada" && copy.value == "Ada" && copy.revision == 3)
    let upper = DerivedField(name) { $0?.uppercased() }
    let sources: [any ValueSource<String>] = [box, name, upper]
    var heard: [String?] = []
    for source in sources { observe(source, owner: box) { heard.append($0) } }
    #expect(heard == ["Ada", "Ada", "ADA"])
    heard = []
    box.type("Grace")
    #expect(heard == ["Grace", "GRACE", "Grace"])
    name.valueObservers.notify("nobody hears this")
    #expect(heard.count == 3 && name.valueObservers.count == name.observerCount)
    for source in sources { source.removeAllObservers() }
    box.type("Edsger")
    #expect(heard.count == 3 && sources.allSatisfy { $0.valueObservers.count == 0 })
  }

  private func observe<Source: ValueSource<String>>(
    _ source: Source, owner: TextBox, _ body: @escaping (String?) -> Void
  ) {
    source.observe(owner: owner) { _, value in body(value) }
  }

  @Test("An owner's observations of a class end with it, or when it is removed")
  func ownersOfSources() {
    let box = TextBox()
    var heard: [String?] = []
    do {
      let owner = TextBox()
      box.observe(owner: owner) { _, value in heard.append(value) }
      box.type("a")
      withExtendedLifetime(owner) {}
    }
    box.type("b")
    #expect(heard == [nil, "a"] && box.valueObservers.count == 0)
    box.observe(owner: self.owner) { _, value in heard.append(value) }
    box.removeObserver(owner)
    box.type("c")
    #expect(heard == [nil, "a", "b"])
  }

  private let owner = TextBox()

  @Test("Both ways over code that knows neither side, and back from an object to a field")
  func swapped() {
    let (box, other) = (TextBox(), TextBox())
    other <-- box
    box.type("x")
    #expect(other.value == "x")
    let field = Field<String>()
    box <--> field
    #expect(field.value == "x" && box.value == "x")
  }

  @Test("A conversion stands in the middle of a chain")
  func conversion() {
    let (number, text, length) = (Field<Int>(), Field<String>(value: "kept"), Field<Int>())
    number --> .converting { $0 < 0 ? nil : "\($0)" } --> text
    text --> .converting { $0.count } --> length
    #expect(text.value == "kept" && length.value == 4)
    number.value = 12_345
    #expect(text.value == "12345" && length.value == 5)
    number.value = -1
    #expect(text.value == nil && text.isKnown && length.value == nil)
  }

  @Test("A field is compared with a value")
  func comparing() {
    let (age, ratio) = (Field<Int>(value: 10), Field<Double>(value: .nan))
    let double = DerivedField(age) { ($0 ?? 0) * 2 }
    #expect(age == 10 && age != 11 && double == 20 && ratio == .nan && ratio != 1)
    age.value = nil
    #expect(age != 10 && !(age == 0))
  }

  @Test("A class that tells of every value, its own echo included, settles")
  func noisyClass() {
    final class Noisy: ValueSource, ValueObserver {
      let valueObservers = ValueObservers<Int>()
      var value: Int? { didSet { valueObservers.notify(value) } }
      func receive(_ value: Int?) { self.value = value }
    }
    let (noisy, field) = (Noisy(), Field<Int>(value: 1))
    noisy <--> field
    field.value = 2
    #expect(noisy.value == 2 && field.value == 2 && field.revision == 2)
    noisy.value = 3
    #expect(field.value == 3)
  }

  @Test("A nil that is known is handed on to a field that knows nothing")
  func knownNil() {
    let (source, target) = (Field<Int>(), Field<Int>())
    source --> target
    #expect(!target.isKnown)
    source.value = nil
    #expect(target.isKnown && target.value == nil && target.revision == 1)
    source.value = nil
    #expect(target.revision == 1)
  }

  @Test("A field recognises the echo of a class that tells all it takes, also where it corrects it")
  func echoOfClass() {
    final class Box: ValueSource, ValueObserver {
      let valueObservers = ValueObservers<String>()
      var value: String? { didSet { valueObservers.notify(value) } }

      func receive(_ value: String?) { self.value = value }
    }
    let (box, field) = (Box(), Field<String>())
    box <--> field
    box.value = "b"
    #expect(field.value == "b" && field.revision == 2)
    let trimming = field.observe { [unowned field] change in
      if let text = change.new, text.hasPrefix(" ") { field.value = String(text.dropFirst()) }
    }
    box.value = " a"
    #expect(field.value == "a" && box.value == "a")
    withExtendedLifetime(trimming) {}
  }

  @Test("A value that an observer of a class leads to is heard after the one before, by all")
  func nestedNotify() {
    let box = TextBox()
    var heard: [String?] = []
    box --> { [unowned box] in if $0 == "a" { box.type("b") } }
    box --> { heard.append($0) }
    box.type("a")
    #expect(heard == [nil, "a", "b"])
  }

  @Test("A class forgets a field that is gone with the next value")
  func forgets() {
    final class Source: ValueSource {
      let valueObservers = ValueObservers<Int>()
      var value: Int? { didSet { valueObservers.notify(value) } }
    }
    let source = Source()
    let kept = Field<Int>()
    source --> kept
    do {
      let field = Field<Int>()
      source --> field
      source.value = 1
      #expect(field.value == 1 && source.valueObservers.count == 2)
    }
    source.value = 2
    #expect(source.valueObservers.count == 1 && kept.value == 2)
  }

  @Test("A chain of 100,000 fields does not overflow the stack")
  func longChain() {
    let fields = (0..<100_000).map { _ in Field<Int>() }
    for (source, target) in zip(fields, fields.dropFirst()) { source --> target }
    fields[0].value = 7
    #expect(fields.last?.value == 7)
    #expect(fields.allSatisfy { $0.revision == 1 })
  }
}
