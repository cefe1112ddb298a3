/// Changes that wait for their turn; made when one has to wait for the first time.
@usableFromInline
final class FieldQueue<Value: Equatable & Sendable>: FieldDeliverer {
  @exclusivity(unchecked) @usableFromInline var changes = FieldFIFO<ReadableField<Value>.Change>()

  @inlinable
  init() {
    super.init { field, context in
      // The field itself makes the deliverer, and does not share it.
      let field = unsafeDowncast(field, to: ReadableField<Value>.self)
      guard let deliverer = field.deliverer else { return }
      let next = deliverer._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: FieldQueue<Value>.self).changes.popFirst()
      }
      guard let (change, isChange) = next else { return }
      field.deliver(change, isChange: isChange, in: context)
    }
  }
}

/// A short queue: most of the time it holds one element, without an array.
@usableFromInline
struct FieldFIFO<Element> {
  @usableFromInline var first: (Element, isChange: Bool)?
  @usableFromInline var rest: [(Element, isChange: Bool)] = []

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func append(_ element: Element, isChange: Bool) {
    // Where there is no first one there is no other.
    if first == nil {
      first = (element, isChange)
    } else {
      // By its address: what is a parameter of a call and as large as a change is kept in memory,
      // also on the ways that never make the call, and copied from there. To copy what was written
      // just before costs a set five nanoseconds.
      var last = element
      appendToRest(&last, isChange)
    }
  }

  @inlinable @inline(never)
  mutating func appendToRest(_ element: inout Element, _ isChange: Bool) {
    rest.append((element, isChange))
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
