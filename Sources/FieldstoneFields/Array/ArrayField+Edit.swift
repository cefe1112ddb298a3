public import FieldstoneCore

extension ArrayField {
  /// Adds an item at the end; an unknown value counts as an empty array.
  ///
  /// O(1) amortised if the field has no observers and no batch is open, otherwise O(n).
  ///
  /// - Returns: the item's identity.
  @discardableResult
  public func append(_ value: Element) -> FieldItemID {
    let identity = FieldItemID()
    edit(.added(identity, at: identities.count)) { values, identities in
      values.append(value)
      identities.append(identity)
    }
    return identity
  }

  /// Inserts an item before the one at an index, or at the end for the count.
  ///
  /// O(n).
  ///
  /// - Returns: the item's identity.
  /// - Throws: ``FieldItemError/indexOutOfRange(_:count:field:)``.
  @discardableResult
  public func insert(_ value: Element, at index: Int) throws(FieldItemError) -> FieldItemID {
    try check(index, upTo: count)
    let identity = FieldItemID()
    edit(.added(identity, at: index)) { values, identities in
      values.insert(value, at: index)
      identities.insert(identity, at: index)
    }
    return identity
  }

  /// Removes the item at an index.
  ///
  /// O(n).
  ///
  /// - Returns: the item's value.
  /// - Throws: ``FieldItemError/indexOutOfRange(_:count:field:)``.
  @discardableResult
  public func remove(at index: Int) throws(FieldItemError) -> Element {
    try check(index, upTo: count - 1)
    var removed: Element?
    edit(.removed(identities[index])) { values, identities in
      removed = values.remove(at: index)
      identities.remove(at: index)
    }
    guard let removed else { throw .unknownItem(field: name) }
    return removed
  }

  /// Removes an item by its identity.
  ///
  /// O(n).
  ///
  /// - Returns: the item's value.
  /// - Throws: ``FieldItemError/unknownItem(field:)``.
  @discardableResult
  public func remove(_ identity: FieldItemID) throws(FieldItemError) -> Element {
    try remove(at: index(of: identity))
  }

  /// Removes the first item with a value.
  ///
  /// O(n).
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func removeFirst(_ value: Element) -> Bool {
    guard let index = storage?.firstIndex(where: { isSame($0, value) }) else { return false }
    edit(.removed(identities[index])) { values, identities in
      values.remove(at: index)
      identities.remove(at: index)
    }
    return true
  }

  /// Moves an item to another index, its index after the move; it keeps its identity.
  ///
  /// O(n).
  ///
  /// - Throws: ``FieldItemError/indexOutOfRange(_:count:field:)``.
  public func move(from source: Int, to destination: Int) throws(FieldItemError) {
    try check(source, upTo: count - 1)
    try check(destination, upTo: count - 1)
    edit(.moved(from: source, to: destination)) { values, identities in
      values.insert(values.remove(at: source), at: destination)
      identities.insert(identities.remove(at: source), at: destination)
    }
  }

  /// Replaces the value of the item at an index; the item keeps its identity.
  ///
  /// O(1) if the field has no observers and no batch is open, otherwise O(n).
  ///
  /// - Throws: ``FieldItemError/indexOutOfRange(_:count:field:)``.
  public func replace(at index: Int, with value: Element) throws(FieldItemError) {
    try check(index, upTo: count - 1)
    edit(.replaced(identities[index], at: index)) { values, _ in values[index] = value }
  }

  /// Replaces the value of an item; the item keeps its identity.
  ///
  /// O(n).
  ///
  /// - Throws: ``FieldItemError/unknownItem(field:)``.
  public func replace(_ identity: FieldItemID, with value: Element) throws(FieldItemError) {
    try replace(at: index(of: identity), with: value)
  }

  /// The index of an item.
  ///
  /// O(n).
  ///
  /// - Throws: ``FieldItemError/unknownItem(field:)``.
  public func index(of identity: FieldItemID) throws(FieldItemError) -> Int {
    guard let index = identities.firstIndex(of: identity) else { throw .unknownItem(field: name) }
    return index
  }

  /// The value of an item, or nil if the field has no such item.
  ///
  /// O(n).
  public subscript(identity: FieldItemID) -> Element? {
    guard let index = identities.firstIndex(of: identity) else { return nil }
    return storage?[index]
  }

  private func check(_ index: Int, upTo last: Int) throws(FieldItemError) {
    guard index >= 0, index <= last else {
      throw .indexOutOfRange(index, count: count, field: name)
    }
  }
}

/// An error in an edit of an ``ArrayField``; the field stays as it was.
public enum FieldItemError: DescribedError, Hashable {
  /// There is no item at that index.
  case indexOutOfRange(Int, count: Int, field: String)
  /// The item was removed, or never was in this field.
  case unknownItem(field: String)

  /// The problem and its remedy.
  public var message: String {
    switch self {
    case .indexOutOfRange(let index, let count, let field):
      "\(Self.name(field)) has \(count) item\(count == 1 ? "" : "s"), so there is no place "
        + "\(index); use an index from 0 on and below its count, or for an insert the count itself."
    case .unknownItem(let field):
      "The item is not in \(Self.name(field)) any more; look its identity up in `items`."
    }
  }

  private static func name(_ field: String) -> String {
    field.isEmpty ? "The array field" : "The array field “\(field)”"
  }
}
