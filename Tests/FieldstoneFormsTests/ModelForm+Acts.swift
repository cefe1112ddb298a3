import FieldstoneFields
import FieldstoneForms

extension ModelForm {
  // MARK: - Items

  var items: [Item] { fields[Self.tags].now.value.items ?? [] }

  func itemText(_ item: Item) -> String {
    fields[Self.tags].now.itemDrafts[item.id] ?? "\(item.value)"
  }

  /// Changes the items, and what was typed for them, as one set.
  private mutating func edit(
    from before: Snapshot, _ change: (inout [Item]) -> Void
  ) {
    var items = items
    change(&items)
    store(Value(items: items), in: Self.tags)
    let values = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.value) })
    let old = Dictionary(
      uniqueKeysWithValues: (before.value.items ?? []).map { ($0.id, $0.value) })
    fields[Self.tags].now.itemDrafts = fields[Self.tags].now.itemDrafts.filter { id, text in
      guard let value = values[id] else { return false }
      return Int(text).map { $0 == value } ?? (old[id] == value)
    }
    changed(Self.tags, from: before, in: nextDelivery())
  }

  mutating func type(_ text: String, at index: Int) {
    let item = items[index]
    if text == itemText(item) { return }
    let before = fields[Self.tags].now
    guard let value = Int(text) else {
      fields[Self.tags].now.itemDrafts[item.id] = text
      return changed(Self.tags, from: before, in: nil)
    }
    fields[Self.tags].now.itemDrafts[item.id] = "\(value)" == text ? nil : text
    edit(from: before) { $0[index].value = value }
  }

  mutating func replace(at index: Int, with value: Int) {
    edit(from: fields[Self.tags].now) { $0[index].value = value }
  }

  mutating func append(_ value: Int) {
    lastItem += 1
    let item = Item(id: lastItem, value: value)
    edit(from: fields[Self.tags].now) { $0.append(item) }
  }

  mutating func remove(at index: Int, byCode: Bool) {
    let before = fields[Self.tags].now
    if !byCode { fields[Self.tags].touchedItems.remove(items[index].id) }
    edit(from: before) { $0.remove(at: index) }
  }

  mutating func move(from source: Int, to destination: Int) {
    edit(from: fields[Self.tags].now) { $0.insert($0.remove(at: source), at: destination) }
  }

  mutating func touch(at index: Int) {
    fields[Self.tags].touchedItems.insert(items[index].id)
    fields[Self.tags].isTouched = true
  }

  // MARK: - Focus

  mutating func moveFocus(to field: Int?) {
    guard field != focus else { return }
    let left = focus
    focus = field
    session += 1
    if let left { leave(left) }
  }

  mutating func leave(_ field: Int) {
    fields[field].isTouched = true
    if let draft = fields[field].now.draft, !Self.isUnreadable(draft, in: field) {
      fields[field].now.draft = nil
    }
    fields[field].now.itemDrafts = fields[field].now.itemDrafts.filter { Int($0.value) == nil }
    if timing == .onBlur || mayValidate(field) && fields[field].found == nil {
      askRule(about: field)
      validate(field)
    }
  }

  // MARK: - History

  mutating func record(_ step: Step, in delivery: Int?) {
    undone = []
    if limit == 0 { return }
    let hasFocus = focus == step.field
    if let last = done.last,
      delivery != nil && last.delivery == delivery || hasFocus && last.session == session
    {
      var edit = done.removeLast()
      if let same = edit.steps.firstIndex(where: { $0.field == step.field }) {
        edit.steps[same].after = step.after
      } else {
        edit.steps.append(step)
      }
      edit.delivery = delivery ?? edit.delivery
      edit.steps.removeAll { $0.before == $0.after }
      if !edit.steps.isEmpty { done.append(edit) }
    } else {
      done.append(Edit(steps: [step], session: hasFocus ? session : nil, delivery: delivery))
      if done.count > limit { done.removeFirst() }
    }
  }

  mutating func undo() -> Bool {
    guard let edit = done.popLast() else { return false }
    undone.append(edit)
    restore(edit.steps.reversed().map { ($0.field, $0.before) })
    return true
  }

  mutating func redo() -> Bool {
    guard let edit = undone.popLast() else { return false }
    done.append(edit)
    restore(edit.steps.map { ($0.field, $0.after) })
    return true
  }

  private mutating func restore(_ snapshots: [(Int, Snapshot)]) {
    session += 1
    _ = nextDelivery()
    let name = fields[Self.name].now.value
    for (field, snapshot) in snapshots {
      store(snapshot.value, in: field)
      fields[field].now = snapshot
    }
    var followers = snapshots.map(\.0)
    // A twin without a value of its own to have back follows the name.
    if !followers.contains(Self.twin), !name.isAs(fields[Self.name].now.value) {
      let before = fields[Self.twin].now.value
      store(fields[Self.name].now.value, in: Self.twin)
      if before != fields[Self.twin].now.value { followers.append(Self.twin) }
    }
    for field in followers {
      fields[field].reported = [:]
      askRule(about: field)
      if fields[field].wasValidated || mayValidate(field) { validate(field) }
    }
  }

  // MARK: - The whole form

  mutating func reset() {
    session += 1
    let before = fields.map(\.now)
    for field in fields.indices {
      store(fields[field].baseline, in: field)
      fields[field].now = Snapshot(value: fields[field].baseline)
    }
    let steps = fields.indices.filter { before[$0] != fields[$0].now }.map {
      Step(field: $0, before: before[$0], after: fields[$0].now)
    }
    if !steps.isEmpty {
      undone = []
      if limit > 0 { done.append(Edit(steps: steps, session: nil, delivery: nil)) }
      if done.count > limit { done.removeFirst() }
    }
    session += 1
    wasSubmitted = false
    phase = .editing
    formReports = [:]
    (ruleFails, ruleWasAsked) = (false, false)
    for field in fields.indices {
      let entry = fields[field]
      fields[field] = Entry(now: entry.now, baseline: entry.baseline)
    }
  }

  mutating func rebaseline() {
    for field in fields.indices { fields[field].baseline = fields[field].now.value }
  }

  mutating func report(_ issues: [(key: Int?, text: String)], from source: String) {
    for field in fields.indices { fields[field].reported[source] = nil }
    formReports[source] = nil
    for (key, text) in issues {
      if let key { fields[key].reported[source] = text } else { formReports[source] = text }
    }
  }

  // MARK: - Submitting

  var isInvalid: Bool { fields.indices.contains { state($0) == "invalid" } }

  mutating func beginSubmit() {
    phase = .validating
    wasSubmitted = true
    session += 1
    askRule()
    for field in fields.indices {
      fields[field].isTouched = true
      // Bad answers are asked for again.
      if fields[field].answer == .bad { fields[field].answer = .none }
      validate(field, asks: false)
    }
    // Nobody is asked about a form that is wrong anyhow.
    if !isInvalid { validate(Self.code) }
  }

  /// Whether it goes on waiting for an answer.
  var isWaiting: Bool { phase == .validating && isAsking }

  /// Whether there is a question that has no answer yet.
  var isAsking: Bool {
    fields[Self.code].answer == .pending
      && !answerable.contains(fields[Self.code].now.value.text ?? "")
  }

  mutating func beginSending() {
    phase = .submitting
    sent = fields.map(\.now.value)
  }

  mutating func succeed() {
    phase = .submitted
    formReports = [:]
    wasSubmitted = false
    ruleWasAsked = ruleFails
    for field in fields.indices {
      fields[field].reported = [:]
      fields[field].baseline = sent[field]
      fields[field].isEdited =
        hasUnreadable(field) || !fields[field].now.value.looks(like: sent[field])
      fields[field].isTouched = false
      fields[field].touchedItems = []
      fields[field].wasValidated = false
      if isModified(field) { phase = .editing }
    }
    (done, undone) = ([], [])
    session += 1
  }

  mutating func reject(_ issues: [(key: Int?, text: String)]) {
    let current = issues.filter { key, _ in
      key.map { !hasUnreadable($0) && fields[$0].now.value.looks(like: sent[$0]) } ?? true
    }
    report(current, from: "server")
    fail()
  }

  mutating func fail() {
    phase = .editing
    let wrong = fields.indices.filter { !codes($0).isEmpty }
    if let first = wrong.first { moveFocus(to: first) }
    if !wrong.isEmpty || !formReports.isEmpty { announcementCount += 1 }
  }
}
