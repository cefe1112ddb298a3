package import Foundation

/// What an edit of many runs would do to each, without writing it.
package struct BulkEditTrial {
  /// The first runs, with the stages that they would get.
  package private(set) var samples: [(run: RunRecord, stage: Data)] = []
  /// The number of runs whose new stage can't be read by the code that would run it.
  package private(set) var unreadable = 0
  /// Why the first of them can't.
  package private(set) var error: DurableRunError?

  private let patch: MergePatch
  private let version: Int?
  private let check: StageCheck

  /// The number of runs of which both stages are kept.
  private static let sampled = 3

  /// Begins a trial; nil for a change that edits nothing.
  ///
  /// - Throws: `JournalError.notJSON`.
  package init?(
    _ action: BulkChange.Action, checkedBy check: StageCheck
  ) throws(JournalError) {
    guard case .edit(let patch, let version) = action else { return nil }
    self.patch = try MergePatch(patch)
    self.version = version
    self.check = check
  }

  /// Whether a run can be edited; its result is remembered.
  ///
  /// - Complexity: O(n) in the bytes of the stage and of the patch.
  package mutating func takes(_ run: RunRecord) -> Bool {
    do throws(DurableRunError) {
      guard let stage = try stage(for: run) else { return false }
      if samples.count < Self.sampled { samples.append((run, stage)) }
      return true
    } catch {
      unreadable += 1
      self.error = self.error ?? error
      return false
    }
  }

  /// The stage that a run would get; nil if the patch is not for it.
  ///
  /// - Throws: ``DurableRunError`` if the code that would run it can't read it.
  package func stage(for run: RunRecord) throws(DurableRunError) -> Data? {
    guard let stage = patch.edited(run.payload) else { return nil }
    try check.check(
      stage, version: version ?? run.version, of: run.flow, run: run.id, sequence: run.sequence)
    return stage
  }
}
