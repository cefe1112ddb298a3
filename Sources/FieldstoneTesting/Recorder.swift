/// What happened, in order, written down from any thread.
///
/// ```swift
/// let heard = Recorder<String>()
/// field.observe { heard.record($0) }
/// #expect(heard.elements == ["a", "b"])
/// ```
public final class Recorder<Element: Sendable>: Sendable {
  private let state = Watched<[Element]>([])

  /// Makes an empty recorder.
  public init() {}

  /// What was recorded so far.
  public var elements: [Element] { state.value }

  /// How much was recorded so far.
  public var count: Int { state.value.count }

  /// Writes an element down.
  public func record(_ element: Element) {
    state.update { $0.append(element) }
  }

  /// Takes everything out and gives it back.
  @discardableResult
  public func removeAll() -> [Element] {
    state.update { elements in
      defer { elements = [] }
      return elements
    }
  }

  /// Waits until so many elements were recorded, and gives them.
  ///
  /// When the task is cancelled, as by the time limit of a test, it gives at once what there is.
  @discardableResult
  public func elements(atLeast count: Int) async -> [Element] {
    try? await state.waitUnlessCancelled { $0.count >= count }
    return elements
  }
}
