// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What outlives one look at the views: their state, and who is there.
@MainActor
final class ViewGraph {
  private var locations: [String: AnyObject] = [:]
  private var focuses: [String: FocusLocation] = [:]
  private var spokenFocuses: [String: FocusLocation] = [:]
  private var compared: [String: Any] = [:]
  private var ends: [String: () -> Void] = [:]
  private var present: Set<String> = []

  private var seen: Set<String> = []
  private var seenEnds: [String: () -> Void] = [:]
  private var actions: [() -> Void] = []

  private(set) var scrolledTo: [AnyHashable] = []
  private var rows: [AnyHashable] = []

  /// How many rows of a lazy container are in sight before it is scrolled.
  static let rowsInSight = 12

  func scroll(to id: AnyHashable) {
    scrolledTo.append(id)
    changed()
  }

  /// Whether a row is made: the first ones are, and those that were scrolled to.
  func isInSight(_ id: AnyHashable) -> Bool {
    if !rows.contains(id) { rows.append(id) }
    let isFirst = rows.firstIndex(of: id).map { $0 < Self.rowsInSight } ?? false
    return isFirst || scrolledTo.contains(id)
  }

  private let changed: () -> Void

  init(changed: @escaping () -> Void) { self.changed = changed }

  func location<Value>(at key: String, initial: Location<Value>) -> Location<Value> {
    seen.insert(key)
    if let known = locations[key] as? Location<Value> { return known }
    initial.changed = changed
    locations[key] = initial
    return initial
  }

  func focus(at key: String, initial: FocusLocation) -> FocusLocation {
    seen.insert(key)
    if let known = focuses[key] { return known }
    initial.changed = changed
    focuses[key] = initial
    return initial
  }

  func spokenFocus(at key: String, initial: FocusLocation) -> FocusLocation {
    seen.insert(key)
    if let known = spokenFocuses[key] { return known }
    initial.changed = changed
    spokenFocuses[key] = initial
    return initial
  }

  func present(
    _ path: String, appeared: (() -> Void)? = nil, disappeared: (() -> Void)? = nil
  ) {
    seen.insert(path)
    if !present.contains(path), let appeared { actions.append(appeared) }
    if let disappeared { seenEnds[path] = disappeared }
  }

  func compare<Value: Equatable>(
    _ value: Value, at path: String, initial: Bool, _ action: @escaping (Value, Value) -> Void
  ) {
    let key = "\(path)?"
    seen.insert(key)
    defer { compared[key] = value }
    // In two steps: nothing at all would pass for an optional value that is nil.
    if let known = compared[key] {
      if let old = known as? Value, old != value { actions.append { action(old, value) } }
    } else if initial {
      actions.append { action(value, value) }
    }
  }

  /// Called before the views are asked.
  func begin() {
    seen = []
    seenEnds = [:]
    actions = []
  }

  /// Called when they have answered: does what is due, and forgets who is gone.
  func end(_ nodes: [ViewNode]) {
    let gone = present.subtracting(seen)
    let ended = gone.compactMap { ends[$0] }
    present = seen
    ends = seenEnds
    for key in gone {
      locations[key] = nil
      focuses[key] = nil
      spokenFocuses[key] = nil
      compared[key] = nil
    }
    for action in ended + actions { action() }
    settleFocus(nodes)
  }

  /// A focus that no view can take is none.
  private func settleFocus(_ nodes: [ViewNode]) {
    for focus in focuses.values where focus.value != focus.none {
      let isTaken = nodes.contains { node in
        guard let link = node.focus, node.canBeFocused, node.isEnabled else { return false }
        return link.location === focus && link.isFocused
      }
      if !isTaken { focus.value = focus.none }
    }
  }

  /// Takes the focus of the keyboard from all.
  func unfocus() {
    for focus in focuses.values { focus.value = focus.none }
  }

  /// Takes the focus of assistive technology from all.
  func unfocusSpeech() {
    for focus in spokenFocuses.values { focus.value = focus.none }
  }
}
