#if INSPECTOR
  import Foundation

  /// The lines of a stage, with the differences from the previous stage.
  ///
  /// Of a long stage it has the lines around what differs, wherever that is.
  struct StageDifference {
    enum Change {
      case same
      case added
      case removed
      /// In place of equal lines that are not shown; the line says how many.
      case omitted
    }

    private(set) var lines: [(change: Change, line: JSONLine)] = []
    /// Whether lines were omitted that may differ.
    private(set) var isCut = false
    /// Whether the stages differ, also where that is not shown.
    private(set) var hasChanges = false

    /// The maximum number of lines shown per stage, but for a few around them.
    static let limit = 400
    /// The maximum number of bytes read per stage on a page of 50 stages, and of a stage that is
    /// reviewed.
    static let byteLimit = (ofMany: 64 << 10, reviewed: 256 << 10)
    /// The number of equal lines before and after what differs in a long stage.
    private static let context = 3

    private let redaction: RedactionRule

    /// Compares a stage with the previous one; nil for a first stage.
    ///
    /// Values that the rule hides are compared, and shown as dots. O(n) in the number of lines, and
    /// O(m · d) in those between the first and the last that differ, at most ``limit`` of each stage,
    /// and of the differing lines.
    ///
    /// - Parameter byteLimit: how many bytes of each stage are read.
    init(
      _ payload: Data, before: Data?, hiding redaction: RedactionRule,
      byteLimit: Int = Self.byteLimit.ofMany
    ) {
      self.redaction = redaction
      let new = JSONLine.lines(of: payload, limit: byteLimit, hiding: redaction)
      if payload.count > byteLimit { isCut = true }
      guard let before else {
        show(new[...].map { (.same, $0) })
        return
      }
      let old = JSONLine.lines(of: before, limit: byteLimit, hiding: redaction)
      if before.count > byteLimit { isCut = true }
      let isLong = max(new.count, old.count) > Self.limit
      let least = min(new.count, old.count)
      var (first, last) = (0, 0)
      if isLong {
        while first < least, new[first].isSame(as: old[first]) { first += 1 }
        while last < least - first, new[new.count - 1 - last].isSame(as: old[old.count - 1 - last])
        {
          last += 1
        }
      }
      let shown = compared(
        new[first..<(new.count - last)].prefix(Self.limit),
        old[first..<(old.count - last)].prefix(Self.limit))
      hasChanges = shown.contains { $0.change != .same } || isCut && payload != before
      if isLong, shown.isEmpty {
        show(new[...].map { (.same, $0) })
        return
      }
      omit(first - Self.context)
      show(new[max(0, first - Self.context)..<first].map { (.same, $0) })
      show(shown)
      let left = max(new.count, old.count) - first - last - Self.limit
      if left > 0 {
        isCut = true
      } else {
        show(new.suffix(last).prefix(Self.context).map { (.same, $0) })
        omit(last - Self.context)
      }
    }

    /// The lines of two stages, each as far as it is the other's.
    private func compared(
      _ new: ArraySlice<JSONLine>, _ old: ArraySlice<JSONLine>
    ) -> [(change: Change, line: JSONLine)] {
      let (new, old) = (Array(new), Array(old))
      var removed: Set<Int> = []
      var inserted: Set<Int> = []
      for change in new.difference(from: old, by: { $0.isSame(as: $1) }) {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
      }
      var lines: [(change: Change, line: JSONLine)] = []
      var (from, to) = (0, 0)
      while from < old.count || to < new.count {
        if from < old.count, removed.contains(from) {
          lines.append((.removed, old[from]))
          from += 1
        } else if to < new.count, inserted.contains(to) {
          lines.append((.added, new[to]))
          to += 1
        } else if to < new.count {
          lines.append((.same, new[to]))
          from += 1
          to += 1
        } else {
          break
        }
      }
      return lines
    }

    /// Adds lines; of equal ones alone the first.
    private mutating func show(_ lines: [(change: Change, line: JSONLine)]) {
      let isAlike = lines.allSatisfy { $0.change == .same }
      if isAlike, lines.count > Self.limit { isCut = true }
      for (change, line) in isAlike ? lines.prefix(Self.limit) : lines[...] {
        var line = line
        line.key = cut(line.key)
        line.value = cut(line.value)
        self.lines.append((change, line))
      }
    }

    private mutating func omit(_ count: Int) {
      guard count > 0 else { return }
      let text = count == 1 ? "… 1 equal line" : "… \(count) equal lines"
      lines.append((.omitted, JSONLine(indent: 0, value: text)))
    }

    private mutating func cut(_ text: String) -> String {
      guard text.utf8.count > 4_000 else { return text }
      isCut = true
      return String(decoding: text.utf8.prefix(4_000), as: UTF8.self) + "…"
    }
  }
#endif
