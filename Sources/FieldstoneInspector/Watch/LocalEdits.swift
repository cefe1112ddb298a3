#if INSPECTOR
  import FieldstoneCore
  import FieldstoneLoading

  /// The values around the local edits of a watched list, by their item.
  @MainActor
  final class LocalEdits<Item: Identifiable & Sendable> where Item.ID: Sendable {
    /// The values of one item: as the source has it, and as it is shown.
    struct Values: Sendable {
      /// The number of the item's last edit.
      var number: Int
      var old: Item?
      var new: Item?
    }

    /// The number of items whose values are kept.
    static var limit: Int { 1_000 }

    private(set) var values: [Item.ID: Values] = [:]
    private var last = 0

    /// Notes an edit.
    ///
    /// - Parameter isWaiting: whether an item has an edit that no page has replaced.
    func note(_ edit: ListEdit<Item>, isWaiting: (Item.ID) -> Bool) {
      last += 1
      let known = edit.isFirst ? nil : values[edit.id]
      values[edit.id] = Values(number: last, old: known.map(\.old) ?? edit.old, new: edit.new)
      guard values.count > 2 * Self.limit else { return }
      values = values.filter { isWaiting($0.key) }
      guard values.count > Self.limit else { return }
      let newest = values.sorted { $0.value.number > $1.value.number }.prefix(Self.limit)
      values = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
  }

  extension ValueReader {
    /// The difference of two values on one line: what they differ in, old → new.
    ///
    /// - Parameter name: the name of the watched object, which may hide them.
    func change(from old: Any?, to new: Any?, named name: String, length: Int = 240) -> String {
      if redaction.hides(name) { return RedactedJSON.dots + " → " + RedactedJSON.dots }
      guard let old, let new else {
        return part(old, length) + " → " + part(new, length)
      }
      var (before, after) = (lines(of: old), lines(of: new))
      while let line = before.first, line == after.first {
        before.removeFirst()
        after.removeFirst()
      }
      while let line = before.last, line == after.last {
        before.removeLast()
        after.removeLast()
      }
      // They differ in what is hidden or cut.
      if before.isEmpty, after.isEmpty { return line(of: new, length: length) }
      func joined(_ lines: [Substring]) -> String {
        let text = lines.joined(separator: ", ")
        if text.isEmpty { return "nothing" }
        return text.count > length ? text.prefix(length - 1) + "…" : text
      }
      return joined(before) + " → " + joined(after)
    }

    private func part(_ value: Any?, _ length: Int) -> String {
      value.map { line(of: $0, length: length) } ?? "nothing"
    }

    /// The lines of a value's text, without indents and without the commas between them.
    private func lines(of value: Any) -> [Substring] {
      text(of: value).split(separator: "\n").map { line in
        let line = line.drop { $0 == " " }
        return line.last == "," ? line.dropLast() : line
      }
    }
  }
#endif
