import FieldstoneFields
import FieldstoneForms

/// What a form promises, written as plainly as possible: values, one after the other.
///
/// Five fields: a name that may not be blank, a twin that takes the name's value with each change
/// of it, a size from 0 to 9, a code of one or two letters that somebody else has to be asked
/// about, and tags from 0 to 9. Where the name is "a" there has to be a size.
struct ModelForm {
  static let keys = ["name", "twin", "size", "code", "tags"]
  static let (name, twin, size, code, tags) = (0, 1, 2, 3, 4)
  static let taken = "b"

  struct Item: Equatable {
    var id: Int
    var value: Int
  }

  struct Value: Equatable {
    var text: String?
    var items: [Item]?
    /// Whether anything was ever set; it does not show.
    var isKnown = true

    static func == (left: Value, right: Value) -> Bool {
      left.text == right.text && left.items == right.items
    }

    /// Not even a set that nobody sees lies between.
    func isAs(_ other: Value) -> Bool { looks(like: other) && isKnown == other.isKnown }

    /// The same to look at, whoever the items are.
    func looks(like other: Value) -> Bool {
      text == other.text && items?.map(\.value) == other.items?.map(\.value)
    }
  }

  struct Snapshot: Equatable {
    var value = Value(isKnown: false)
    var draft: String?
    var itemDrafts: [Int: String] = [:]
  }

  enum Answer: Equatable {
    case none, pending, good, bad
  }

  struct Entry {
    var now = Snapshot()
    var baseline = Value(isKnown: false)
    var isTouched = false, isEdited = false, wasValidated = false
    /// What the rules have found; nil while they were not asked.
    var found: [String]?
    var answer = Answer.none
    var itemIssues: [Int: String] = [:]
    var touchedItems: Set<Int> = []
    var reported: [String: String] = [:]
  }

  struct Step {
    var field: Int
    var before: Snapshot
    var after: Snapshot
  }

  struct Edit {
    var steps: [Step]
    var session: Int?
    var delivery: Int?
  }

  let timing: FormTiming
  let limit: Int
  var fields = keys.map { _ in Entry() }
  var focus: Int?
  var phase = FormPhase.editing
  var wasSubmitted = false
  var ruleFails = false, ruleWasAsked = false
  var formReports: [String: String] = [:]
  var announcementCount = 0
  var done: [Edit] = []
  var undone: [Edit] = []
  var session = 0
  var lastDelivery = 0
  var lastItem = 0
  /// The codes about which an answer can be had.
  var answerable: Set<String> = []
  var sent: [Value] = []

  // MARK: - What is shown

  static func isUnreadable(_ text: String, in field: Int) -> Bool {
    switch field {
    case size: !text.isEmpty && Int(text) == nil
    case tags: Int(text) == nil
    default: false
    }
  }

  func text(_ field: Int) -> String {
    let now = fields[field].now
    return now.draft ?? now.value.text ?? ""
  }

  func hasUnreadable(_ field: Int) -> Bool {
    let now = fields[field].now
    return now.draft.map { Self.isUnreadable($0, in: field) } ?? false
      || now.itemDrafts.values.contains { Self.isUnreadable($0, in: field) }
  }

  func isModified(_ field: Int) -> Bool {
    hasUnreadable(field) || !fields[field].now.value.looks(like: fields[field].baseline)
  }

  func state(_ field: Int) -> String {
    let entry = fields[field]
    if hasUnreadable(field) || field == Self.size && ruleFails { return "invalid" }
    if field == Self.twin { return "valid" }
    guard let found = entry.found else { return "unknown" }
    if !found.isEmpty { return "invalid" }
    guard field == Self.code else { return "valid" }
    switch entry.answer {
    case .none: return "unknown"
    case .pending: return "validating"
    case .good: return "valid"
    case .bad: return "invalid"
    }
  }

  func codes(_ field: Int) -> [String] {
    let entry = fields[field]
    let reports = entry.reported.keys.sorted().compactMap { entry.reported[$0] }
    if field != Self.tags, hasUnreadable(field) { return ["notWhole"] + reports }
    let items = entry.now.value.items ?? []
    var codes =
      field == Self.tags ? items.compactMap { entry.itemIssues[$0.id] } : entry.found ?? []
    if entry.answer == .bad { codes.append("taken") }
    codes += items.compactMap { entry.now.itemDrafts[$0.id] }.compactMap(Self.itemDraftCode)
    if field == Self.size, ruleFails { codes.append("pair") }
    return codes + reports
  }

  static func itemDraftCode(_ text: String) -> String? {
    Int(text) != nil ? nil : text.isEmpty ? "required" : "notWhole"
  }

  // MARK: - Validation

  private func rules(_ field: Int) -> [String] {
    let value = fields[field].now.value
    switch field {
    case Self.name:
      guard let text = value.text else { return ["required"] }
      return text.allSatisfy(\.isWhitespace) ? ["blank"] : []
    case Self.size:
      guard let number = value.text.flatMap({ Int($0) }) else { return [] }
      return number > 9 ? ["tooLarge"] : number < 0 ? ["tooSmall"] : []
    case Self.code:
      guard let count = value.text?.count else { return [] }
      return count < 1 ? ["tooShort"] : count > 2 ? ["tooLong"] : []
    default: return []
    }
  }

