#if SQLite
  import FieldstoneTesting

  /// Sees to it that work which kills its process does so only when so many others are at work, and
  /// that these are slow; but for the last attempt, at which each may be alone.
  struct Crowd: Sendable {
    /// How many attempts each stage has.
    static let budget = Poison.budget

    let size: Int
    private let gate = Gate()

    init(size: Int) { self.size = size }

    /// Works on a first stage until the process is killed.
    func bePresent(at sequence: Int, attempt: Int) async {
      if sequence == 0, attempt < Self.budget { await gate.wait() }
    }

    /// Waits until all the others are at work.
    func gather(for attempt: Int) async {
      if attempt < Self.budget { await gate.arrivals(atLeast: size) }
    }
  }
#endif
