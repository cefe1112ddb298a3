#if INSPECTOR
  import Foundation

  /// The lines of a stage, with the differences from the previous stage.
  struct StageDifference {
    enum Change {
      case same
      case added
      case removed
    }

    private(set) var lines: [(change: Change, line: JSONLine)] = []
    /// Whether lines at the end were omitted.
    private(set) var isCut = false

    var hasChanges: Bool { lines.contains { $0.change != .same } }

    /// The maximum number of lines shown per stage.
    static let limit = 400
    /// The maximum number of bytes read per stage: a page has 50 stages.
    static let byteLimit = 64 << 10

    private let redaction: RedactionRule

    /// Compares a stage with the previous one; nil for a first stage.
    ///
    /// Values that the rule hides are compared, and shown as dots. O(n · d) in the number of lines, at
    /// most ``limit`` of each stage, and of the differing lines.
    init(_ payload: Data, before: Data?, hiding redaction: RedactionRule) {
      self.redaction = redaction
      let new = shortened(payload)
      guard let before else {
        lines = new.map { (.same, $0) }
        return
      }
      let old = shortened(before)
      let difference = new.difference(from: old) { $0.isSame(as: $1) }
      var removed: Set<Int> = []
      var inserted: Set<Int> = []
      for change in difference {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
      }
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
    }

    private mutating func shortened(_ payload: Data) -> [JSONLine] {
      let lines = JSONLine.lines(of: payload, limit: Self.byteLimit, hiding: redaction)
      if lines.count > Self.limit || payload.count > Self.byteLimit { isCut = true }
      return lines.prefix(Self.limit).map { line in
        var line = line
        line.key = cut(line.key)
        line.value = cut(line.value)
        return line
      }
    }

    private mutating func cut(_ text: String) -> String {
      guard text.utf8.count > 4_000 else { return text }
      isCut = true
      return String(decoding: text.utf8.prefix(4_000), as: UTF8.self) + "…"
    }
  }
#endif
