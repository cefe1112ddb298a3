import FieldstoneDurable
import Foundation

extension ModelJournal {
  mutating func setLimits(
    _ new: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
  ) -> FlowLimits? {
    if !replacing, let kept = limits[flow] { return kept }
    limits[flow] = new?.effective
    if new == nil || new?.rate == nil { buckets[flow] = nil }
    if let rate = new?.effective.rate, buckets[flow] == nil {
      buckets[flow] = TokenBucket(rate, at: time.date)
    }
    for index in runs.indices where runs[index].flow == flow {
      runs[index].hasPlace = runs[index].fence > 0 && runs[index].concurrencyKey != nil
      runs[index].hasFlowPlace = runs[index].fence > 0
    }
    if new != nil { isProtocolDemanded = true }
    leavePlaces()
    return limits[flow]
  }

  func bucket(of flow: String, at time: JournalTime) -> TokenBucket? {
    guard let rate = limits[flow]?.rate, var bucket = buckets[flow] else { return nil }
    bucket.fill(by: rate, at: time.date)
    return bucket
  }

  /// Whether a run that is not given lacks a token, and nothing else.
  func isRateFull(for index: Int, beside taken: [Int], at time: JournalTime) -> Bool {
    !taken.contains(index) && !isAllowed(index, beside: taken, at: time)
      && isAllowed(index, beside: taken, at: time, countingTokens: false)
  }

  /// Whether a run that is not given lacks a place of its key, and nothing else.
  func isKeyFull(for index: Int, beside taken: [Int], at time: JournalTime) -> Bool {
    runs[index].group == nil && !isAllowed(index, beside: taken, at: time)
      && isAllowed(index, beside: taken, at: time, countingKeys: false)
  }

  /// Whether no limit is passed when a run is given beside others that a claim gives.
  func isAllowed(
    _ index: Int, beside taken: [Int], at time: JournalTime, countingTokens: Bool = true,
    countingKeys: Bool = true
  ) -> Bool {
    let run = runs[index]
    guard let limits = limits[run.flow], run.worker == nil else { return true }
    let others = taken.filter { runs[$0].flow == run.flow && runs[$0].worker == nil }
    if let most = limits.runs, countsWholeRuns(run.flow), !run.hasFlowPlace {
      let held = runs.count { $0.flow == run.flow && $0.hasFlowPlace }
      if held + others.count(where: { !runs[$0].hasFlowPlace }) >= most { return false }
    }
    if let most = limits.runs, !countsWholeRuns(run.flow) {
      let held = runs.count { $0.flow == run.flow && $0.worker != nil }
      if held + others.count >= most { return false }
    }
    if countingTokens, let bucket = bucket(of: run.flow, at: time),
      bucket.available <= others.count
    {
      return false
    }
    if countingKeys, let perKey = limits.perKey, let key = run.concurrencyKey, !run.hasPlace {
      let held = runs.count { $0.flow == run.flow && $0.concurrencyKey == key && $0.hasPlace }
      let new = others.count { runs[$0].concurrencyKey == key && !runs[$0].hasPlace }
      if held + new >= perKey.maximum { return false }
    }
    return true
  }

  func countsWholeRuns(_ flow: String) -> Bool {
    limits[flow]?.runs != nil && limits[flow]?.counting == .wholeRun
  }

  /// Every way out of a state gives a place back that is not kept.
  mutating func leavePlaces() {
    for index in runs.indices where runs[index].hasFlowPlace {
      let run = runs[index]
      let isStuck = run.state == .dead || run.state == .blocked
      let isOver = run.state == .completed || run.state == .cancelled
      let holds = limits[run.flow]?.whenStuck == .holds
      if isOver || isStuck && !holds || !countsWholeRuns(run.flow) {
        runs[index].hasFlowPlace = false
      }
    }
    for index in runs.indices where runs[index].hasPlace {
      let isKept =
        switch (limits[runs[index].flow]?.perKey, runs[index].state) {
        case (nil, _), (_, .completed), (_, .cancelled): false
        case (_, .running): true
        case (let perKey?, .ready): perKey.counting == .wholeRun
        case (let perKey?, .dead), (let perKey?, .blocked):
          perKey.counting == .wholeRun && perKey.whenStuck == .holds
        }
      if !isKept { runs[index].hasPlace = false }
    }
  }
}
