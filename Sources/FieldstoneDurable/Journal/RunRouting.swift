/// A journal that spreads runs over several other journals.
package protocol RunRouting: Journal {
  /// The slot of a flow's new run with a key; nil for a random one.
  ///
  /// - Parameter key: the concurrency key, or the key if there is none.
  func slotOfRun(in flow: String, key: String?) -> UInt16?
  /// The index of a run's journal.
  func shard(of id: RunID) -> Int
}

extension Journal {
  /// The slot of a flow's new run with a key; nil for a random one.
  ///
  /// - Parameter key: the concurrency key, or the key if there is none.
  package func slot(of flow: String, key: String?) -> UInt16? {
    if let routing = self as? any RunRouting { return routing.slotOfRun(in: flow, key: key) }
    return key.map { RunID.slot(of: flow, key: $0) }
  }
}
