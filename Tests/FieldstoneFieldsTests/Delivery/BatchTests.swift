import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import Testing

@Suite("Batches and transactions")
struct BatchTests {
  struct Trouble: Error {}

  @Test("One delivery for each changed field, first old to last new, at the end")
  func batch() {
    let (a, b) = (Field<Int>(value: 0), Field<Int>(value: 0))
    var heard: [String] = []
    let registrations = [
      a.observe { heard.append("a \($0.old!)→\($0.new!)") },
      b.observe { heard.append("b \($0.old!)→\($0.new!)") },
    ]
    heard = []
    Fields.batch {
      b.value = 1
      a.value = 1
      a.value = 2
      b.value = 3
      #expect(a.value == 2 && heard.isEmpty)
    }
    #expect(heard == ["b 0→3", "a 0→2"])
    withExtendedLifetime(registrations) {}
  }

  @Test("A field that ends as it began is not delivered, except to who hears every set")
  func noChange() {
    let a = Field<Int>(value: 0)
    var (changes, every) = (0, 0)
    let registrations = [
      a.observe { _ in changes += 1 }, a.observe(everySet: true) { _ in every += 1 },
    ]
    Fields.batch {
      a.value = 1
      a.value = 0
    }
    #expect(changes == 1 && every == 2)
    withExtendedLifetime(registrations) {}
  }

  @Test("A batch inside a batch ends with the outer one")
  func nested() {
    let a = Field<Int>(value: 0)
    var heard: [Int?] = []
    let registration = a.observe { heard.append($0.new) }
    Fields.batch {
      Fields.batch { a.value = 1 }
      #expect(heard == [0])
      a.value = 2
    }
    #expect(heard == [0, 2])
    withExtendedLifetime(registration) {}
  }

