/// A thread-safe list of recorded elements, in order.
///
/// ```swift
/// let heard = Recorder<String?>()
/// let registration = field.observe { heard.record($0.new) }  // now, and with each change
/// field.value = "a"
/// #expect(heard.elements == [nil, "a"])
/// ```
public final class Recorder<Element: Sendable>: Sendable {
  private let state = Watched<[Element]>([])

  /// Makes an empty recorder.
  public init() {}

  /// The recorded elements.
  public var elements: [Element] { state.value }

  /// The number of recorded elements.
  public var count: Int { state.value.count }

  /// Records an element.
  public func record(_ element: Element) {
    state.update { $0.append(element) }
  }

  /// Removes all elements and returns them.
  @discardableResult
  public func removeAll() -> [Element] {
    state.update { elements in
      defer { elements = [] }
      return elements
    }
  }

  /// Waits until this many elements are recorded, and returns them.
  ///
  /// If the task is cancelled, for example by a test's time limit, it returns the present elements
  /// at once.
  @discardableResult
  public func elements(atLeast count: Int) async -> [Element] {
    try? await state.waitUnlessCancelled { $0.count >= count }
    return elements
  }
}
