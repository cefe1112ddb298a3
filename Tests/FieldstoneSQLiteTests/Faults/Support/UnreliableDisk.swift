#if SQLite
  import FaultyDisk
  import FieldstoneTesting

  /// What a disk holds for certain, and what it may hold, when the power goes.
  ///
  /// For certain is what was synced. Of what was written since, any sectors may be there, in any
  /// order; the same goes for truncations. Files are made and removed in order, but late; to sync a
  /// file brings its name with it.
  struct UnreliableDisk {
    private struct Content {
      var synced: [UInt8] = []
      var pending: [FileCall] = []
    }

    private static let sector = 512

    private var contents: [Content] = []
    private var names: [String: Int] = [:]
    private var syncedNames: [String: Int] = [:]
    private var pendingNames: [(name: String, content: Int?)] = []

    mutating func apply(_ call: FileCall) {
      switch call.kind {
      case .make:
        names[call.name] = contents.count
        pendingNames.append((call.name, contents.count))
        contents.append(Content())
      case .remove:
        names[call.name] = nil
        pendingNames.append((call.name, nil))
        // With its folder.
        if call.length != 0 { syncNames(pendingNames.count) }
      case .write, .truncate:
        if let number = names[call.name] { contents[number].pending.append(call) }
      case .sync:
        guard let number = names[call.name] else { return }
        for call in contents[number].pending { Self.make(call, in: &contents[number].synced) }
        contents[number].pending = []
        if let last = pendingNames.lastIndex(where: { $0.content == number }) {
          syncNames(last + 1)
        }
      case .read, .lock, .share, .barrier: break
      }
    }

    private mutating func syncNames(_ count: Int) {
      for (name, content) in pendingNames.prefix(count) { syncedNames[name] = content }
      pendingNames.removeFirst(count)
    }

    /// What may be found when the power is back: the bytes of the files by their names.
    func afterPowerLoss(using random: inout SeededGenerator) -> [String: [UInt8]] {
      var found = syncedNames
      let renamed = Int.random(in: 0...pendingNames.count, using: &random)
      for (name, content) in pendingNames.prefix(renamed) { found[name] = content }
      let filler: UInt8 = Bool.random(using: &random) ? 0 : 0xA5
      return found.mapValues { number in
        var bytes = contents[number].synced
        // Of all that is pending a little, half, nearly all or all has come through.
        let parts: [Double] = [0, 0.1, 0.5, 0.9, 1]
        let part = parts.randomElement(using: &random) ?? 0
        for call in contents[number].pending {
          Self.make(call, in: &bytes, filler: filler) {
            Double.random(in: 0..<1, using: &random) < part
          }
        }
        return bytes
      }
    }

    /// Does what a call does, sector by sector.
    private static func make(
      _ call: FileCall, in bytes: inout [UInt8], filler: UInt8 = 0,
      where isThere: () -> Bool = { true }
    ) {
      guard call.kind == .write else {
        guard isThere() else { return }
        if call.offset < bytes.count { bytes.removeLast(bytes.count - call.offset) }
        return
      }
      var begin = call.offset
      let end = call.offset + call.bytes.count
      while begin < end {
        let next = min(end, (begin / sector + 1) * sector)
        if isThere() {
          if bytes.count < next {
            bytes += Array(repeating: filler, count: next - bytes.count)
          }
          bytes.replaceSubrange(
            begin..<next, with: call.bytes[(begin - call.offset)..<(next - call.offset)])
        }
        begin = next
      }
    }
  }
#endif
