import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import Testing

/// A way to break one promise of a journal.
struct BrokenJournal: CustomTestStringConvertible, Sendable {
  let promise: JournalConformanceError.Promise
  let testDescription: String
  /// Does it to a new journal.
  let damage: @Sendable (inout JournalMutant) -> Void

  init(
    _ promise: JournalConformanceError.Promise, _ description: String,
    damage: @escaping @Sendable (inout JournalMutant) -> Void
  ) {
    self.promise = promise
    testDescription = description
    self.damage = damage
  }

  static var all: [Self] {
    atWork + manyStarts + standings + ofPeople + pauses + limits + ofFamilies + deadlines
      + attributes + schedules + audits + reports + queries + coded + slots + texts
      + namesWithNUL + remains
  }
}