  @Test("A batch whose body throws delivers what was set until then")
  func batchThrows() {
    let a = Field<Int>(value: 0)
    var heard: [Int?] = []
    let registration = a.observe { heard.append($0.new) }
    #expect(throws: Trouble.self) {
      try Fields.batch {
        a.value = 1
        throw Trouble()
      }
    }
    #expect(heard == [0, 1])
    withExtendedLifetime(registration) {}
  }

  @Test("A transaction that throws takes back values, states and timestamps, unheard")
  func rollback() {
    let time = ManualTime()
    let a = Field<Int>("a", value: 1, time: time.source)
    let b = Field<Int>("b", time: time.source)
    let c = Field<Int>("c", value: 1, time: time.source)
    c.fail(with: MessageError("offline"))
    c.addIssue(FieldIssue(code: "odd"))
    var count = 0
    let registrations = [a, b, c].map { $0.observe(everySet: true) { _ in count += 1 } }
    count = 0
    let stamps = (a.updatedAt, a.changedAt, a.revision + 2)
    time.advance(by: .seconds(1))
    #expect(throws: Trouble.self) {
      try Fields.transaction {
        a.value = 2
        b.value = 3
        c.value = 4
        throw Trouble()
      }
    }
    #expect(a.value == 1 && (a.updatedAt, a.changedAt, a.revision) == stamps, "a revision goes on")
    #expect(b.phase == .idle && b.updatedAt == nil && b.revision == 2)
    #expect(c.phase == .failed(Trouble(), previous: 1) && c.issues.count == 1)
    #expect(count == 0)
    a.value = 5
    #expect(count == 1)
    withExtendedLifetime(registrations) {}
  }

  @Test("A transaction that throws takes back issues and load states that no set came with")
  func rollbackWithoutSets() {
    let (a, b, c) = (Field<Int>(value: 1), Field<Int>(value: 1), Field<Int>("c", value: 1))
    b.addIssue(FieldIssue(code: "old"))
    var states: [LoadPhase<Int?>] = []
    let registration = a.observePhase { states.append($0) }
    try? Fields.transaction {
      a.addIssue(FieldIssue(code: "new"))
      b.removeIssues()
      a.beginLoading()
      b.fail(with: Trouble())
      c.importValue("three")
      throw Trouble()
    }
    #expect(a.issues.isEmpty && a.phase == .loaded(1))
    #expect(b.issues.map(\.code) == ["old"] && b.phase == .loaded(1))
    #expect(c.issues.isEmpty && c.value == 1)
    #expect(states.isEmpty, "what was taken back is delivered to nobody")
    withExtendedLifetime(registration) {}
  }

  @Test("Those who watch the state hear it once at the end of a batch, if it is another one")
  func phases() {
    let field = Field<Int>(value: 1)
    var heard: [LoadPhase<Int?>] = []
    let registration = field.observePhase { heard.append($0) }
    Fields.batch {
      field.beginLoading()
      field.value = 2
    }
    #expect(heard.isEmpty)
    Fields.batch {
      field.beginLoading()
      field.value = 3
      field.fail(with: Trouble())
    }
    #expect(heard == [.failed(Trouble(), previous: 3)])
    Fields.batch { field.fail(with: Trouble()) }
    #expect(heard.count == 2, "another error is another phase")
    Fields.batch { field.name = "same" }
    #expect(heard.count == 2)
    field.beginLoading()
    Fields.batch {
      field.value = 4
      field.beginLoading()
    }
    #expect(heard.count == 4 && heard.last == .loading(previous: 4))
    Fields.batch {
      field.name = "recorded"
      field.addIssue(FieldIssue(code: "odd"))
      try? Fields.transaction {
        field.fail(with: Trouble())
        throw Trouble()
      }
    }
    #expect(heard.count == 4, "what an inner transaction took back is no news")
    withExtendedLifetime(registration) {}
  }

  @Test("One who watches the state may set the field: changes are heard in their order")
  func setsFromPhase() {
    let field = Field<Int>(value: 1)
    var (values, phases) = ([Int?](), [LoadPhase<Int?>]())
    let setting = field.observePhase { [unowned field] phase in
      if phase == .loaded(2) { field.value = 3 }
      if phase == .failed(Trouble(), previous: 3) { field.beginLoading() }
    }
    let registrations = [
      field.observe { values.append($0.new) }, field.observePhase { phases.append($0) },
    ]
    field.beginLoading()
    field.value = 2
    field.fail(with: Trouble())
    #expect(values == [1, 2, 3])
    #expect(
      phases == [
        .loading(previous: 1), .loaded(2), .failed(Trouble(), previous: 3), .loading(previous: 3),
      ])
    withExtendedLifetime((setting, registrations)) {}
  }

  @Test("Phases that lead to each other without end are stopped, as values are")
  func endlessPhases() {
    let field = Field<Int>(value: 1)
    var count = 0
    let registration = field.observePhase { [unowned field] phase in
      count += 1
      if phase.isLoading { field.cancelLoading() } else { field.beginLoading() }
    }
    UnsettledFields.withHandler({ _ in }) { field.beginLoading() }
    #expect((50...101).contains(count))
    withExtendedLifetime(registration) {}
  }

  @Test("One who watches the state of an array sets it after a rollback has restored the items")
  func itemsFromPhase() {
    let tags = ArrayField(Field<Int>("Tag"), name: "Tags", value: [1])
    let registration = tags.observePhase { [unowned tags] phase in
      if phase.value == [7, 8, 9] { tags.value = [7, 8] }
    }
    try? Fields.transaction {
      tags.value = [1, 2, 3]
      tags.beginLoading()
      tags.value = [4, 5, 6, 7]
      throw Trouble()
    }
    #expect(tags.value == [1] && tags.items.count == 1)
    tags.beginLoading()
    tags.value = [7, 8, 9]
    #expect(tags.value == [7, 8] && tags.items.map(\.value) == [7, 8])
    withExtendedLifetime(registration) {}
  }

  @Test("A transaction that returns is a batch, and hands on its result")
  func transaction() {
    let a = Field<Int>(value: 0)
    var heard: [Int?] = []
    let registration = a.observe { heard.append($0.new) }
    let result = Fields.transaction {
      a.value = 1
      a.value = 2
      return "done"
    }
    #expect(result == "done" && heard == [0, 2])
    withExtendedLifetime(registration) {}
  }

  @Test("An inner transaction takes back its own part only")
  func innerRollback() {
    let (a, b) = (Field<Int>(value: 0), Field<Int>(value: 0))
    var heard: [Int?] = []
    let registration = a.observe { heard.append($0.new) }
    Fields.transaction {
      a.value = 1
      try? Fields.transaction {
        a.value = 2
        b.value = 2
        throw Trouble()
      }
      #expect(a.value == 1 && b.value == 0)
    }
    #expect(a.value == 1 && heard == [0, 1])
    withExtendedLifetime(registration) {}
  }

  @Test("An outer transaction takes back what inner batches did")
  func outerRollback() {
    let a = Field<Int>(value: 0)
    try? Fields.transaction {
      Fields.batch { a.value = 1 }
      Fields.transaction { a.value = 2 }
      throw Trouble()
    }
    #expect(a.value == 0)
  }

  @Test("A batch inside an observer is delivered after what is under way")
  func insideADelivery() {
    let (a, b) = (Field<Int>(value: 0), Field<Int>(value: 0))
    var heard: [String] = []
    let registrations = [
      a.observe { [unowned a] change in
        heard.append("a\(change.new!)")
        if change.new == 1 {
          Fields.batch {
            b.value = 1
            a.value = 2
            b.value = 2
          }
          heard.append("end")
        }
      },
      b.observe { heard.append("b\($0.new!)") },
    ]
    heard = []
    a.value = 1
    #expect(heard == ["a1", "end", "b2", "a2"])
    withExtendedLifetime(registrations) {}
  }

  @Test("Bound fields follow a batch once")
  func bound() {
    let (a, b) = (Field<Int>(value: 0), Field<Int>())
    a --> b
    var heard: [Int?] = []
    let registration = b.observe { heard.append($0.new) }
    Fields.batch { for number in 1...5 { a.value = number } }
    #expect(heard == [0, 5] && b.revision == 2)
    withExtendedLifetime(registration) {}
  }

  @Test("Derived fields come after what they are made from, in the order in which they were made")
  func derivedOrder() {
    let source = Field<Int>(value: 1)
    let derived = (0..<6).map { factor in DerivedField(source) { ($0 ?? 0) * factor + $0! } }
    let above = DerivedField(derived[0], source) { ($0 ?? 0) + ($1 ?? 0) }
    var heard: [String] = []
    var registrations = [above.observe { _ in heard.append("above") }]
    for (number, field) in derived.enumerated().reversed() {
      registrations.append(field.observe { _ in heard.append("\(number)") })
    }
    registrations.append(source.observe { _ in heard.append("source") })
    heard = []
    Fields.batch { source.value = 2 }
    #expect(heard == ["source", "0", "1", "2", "3", "4", "5", "above"])
    withExtendedLifetime(registrations) {}
  }

  @Test("A derived field that was made inside a transaction is right after it was taken back")
  func derivedInside() {
    let source = Field<Int>(value: 1)
    var double: DerivedField<Int>?
    #expect(throws: MessageError.self) {
      try Fields.transaction {
        source.value = 5
        double = DerivedField(source) { ($0 ?? 0) * 2 }
        throw MessageError("back")
      }
    }
    #expect(double?.value == 2)
  }

  @Test("What was read of a derived field inside a transaction is forgotten with it")
  func derivedIsTakenBack() {
    let source = Field<Int>(value: 1)
    let double = DerivedField(source) { ($0 ?? 0) * 2 }
    var heard: [Int?] = []
    let registration = double.observe { heard.append($0.new) }
    #expect(throws: MessageError.self) {
      try Fields.transaction {
        source.value = 5
        #expect(double.value == 10)
        throw MessageError("back")
      }
    }
    #expect(double.value == 2)
    #expect(heard == [2])
    source.value = 3
    #expect(heard == [2, 6])
    withExtendedLifetime(registration) {}
  }
}

