public import FieldstoneCore

prefix operator *

/// A field of several values, described by a field of one. (Seed: MagneticFields' `ArrayField`.)
///
/// ```swift
/// let tags = ArrayField(Field<String>("Tag"), name: "Tags")
/// tags.append("alpine")
/// ```
///
/// It is a field whose value is an array, and each item has an identity: it stays with the item
/// when others are inserted or removed, when it moves, and when its value is replaced. When a whole
/// array is assigned, items that are in both keep their identity, in order: as many as can; equal
/// items may be there several times. Assigning costs O(n log n) where items are `Hashable`, and
/// O(n) where little but the beginning and the end is the same. Items that are not `Hashable` are
/// compared with each other; where that is more than a million comparisons, those between the
/// first and the last difference get new identities.
public final class ArrayField<Element: Equatable & Sendable>: Field<[Element]> {
  /// The field that describes each item: its rules and its transformers.
  public let element: Field<Element>

  /// The identities of the items, in their order.
  package private(set) var identities: [FieldItemID] = []

  /// The edited identities, until the value is stored.
  private var pendingEdit: (identities: [FieldItemID], items: EditedItems)?

  /// The items whose values an edit may have changed; all others keep what is known of them.
  package enum EditedItems {
    /// None of them: they only move.
    case none
    /// This one is new.
    case added(FieldItemID, at: Int)
    /// This one is gone.
    case removed(FieldItemID)
    /// This one may have another value.
    case replaced(FieldItemID, at: Int)
    /// Any of them: each is looked at.
    case any
  }

  /// Makes a field of several values.
  ///
  /// - Parameters:
  ///   - element: what holds for each item; name, key and order are taken from it unless given.
  ///   - name: what people call it.
  ///   - key: what it is called in dictionaries and JSON.
  ///   - value: the items it is loaded with; nothing is known when it is nil.
  ///   - order: its place among other fields, lower first.
  ///   - time: where its timestamps come from.
  public init(
    _ element: Field<Element>, name: String? = nil, key: String? = nil, value: [Element]? = nil,
    order: Int? = nil, time: TimeSource? = nil
  ) {
    self.element = element
    super.init()
    flags.insert(.hasItems)
    let details = ensureDetails()
    details.name = name ?? element.details?.name
    // Where neither has one, the key is the name, which may be the field's own.
    details.key = key ?? element.details?.key
    details.order = order ?? element.order
    details.time = time ?? element.details?.time
    if let value { self.value = value }
  }

  /// The items, each with its identity; none while nothing is known.
  ///
  /// O(n).
  public var items: [FieldItem<Element>] {
    zip(identities, value ?? []).map { FieldItem(id: $0, value: $1) }
  }

  /// How many items there are.
  public var count: Int { value?.count ?? 0 }

  /// Changes values and identities together, as one set.
  ///
  /// It costs what the change costs where nothing hears of the set, and O(n) otherwise.
  package func edit(
    _ items: EditedItems, origin: ChangeOrigin = .code,
    _ change: (inout [Element], inout [FieldItemID]) -> Void
  ) {
    switch items {
    case .added, .removed:
      if isUnheard { return editInPlace(items, change) }
    case .none, .replaced, .any: break
    }
    var (values, edited) = (storage ?? [], identities)
    change(&values, &edited)
    pendingEdit = (edited, items)
    set(values, origin: origin)
  }

  /// Adds or removes an item without a copy of the array as it was, which nothing asks for.
  private func editInPlace(
    _ items: EditedItems, _ change: (inout [Element], inout [FieldItemID]) -> Void
  ) {
    var values = storage.take() ?? []
    change(&values, &identities)
    storage = values
    noteUnheardChange()
    forgetIssues(of: items, replacing: [])
  }

  /// Sets values with the identities that they had once.
  package func set(_ values: [Element]?, identities: [FieldItemID], origin: ChangeOrigin) {
    pendingEdit = (identities, .any)
    set(values, origin: origin)
  }

  override func valueWasReplaced(_ old: [Element]?) {
    let before = identities
    if let edit = pendingEdit.take() {
      identities = edit.identities
      if case .any = edit.items {
        forgetIssues(replacing: old ?? [], before)
      } else {
        forgetIssues(of: edit.items, replacing: old ?? [])
      }
    } else {
      let fresh = identifyItems(of: storage ?? [], replacing: old ?? [])
      forgetIssues(andCheck: fresh)
    }
  }

  /// Lets items that are in both arrays keep their identity, and gives the others new ones.
  ///
  /// - Returns: the places of the others.
  private func identifyItems(of new: [Element], replacing old: [Element]) -> [Range<Int>] {
    let shorter = min(old.count, new.count)
    var prefix = 0
    while prefix < shorter, isSame(old[prefix], new[prefix]) { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix,
      isSame(old[old.count - 1 - suffix], new[new.count - 1 - suffix])
    {
      suffix += 1
    }
    let before = identities
    var fresh: [Range<Int>] = []
    var now: [FieldItemID] = []
    now.reserveCapacity(new.count)
    now += before.prefix(prefix)
    func makeFresh(upTo place: Int) {
      guard now.count < place else { return }
      fresh.append(now.count..<place)
      now.append(contentsOf: FieldItemID.fresh(place - now.count))
    }
    let pairs = ItemMatch.pairs(
      old[prefix..<(old.count - suffix)], new[prefix..<(new.count - suffix)])
    for pair in pairs {
      makeFresh(upTo: pair.new)
      now.append(before[pair.old])
    }
    makeFresh(upTo: new.count - suffix)
    now += before.suffix(suffix)
    identities = now
    return fresh
  }

  override func snapshot() -> FieldSnapshot? {
    var snapshot = super.snapshot()
    snapshot?.own = identities
    return snapshot
  }

  override func restore(_ snapshot: FieldSnapshot) {
    super.restore(snapshot)
    identities = identities(in: snapshot)
  }

  override func finishBatch(from snapshot: FieldSnapshot) -> Bool {
    let isChange = super.finishBatch(from: snapshot)
    // Equal values, and what is known of them, may lie at other items now.
    if identities != identities(in: snapshot) { validation?.uncheckedItems.insertAll() }
    return isChange
  }

  private func identities(in snapshot: FieldSnapshot) -> [FieldItemID] {
    snapshot.own as? [FieldItemID] ?? []
  }
}

extension ArrayField: ItemTransformingField {
  func transformerOfItems(named name: String?) -> FieldTransformer<[Element]>? {
    if let own = ownTransformer(named: name) { return own }
    if name != nil, let inner = element.ownTransformer(named: name) { return .array(of: inner) }
    if let own = ownTransformer(named: nil) { return own }
    return element.transformer.map { .array(of: $0) }
  }
}

/// Makes a field of several values from one that describes each of them.
public prefix func * <Element>(element: Field<Element>) -> ArrayField<Element> {
  ArrayField(element)
}

/// An item of an ``ArrayField``: a value with an identity.
public struct FieldItem<Element> {
  /// The item's identity; it stays when the item moves and when its value is replaced.
  public let id: FieldItemID

  /// Its value.
  public let value: Element
}

extension FieldItem: Identifiable {}
extension FieldItem: Sendable where Element: Sendable {}
extension FieldItem: Equatable where Element: Equatable {}
extension FieldItem: Hashable where Element: Hashable {}
