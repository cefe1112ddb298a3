/// The queued changes of a field; made when the first one has to wait.
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
    // Without a first element the rest is empty.
    if first == nil {
      first = (element, isChange)
    } else {
      // By reference: an argument as large as a change is written to memory even on paths that
      // never make the call, and copied from there. Copying what was just written costs a set five
      // nanoseconds.
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
    // Short: a field is set at most a hundred times within a delivery.
    if !rest.isEmpty { first = rest.removeFirst() }
    return element
  }
}

extension FieldFIFO {
  var isEmpty: Bool { first == nil }
}
