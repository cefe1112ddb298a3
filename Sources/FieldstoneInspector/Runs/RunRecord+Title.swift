#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneRunDisplay

  extension RunRecord {
    /// The key in one line; nil if there is none, or nothing of it could be seen or clicked on.
    var visibleKey: String? {
      guard let key = key?.inOneLine else { return nil }
      let isBlank = key.unicodeScalars.allSatisfy {
        $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
      }
      return isBlank ? nil : key
    }

    /// What pages call the run: its key, else its identifier.
    ///
    /// - Parameter length: the maximum number of characters of the key.
    func title(to length: Int = .max) -> String { visibleKey?.cut(to: length) ?? "\(id)" }

    /// What stands beside the title in place of a key that can't be seen.
    var keyNote: String? {
      guard let key, visibleKey == nil else { return nil }
      return key.isEmpty ? "(empty key)" : "(blank key)"
    }
  }
#endif
