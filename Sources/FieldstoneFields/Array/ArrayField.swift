public import FieldstoneCore

prefix operator *

/// A field of several values, described by an inner field for one. (Seed: MagneticFields'
/// `ArrayField`.)
///
/// ```swift
/// let tags = ArrayField(Field<String>("Tag"), name: "Tags")
/// tags.append("alpine")
/// ```
///
/// Its value is an array, and each item has an identity. The identity stays with the item when
/// others are inserted or removed, when it moves, and when its value is replaced.
///
/// When a whole array is assigned, as many common items as possible keep their identity, in order;
/// equal items may occur several times. Assigning costs O(n log n) where items are `Hashable`, and
/// O(n) where little but the beginning and the end is the same. Items that are not `Hashable` are
/// compared with each other. Beyond a million comparisons, all items between the first and the last
/// difference get new identities.
public final class ArrayField<Element: Equatable & Sendable>: Field<[Element]> {
  /// The field that describes each item: its rules and its transformers.
  public let element: Field<Element>

  /// The identities of the items, in their order.
  package private(set) var identities: [FieldItemID] = []

  /// The identities of an edit, until its values are stored.
  private var pendingEdit: (identities: [FieldItemID], items: EditedItems)?

  /// The items whose values an edit may have changed; all others keep their results.
  package enum EditedItems {
    /// None of them: one moved, and those between made room for it.
    case moved(from: Int, to: Int)
    /// This one was added.
    case added(FieldItemID, at: Int)
    /// This one was removed.
    case removed(FieldItemID)
    /// This one may have another value.
    case replaced(FieldItemID, at: Int)
    /// Any of them: each is compared.
    case any

    /// The value of the replaced item, in an array before or after that.
    fileprivate func replacedItem(of values: [Element]?) -> Element? {
      if case .replaced(_, let place) = self { values?[place] } else { nil }
    }
  }

  /// Makes a field of several values.
  ///
  /// - Parameters:
  ///   - element: the inner field for each item; it provides the default name, key and order.
  ///   - name: the name that people read.
  ///   - key: the key in dictionaries and JSON.
  ///   - value: the items it is loaded with; with nil, its value is not known yet.
  ///   - order: its position among other fields, lower first.
  ///   - time: the source of its timestamps.
  public init(
    _ element: Field<Element>, name: String? = nil, key: String? = nil, value: [Element]? = nil,
    order: Int? = nil, time: TimeSource? = nil
  ) {
    self.element = element
    super.init()
    flags.insert(.hasItems)
    let details = ensureDetails()
    details.name = name ?? element.details?.name
    // If neither has a key, the key is the name, which may be the field's own.
    details.key = key ?? element.details?.key
    details.order = order ?? element.order
    details.time = time ?? element.details?.time
    if let value { self.value = value }
  }

  /// The items, each with its identity; empty while the value is not known.
  ///
  /// O(n).
  public var items: [FieldItem<Element>] {
    zip(identities, value ?? []).map { FieldItem(id: $0, value: $1) }
  }

  /// The number of items.
  public var count: Int { value?.count ?? 0 }

  /// Changes values and identities together, as one set.
  ///
  /// It costs as much as the change if the set is unheard, and O(n) otherwise.
  package func edit(
    _ items: EditedItems, origin: ChangeOrigin = .code,
    _ change: (inout [Element], inout [FieldItemID]) -> Void
  ) {
    if isUnheard { return editInPlace(items, change) }
    var (values, edited) = (storage ?? [], identities)
    change(&values, &edited)
    pendingEdit = (edited, items)
    set(values, origin: origin)
  }

  /// Edits without a copy of the old array, which nothing needs.
  private func editInPlace(
    _ items: EditedItems, _ change: (inout [Element], inout [FieldItemID]) -> Void
  ) {
    let replaced = items.replacedItem(of: storage)
    var values = storage.take() ?? []
    change(&values, &identities)
    storage = values
    noteUnheardEdit(isChange: isChange(items, replacing: replaced))
    forgetIssues(of: items, replacing: replaced)
  }

  /// Whether an edit has changed the value; only the items that it concerns are compared.
  private func isChange(_ items: EditedItems, replacing old: Element?) -> Bool {
    switch items {
    case .added, .removed, .any: true
    case .replaced: !isSame(old, items.replacedItem(of: storage))
    // A move among equal items changes nothing.
    case .moved(let source, let destination):
      (min(source, destination)..<max(source, destination)).contains {
        !isSame(storage?[$0], storage?[$0 + 1])
      }
    }
  }

  /// Sets values together with their earlier identities.
  package func set(_ values: [Element]?, identities: [FieldItemID], origin: ChangeOrigin) {
    pendingEdit = (identities, .any)
    set(values, origin: origin)
  }

  override func valueWasReplaced(_ old: [Element]?) {
    let before = identities
    // Between an edit and its values, what Observation calls may have set other ones.
    if let edit = pendingEdit.take(), edit.identities.count == storage?.count ?? 0 {
      identities = edit.identities
      if case .any = edit.items {
        forgetIssues(replacing: old ?? [], before)
      } else {
        forgetIssues(of: edit.items, replacing: edit.items.replacedItem(of: old))
      }
    } else {
      let fresh = identifyItems(of: storage ?? [], replacing: old ?? [])
      forgetIssues(andCheck: fresh)
    }
  }

  /// Keeps the identities of items that are in both arrays, and gives the others new ones.
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
    let wasChecked = validation?.status != .unknown
    let wasAsked = validation?.asyncStatus != .unknown
    let isChange = super.finishBatch(from: snapshot)
    // Equal values, and their results, may belong to other items now.
    if let validation, identities != identities(in: snapshot) {
      validation.uncheckedItems.insertAll()
      if !isChange {
        validation.forgetItems(but: identities, wasChecked: wasChecked, wasAsked: wasAsked)
      }
    }
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

/// Makes an array field from the field that describes each item.
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
