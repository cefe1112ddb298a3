import FieldstoneLoading

extension ListModel.Reload {
  func hasPlace(of edit: ListModel.Edit) -> Bool {
    guard let neighbour = edit.neighbour else { return !fresh.rows.isEmpty }
    return counted.contains(neighbour) || fresh.rows.contains { $0.id == neighbour }
  }

  func note(_ edit: ListModel.Edit, shown: [ListRow]) {
    switch edit.change {
    case .update: break
    case .insert:
      let index = shown.firstIndex { $0.id == edit.id }!
      let earlier = trail.indices.filter { trail[$0].removal == nil }.prefix(index).last
      trail.insert(.init(id: edit.id, insert: edits.count), at: earlier.map { $0 + 1 } ?? 0)
    case .remove:
      let index = trail.firstIndex { $0.id == edit.id && $0.removal == nil }!
      trail[index].removal = edits.count
    }
    edits.append(edit)
  }

  /// Whether an edit was made before what the new pages have; nil if the list has nothing of it.
  func isBeforeItems(_ number: Int) -> Bool? {
    let first = fresh.rows.lazy.compactMap { row in
      self.trail.firstIndex { $0.id == row.id && $0.removal == nil }
        ?? self.trail.lastIndex { $0.id == row.id && $0.removal! >= self.earlierEditCount }
    }.first
    return first.map { first in
      trail.firstIndex { $0.insert == number || $0.removal == number }! < first
    }
  }

  private func isPrepended(_ neighbour: Int?) -> Bool {
    neighbour.map { fresh.prepended.contains($0) } ?? (fresh.edges[.previous]!.pageCount > 0)
  }

  /// The start of the list shows an insert that is counted before it, so what is before ends there.
  func lengthenStart(by edit: ListModel.Edit) {
    if edit.moved > 0 { counted.insert(edit.id) } else { counted.remove(edit.id) }
    fresh.edges[.previous]!.shift(by: -edit.moved, at: .previous)
    if fresh.edges[.previous]!.pageCount == 0 { fresh.startShift -= edit.moved }
  }

  func count(_ number: Int) {
    let edit = edits[number]
    edits[number].isCounted = true
    if isPrepended(edit.neighbour) {
      fresh.startShift += edit.moved
      fresh.prepended.insert(edit.id)
    }
    if edit.moved > 0 { counted.insert(edit.id) } else { counted.remove(edit.id) }
    fresh.edges[.next]!.shift(by: edit.moved, at: .next)
  }
}
