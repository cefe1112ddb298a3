/// A short queue: most of the time it holds one element, without an array.
@usableFromInline
struct FieldFIFO<Element> {
  @usableFromInline var first: (Element, isChange: Bool)?
  @usableFromInline var rest: [(Element, isChange: Bool)] = []

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ element: Element, isChange: Bool) {
    if first == nil, rest.isEmpty {
      first = (element, isChange)
    } else {
      rest.append((element, isChange))
    }
  }

  @inlinable
  mutating func popFirst() -> (Element, isChange: Bool)? {
    guard let element = first.take() else { return nil }
    // Short by nature: a field is set a hundred times within a delivery at the most.
    if !rest.isEmpty { first = rest.removeFirst() }
    return element
  }
}

extension FieldFIFO {
  var isEmpty: Bool { first == nil }
}
