// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Synchronization

/// Shows a view as far as tests need it: asks for bodies, follows changes, and acts as a person.
///
/// It lays nothing out and draws nothing. The views are asked again as a whole when anything has
/// changed that one of them has read.
@MainActor
public final class ViewHost<Root: View> {
  /// What a person has asked for and can't have.
  public struct Unreachable: Error, CustomStringConvertible {
    public let description: String
  }

  public private(set) var nodes: [ViewNode] = []
  private let root: Root
  private let signal: Signal
  private let graph: ViewGraph

  public init(_ root: Root) {
    self.root = root
    let signal = Signal()
    self.signal = signal
    graph = ViewGraph { signal.raise() }
    update(always: true)
  }

  /// Looks again until nothing changes any more, a hundred times at most.
  public func update() { update(always: false) }

  private func update(always: Bool) {
    var rounds = always ? 1 : 0
    while (signal.lower() || rounds == 1 && always) && rounds < 100 {
      rounds += 1
      graph.begin()
      nodes = withObservationTracking {
        root._nodes(Site(graph: graph, path: "", environment: EnvironmentValues()))
      } onChange: { [signal] in
        signal.raise()
      }
      nodes = nodes.flatMap(\.all)
      graph.end(nodes)
    }
  }

  /// Looks again at each change until a condition holds, or the task is cancelled.
  public func wait(until isReached: @MainActor (ViewHost) -> Bool) async {
    update()
    while !isReached(self), !Task.isCancelled {
      await signal.raised()
      update()
    }
  }

  // MARK: - What there is

  /// All texts, from the top down, joined by spaces.
  public var words: String { nodes.map(\.text).filter { !$0.isEmpty }.joined(separator: " ") }

  /// The nodes of a kind.
  public func all(_ kind: String) -> [ViewNode] { nodes.filter { $0.kind == kind } }

  /// The first node of a kind with a name; of any name where it is nil.
  public func find(_ kind: String, _ name: String? = nil) -> ViewNode? {
    nodes.first { $0.kind == kind && (name == nil || $0.name == name) }
  }

  /// What has the focus of the keyboard.
  public var focused: ViewNode? { nodes.first(where: \.isFocused) }

  /// What has the focus of assistive technology.
  public var spokenFocused: ViewNode? { nodes.first(where: \.isSpokenFocused) }

  /// What views were scrolled to, the last one last.
  public var scrolledTo: [AnyHashable] { graph.scrolledTo }

  private func reach(_ kind: String, _ name: String?) throws -> ViewNode {
    update()
    guard let node = find(kind, name) else {
      throw Unreachable(description: "There is no \(kind) “\(name ?? "")” in: \(words)")
    }
    guard node.isEnabled else {
      throw Unreachable(description: "The \(kind) “\(name ?? "")” is disabled.")
    }
    return node
  }

  // MARK: - What a person does

  /// Taps a button or a toggle.
  public func tap(_ kind: String, _ name: String? = nil) throws {
    try reach(kind, name).tapped?()
    update()
  }

  /// Taps beside the controls of what is called that.
  public func tapBeside(_ kind: String, _ name: String) throws {
    around(try reach(kind, name))?.tappedBeside?()
    update()
  }

  /// Whether a tap beside the controls of what is called that is taken.
  public func takesTapsBeside(_ kind: String, _ name: String) -> Bool {
    update()
    return find(kind, name).flatMap { around($0) } != nil
  }

  /// The innermost of what a node is in that takes taps.
  private func around(_ node: ViewNode) -> ViewNode? {
    nodes.last { $0.tappedBeside != nil && $0.all.contains { $0 === node } }
  }

  /// Pulls down what can be refreshed, and waits until it goes up again.
  public func pull() async throws {
    update()
    guard let refresh = nodes.compactMap(\.refreshed).first else {
      throw Unreachable(description: "Nothing can be pulled down.")
    }
    await refresh()
    update()
  }

  /// Puts a text into a field, in place of what is there, after giving it the focus.
  public func type(_ text: String, into name: String, kind: String = "TextField") throws {
    try focus(kind, name)
    try reach(kind, name).typed?(text)
    update()
  }

  /// Presses the return key in the field that has the focus.
  public func pressReturn() throws {
    update()
    guard let node = nodes.first(where: { $0.isFocused && $0.canBeFocused }) else {
      throw Unreachable(description: "No field has the focus.")
    }
    for action in node.submitted { action() }
    // As on a phone, the keyboard goes unless the action has moved it.
    if node.kind != "TextEditor", node.focus?.isFocused == true { graph.unfocus() }
    update()
  }

  /// Gives a field the focus.
  public func focus(_ kind: String, _ name: String) throws {
    let node = try reach(kind, name)
    if let link = node.focus { link.location.value = link.value }
    update()
  }

  /// Takes the focus away, as by putting the keyboard down.
  public func unfocus() {
    graph.unfocus()
    update()
  }

  /// Moves the focus of assistive technology to something that no view has named.
  public func unfocusSpeech() {
    graph.unfocusSpeech()
    update()
  }

  /// Picks a date.
  public func pick(_ date: Date, in name: String) throws {
    try reach("DatePicker", name).picked?(date)
    update()
  }

  /// Chooses an option of a picker by its name.
  public func choose(_ option: String, in name: String) throws {
    let node = try reach("Picker", name)
    guard let tag = node.options.first(where: { $0.words == option })?.tag else {
      throw Unreachable(description: "\(name) has no option “\(option)”.")
    }
    node.chosen?(tag)
    update()
  }
}

/// That something has changed.
final class Signal: Sendable {
  private struct State {
    var isRaised = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func raise() {
    let waiter = state.withLock { state in
      state.isRaised = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  func lower() -> Bool {
    state.withLock { state in
      defer { state.isRaised = false }
      return state.isRaised
    }
  }

  func raised() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isRaised = state.withLock { state in
          if !state.isRaised { state.waiter = continuation }
          return state.isRaised
        }
        if isRaised { continuation.resume() }
      }
    } onCancel: {
      raise()
    }
  }
}
