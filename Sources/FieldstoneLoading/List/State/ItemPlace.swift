/// Where in a list an item is inserted.
public indirect enum ItemPlace<ID> {
  // Indirect, so that it has one size for all ids: its code is then not generic, and small.

  /// Before all others.
  case start
  /// After all others that are loaded.
  case end
  /// Before the item with an id.
  case before(ID)
  /// After the item with an id.
  case after(ID)
}

extension ItemPlace: Sendable where ID: Sendable {}
extension ItemPlace: Equatable where ID: Equatable {}
extension ItemPlace: Hashable where ID: Hashable {}
