import Fieldstone

/// A field with observers.
final class ObservedField {
  private let field = Field<Int>()
  private let registrations: [Registration]
  private var round = 0

  init(_ tallies: [Tally]) {
    let field = field
    registrations = tallies.map { tally in field.observe { tally.add($0.new ?? 0) } }
  }

  @inline(never)
  func set() {
    round &+= 1
    field.value = round
  }
}

/// A field with observers that belong to an owner each.
final class OwnedField {
  private let field = Field<Int>()
  private let owners: [Tally]
  private var round = 0

  init(_ owners: [Tally]) {
    self.owners = owners
    for owner in owners { field.observe(owner: owner) { $0.add($1.new ?? 0) } }
  }

  @inline(never)
  func set() {
    round &+= 1
    field.value = round
  }
}

/// Two fields that follow each other.
final class FieldPair {
  private let left = Field<Int>()
  private let right = Field<Int>()
  private var round = 0

  init() { left <--> right }

  @inline(never)
  func set() {
    round &+= 1
    if round.isMultiple(of: 2) { left.value = round } else { right.value = round }
  }
}

/// Fields each of which follows the one before.
final class FieldChain {
  private let fields: [Field<Int>]
  private var round = 0

  init(_ count: Int) {
    fields = (0..<count).map { _ in Field<Int>() }
    for (field, next) in zip(fields, fields.dropFirst()) { field --> next }
  }

  @inline(never)
  func set() {
    round &+= 1
    fields[0].value = round
  }
}