  func mayValidate(_ field: Int) -> Bool {
    switch timing {
    case .onChange: true
    case .onSubmit: wasSubmitted
    case .onBlur: fields[field].wasValidated || focus != field
    }
  }

  mutating func validate(_ field: Int, asks: Bool = true) {
    fields[field].wasValidated = true
    var found = rules(field)
    if field == Self.tags {
      fields[field].itemIssues = [:]
      for item in fields[field].now.value.items ?? [] where !(0...9).contains(item.value) {
        fields[field].itemIssues[item.id] = item.value > 9 ? "tooLarge" : "tooSmall"
      }
      found = Array(fields[field].itemIssues.values)
    }
    fields[field].found = found
    guard field == Self.code else { return }
    if !found.isEmpty {
      fields[field].answer = .none
    } else if asks, fields[field].answer == .none {
      fields[field].answer = fields[field].now.value.text == nil ? .good : .pending
    }
  }

  /// Takes the answer, where it can be had.
  mutating func settle() -> Bool {
    guard fields[Self.code].answer == .pending, let code = fields[Self.code].now.value.text,
      answerable.contains(code)
    else { return false }
    fields[Self.code].answer = code == Self.taken ? .bad : .good
    return true
  }

  mutating func askRule(about field: Int) {
    guard field == Self.name || field == Self.size, mayValidate(field) || ruleWasAsked else {
      return
    }
    askRule()
  }

  mutating func askRule() {
    ruleWasAsked = true
    ruleFails =
      fields[Self.name].now.value.text == "a" && fields[Self.size].now.value.text == nil
  }

  // MARK: - Changes

  /// Stores a value, and forgets what was known of the one before.
  mutating func store(_ value: Value, in field: Int) {
    let old = fields[field].now.value
    fields[field].now.value = value
    let values = Dictionary(uniqueKeysWithValues: (value.items ?? []).map { ($0.id, $0.value) })
    let before = Dictionary(uniqueKeysWithValues: (old.items ?? []).map { ($0.id, $0.value) })
    fields[field].itemIssues = fields[field].itemIssues.filter {
      values[$0.key] != nil && values[$0.key] == before[$0.key]
    }
    if value.isAs(old) { return }
    fields[field].found = nil
    fields[field].answer = .none
  }

  /// Drops what was typed and is not what the value stands for any more.
  mutating func dropDrafts(_ field: Int, wasSet: Bool) {
    let now = fields[field].now
    if let draft = now.draft {
      let isOld =
        Self.isUnreadable(draft, in: field)
        ? wasSet : Self.read(draft, in: field) != now.value.text
      if isOld { fields[field].now.draft = nil }
    }
  }

  static func read(_ text: String, in field: Int) -> String? {
    field == size ? Int(text).map { "\($0)" } : text
  }

  /// What a change leads to, of a value or of a text.
  mutating func changed(
    _ field: Int, from before: Snapshot, in delivery: Int?, asksRule: Bool = true
  ) {
    let after = fields[field].now
    guard before != after else {
      // It was set for the first time, to what it looked like before.
      if fields[field].found == nil, mayValidate(field) { validate(field) }
      return
    }
    record(Step(field: field, before: before, after: after), in: delivery)
    fields[field].isEdited = true
    fields[field].reported = [:]
    if phase == .submitted { phase = .editing }
    if asksRule { askRule(about: field) }
    if mayValidate(field) { validate(field) }
  }

  mutating func nextDelivery() -> Int {
    lastDelivery += 1
    return lastDelivery
  }

  /// Sets a value, with what follows it.
  mutating func set(_ value: Value, of field: Int, draft: String?? = .none) {
    let delivery = nextDelivery()
    let before = fields[field].now
    if let draft { fields[field].now.draft = draft }
    store(value, in: field)
    if draft == nil { dropDrafts(field, wasSet: true) }
    changed(field, from: before, in: delivery)
    if field == Self.name, !value.isAs(before.value) { twinFollows(in: delivery) }
  }

  private mutating func twinFollows(in delivery: Int) {
    let before = fields[Self.twin].now
    store(fields[Self.name].now.value, in: Self.twin)
    changed(Self.twin, from: before, in: delivery)
  }

  mutating func batch(_ sets: [(field: Int, text: String?)]) {
    let before = fields
    var order: [Int] = []
    for (field, text) in sets {
      if !order.contains(field) { order.append(field) }
      fields[field].now.value = Value(text: text)
    }
    let delivery = nextDelivery()
    for field in order {
      let value = fields[field].now.value
      fields[field].now.value = before[field].now.value
      store(value, in: field)
    }
    for field in order {
      dropDrafts(field, wasSet: true)
      changed(field, from: before[field].now, in: delivery)
    }
    if order.contains(Self.name),
      !fields[Self.name].now.value.isAs(before[Self.name].now.value)
    {
      twinFollows(in: delivery)
    }
  }

  mutating func type(_ text: String, in field: Int) {
    if text == self.text(field) { return }
    if Self.isUnreadable(text, in: field) {
      let before = fields[field].now
      fields[field].now.draft = text
      changed(field, from: before, in: nil, asksRule: false)
    } else {
      let isNothing = text.isEmpty && fields[field].baseline.text == nil
      let value = isNothing ? nil : Self.read(text, in: field)
      set(Value(text: value), of: field, draft: .some(value ?? "" == text ? nil : text))
    }
  }
}
