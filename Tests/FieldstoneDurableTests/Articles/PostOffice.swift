import FieldstoneTesting

/// Sends letters; one with a key that it has seen it takes for sent.
actor PostOffice {
  private(set) var letters: [String] = []
  private var keys: Set<String> = []
  private let stopsAfter: Int
  private let gate: Gate

  init(stopsAfter: Int = .max, at gate: Gate = Gate()) {
    self.stopsAfter = stopsAfter
    self.gate = gate
  }

  func subscribers() -> [String] { ["Ada", "Bob", "Cleo", "Dan"] }

  func send(_ issue: Int, to reader: String, key: String? = nil) async {
    if let key, !keys.insert(key).inserted { return }
    letters.append(reader)
    if letters.count == stopsAfter { await gate.wait() }
  }
}
