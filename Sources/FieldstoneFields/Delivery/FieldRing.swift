/// The fields with queued changes, in the order of the changes.
///
/// References are counted by hand: one retain when a field is added, one release after it is
/// removed.
@usableFromInline
struct FieldRing {
  /// A field and its deliverer.
  @usableFromInline
  struct Entry {
    @usableFromInline let field: Unmanaged<AnyField>
    @usableFromInline let deliverer: Unmanaged<FieldDeliverer>

    @inlinable
    init(field: Unmanaged<AnyField>, deliverer: Unmanaged<FieldDeliverer>) {
      self.field = field
      self.deliverer = deliverer
    }
  }

  // Slots are reused, as there is mostly one entry or none.
  @usableFromInline var entries: [Entry] = []
  @usableFromInline var head = 0
  @usableFromInline var end = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { head == end }

  @inlinable
  mutating func append(_ field: Unmanaged<AnyField>, _ deliverer: Unmanaged<FieldDeliverer>) {
    let entry = Entry(field: field, deliverer: deliverer)
    if end < entries.count { entries[end] = entry } else { entries.append(entry) }
    end += 1
  }

  /// Removes the first entry; the caller releases its field.
  @inlinable
  mutating func popFirst() -> Entry? {
    if head == end { return nil }
    let entry = entries[head]
    head += 1
    if head == end {
      head = 0
      end = 0
      if entries.count > 1_024 { entries = [] }
    }
    return entry
  }
}

/// Delivers the queued changes of a field to its observers, whatever the type of its value.
///
/// A closure and not a method to override: methods of generic classes are not specialised when
/// they are called through the class, and cost many times as much.
@usableFromInline
class FieldDeliverer {
  @usableFromInline final let deliver: (AnyField, DeliveryContext) -> Void

  @inlinable
  init(deliver: @escaping (AnyField, DeliveryContext) -> Void) {
    self.deliver = deliver
  }
}