@Suite("Fields that do not settle")
struct UnsettledTests {
  private func reports(of body: () -> Void) -> [UnsettledFields] {
    let recorder = Recorder<UnsettledFields>()
    UnsettledFields.withHandler({ recorder.record($0) }, body)
    return recorder.elements
  }

  @Test("Coercing fields stop after 100 sets, keep the last value and report the path")
  func coercing() {
    let (low, high) = (Field<Int>("low", value: 0), Field<Int>("high", value: 0))
    var heard = 0
    let registrations = [
      low.observe { [unowned high] change in
        if change.origin != .registration { high.value = change.new! + 1 }
      },
      high.observe { [unowned low] change in
        if change.origin != .registration { low.value = change.new! + 1 }
      },
      high.observe { _ in heard += 1 },
    ]
    let reports = reports { low.value = 1 }
    #expect(reports.count == 1)
    #expect(reports.first?.path == ["low", "high", "low"])
    #expect(reports.first?.message.contains("low → high → low") == true)
    #expect(heard == 101, "the first call and a hundred deliveries")
    #expect(low.value == 201 && high.value == 200)
    low.value = 0
    withExtendedLifetime(registrations) {}
  }

  @Test("A field that sets itself for ever stops, also by batches", arguments: [true, false])
  func itself(inBatches: Bool) {
    let a = Field<Int>("a", value: 0)
    let registration = a.observe { [unowned a] change in
      guard change.origin != .registration else { return }
      if inBatches { Fields.batch { a.value! += 1 } } else { a.value! += 1 }
    }
    let reports = reports { a.value = 1 }
    #expect(reports.map(\.path) == [["a", "a"]])
    #expect(a.value == 101)
    withExtendedLifetime(registration) {}
  }

