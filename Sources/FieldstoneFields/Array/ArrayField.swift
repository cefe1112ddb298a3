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
/// array is assigned, items that are in both keep their identity, in order; equal items may be
/// there several times. Assigning costs O(n) and the product of what differs on both sides; where
/// that is more than a million comparisons, what lies between the first and the last difference
/// gets new identities.
public final class ArrayField<Element: Equatable & Sendable>: Field<[Element]> {
  /// What holds for each item: how it is validated and transformed.
  public let element: Field<Element>

  /// The identities of the items, in their order.
  private(set) var identities: [FieldItemID] = []

  /// What an edit has made of the identities, until the value is stored.
  private var editedIdentities: [FieldItemID]?

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
    details.key = key ?? (name == nil ? element.details?.key : nil)
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
  func edit(
    origin: ChangeOrigin = .code, _ change: (inout [Element], inout [FieldItemID]) -> Void
  ) {
    var (values, edited) = (storage ?? [], identities)
    change(&values, &edited)
    set(values, identities: edited, origin: origin)
  }

  /// Sets values with the identities that they had once.
  func set(_ values: [Element]?, identities: [FieldItemID], origin: ChangeOrigin) {
    editedIdentities = identities
    set(values, origin: origin)
  }

  override func transformer(named name: String?) -> FieldTransformer<[Element]>? {
    if let own = ownTransformer(named: name) { return own }
    if name != nil, let inner = element.ownTransformer(named: name) { return .array(of: inner) }
    if let own = ownTransformer(named: nil) { return own }
    return element.transformer.map { .array(of: $0) }
  }

  override func identifyItems(replacing old: [Element]?) {
    let before = identities
    if let edited = editedIdentities.take() {
      identities = edited
    } else {
      identities = Self.identities(of: storage ?? [], replacing: old ?? [], identities)
    }
    keepIssues(of: old ?? [], before)
  }

  /// Items that are in both arrays keep their identity; the others get new ones.
  private static func identities(
    of new: [Element], replacing old: [Element], _ identities: [FieldItemID]
  ) -> [FieldItemID] {
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let shorter = min(old.count, new.count) - prefix
    let suffix = zip(old.reversed(), new.reversed()).prefix(shorter).prefix { $0 == $1 }.count
    let (oldMiddle, newMiddle) = (
      old[prefix..<(old.count - suffix)], new[prefix..<(new.count - suffix)]
    )
    var middle = identities[prefix..<(identities.count - suffix)]
    if oldMiddle.count * newMiddle.count <= mostComparisons {
      for change in newMiddle.difference(from: oldMiddle) {
        switch change {
        case .remove(let offset, _, _): middle.remove(at: middle.startIndex + offset)
        case .insert(let offset, _, _):
          middle.insert(FieldItemID(), at: middle.startIndex + offset)
        }
      }
    } else {
      middle = ArraySlice(newMiddle.map { _ in FieldItemID() })
    }
    return identities.prefix(prefix) + middle + identities.suffix(suffix)
  }

  /// How many comparisons an assignment is worth: they are in the square of what differs.
  private static var mostComparisons: Int { 1_000_000 }

  override var rules: FieldValidation? {
    elementRules.map(rulesFollowing) ?? details?.validation
  }

  override func checkItems() -> [FieldItemID: [FieldIssue]] { issuesByItem() }

  override var questions: [FieldCheck.Question] { super.questions + questionsOfItems }

  override var hasItemRules: Bool { elementRules?.isEmpty == false }

  override var hasAsyncItemRules: Bool { elementRules?.hasAsyncRules ?? false }

  override var issuesOfItems: [FieldIssue] { indexedIssuesOfItems }

  override func snapshot() -> FieldSnapshot? {
    var snapshot = super.snapshot()
    snapshot?.items = identities
    return snapshot
  }

  override func restore(_ snapshot: FieldSnapshot) {
    super.restore(snapshot)
    identities = snapshot.items
  }
}

/// Makes a field of several values from one that describes each of them.
public prefix func * <Element>(element: Field<Element>) -> ArrayField<Element> {
  ArrayField(element)
}
