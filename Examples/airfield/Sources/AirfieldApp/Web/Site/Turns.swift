/// Lets whoever works on the same thing do so one after the other, in the order in which they came.
@MainActor
final class Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  var waitingCount: Int { waiting.count }

  /// Does something once those who came before have done theirs.
  func take<Result>(_ work: () async -> Result) async -> Result {
    if isTaken {
      // Whoever ends hands the turn over, so nobody can come in between.
      await withCheckedContinuation { waiting.append($0) }
    } else {
      isTaken = true
    }
    let result = await work()
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    return result
  }
}