  @Test("A circle is reported once, however many of its fields are stopped", arguments: 2...4)
  func once(count: Int) {
    let fields = (0..<count).map { Field<Int>("\($0)", value: 0) }
    let fed = Field<Int>("fed", value: 0)
    for (place, field) in fields.enumerated() {
      let next = fields[(place + 1) % count]
      field.observe(owner: next) { next, change in
        if change.origin != .registration { next.value = (change.new ?? 0) + 1 }
      }
      // Is set as often as all of them, and so is stopped before them.
      field --> fed
    }
    let reports = reports {
      Fields.batch { for (place, field) in fields.enumerated() { field.value = 1_000 * place + 1 } }
    }
    #expect(reports.count == 1)
    #expect(reports.first.map { Set($0.path) } == Set(fields.map(\.name)))
    #expect(reports.first?.path.first == reports.first?.path.last)
  }

  @Test("Two circles are two reports, and a handler may set fields")
  func two() {
    let fields = ["a", "b"].map { Field<Int>($0, value: 0) }
    let count = Field<Int>(value: 0)
    for field in fields {
      field.observe(owner: field) { field, change in
        if change.origin != .registration { field.value = (change.new ?? 0) + 1 }
      }
    }
    var heard: [Int?] = []
    count --> { heard.append($0) }
    let paths = Recorder<[String]>()
    nonisolated(unsafe) let reported = count
    UnsettledFields.withHandler { report in
      paths.record(report.path)
      reported.value = paths.elements.count
    } _: {
      Fields.batch { for field in fields { field.value = 1 } }
    }
    #expect(paths.elements == [["a", "a"], ["b", "b"]])
    #expect(heard == [0, 1, 2])
  }

  @Test("After it stopped, the next delivery counts anew")
  func countsAnew() {
    let a = Field<Int>("a", value: 0)
    var rises = true
    let registration = a.observe { [unowned a] change in
      if rises, change.origin != .registration { a.value! += 1 }
    }
    _ = reports { a.value = 1 }
    rises = false
    var heard: [Int?] = []
    let other = a.observe { heard.append($0.new) }
    #expect(reports { a.value = 5 }.isEmpty)
    #expect(heard == [101, 5])
    withExtendedLifetime((registration, other)) {}
  }
}
