import FieldstoneDurable
import Foundation

extension ModelJournal {
  /// The earliest of all times, or what was answered, if that leaves out only optional ones.
  func nextDueAt(_ next: Date?, _ optional: [Date]) -> Date? {
    let times = ([next] + optional).compactMap(\.self)
    guard let answered else { return times.min() }
    if answered.nextDueAt == next { return next }
    return times.first { $0 == answered.nextDueAt && $0 <= next ?? .distantFuture } ?? times.min()
  }

  /// Whether the first of two due runs is given first.
  func comesFirst(_ one: (date: Date, index: Int), _ other: (date: Date, index: Int))
    -> Bool
  {
    func place(_ index: Int) -> Int {
      guard runs[index].worker != nil, let answered else { return 0 }
      return answered.runs.firstIndex(of: runs[index].id) ?? answered.runs.count
    }
    let (left, right) = ((one.date, place(one.index)), (other.date, place(other.index)))
    if left != right { return left < right }
    // Of runs that are due since the same moment, the one that was started first, or the smaller.
    let isByStart = isInDatabase && clock == .caller
    return isByStart ? one.index < other.index : runs[one.index].id < runs[other.index].id
  }
}
