import Foundation

/// The limits of a flow, with their use.
struct InMemoryLimits {
  /// A concurrency key by its bytes, as in databases.
  typealias Key = [UInt8]

  var limits: FlowLimits
  var bucket: TokenBucket?
  /// The number of runs with places of each key; a key without any is not there.
  var places: [Key: Int] = [:]
  /// The number of runs with places of the flow.
  var flowPlaces = 0
}

/// The runs that a claim may still give of a flow.
struct Admission {
  var runs = Int.max
  var tokens = Int.max
  /// The number of free places of the flow.
  var flowPlaces = Int.max
  /// The number of free places of each key; nil if keys have no limit.
  var keys: [InMemoryLimits.Key: Int] = [:]
  var perKey: Int?
  var nextToken: Date?

  /// Whether a run may be given; if so, it counts.
  mutating func admit(_ run: InMemoryRun) -> Bool {
    // A run that is taken over already has its places and its token.
    if run.record.state == .running { return true }
    guard runs > 0, tokens > 0, run.hasFlowPlace || flowPlaces > 0 else { return false }
    if let perKey, !run.hasPlace, let key = run.record.concurrencyKey.map({ Array($0.utf8) }) {
      let left = keys[key, default: perKey]
      guard left > 0 else { return false }
      keys[key] = left - 1
    }
    runs -= 1
    tokens -= 1
    if !run.hasFlowPlace { flowPlaces -= 1 }
    return true
  }

  /// Whether a run may not be given because its key is full, and for no other reason.
  func lacksOnlyPlaceOfKey(_ run: InMemoryRun) -> Bool {
    var copy = self
    copy.perKey = nil
    return !wouldAdmit(run) && copy.admit(run)
  }

  /// Whether a run could be given, without counting it.
  func wouldAdmit(_ run: InMemoryRun) -> Bool {
    var copy = self
    return copy.admit(run)
  }
}

extension InMemoryRuns {
  mutating func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
  ) -> FlowLimits? {
    if let kept = self.limits[flow], !replacing { return kept.limits }
    let limits = limits?.effective
    if let limits {
      minimumProtocol = 2
      // A bucket in use keeps its tokens.
      var new = InMemoryLimits(limits: limits)
      if let rate = limits.rate {
        new.bucket = self.limits[flow]?.bucket ?? TokenBucket(rate, at: time.date)
      }
      self.limits[flow] = new
    } else {
      self.limits[flow] = nil
    }
    for id in order where all[id]?.record.flow == flow {
      guard var run = all[id] else { continue }
      let hasBegun = run.record.fence > 0
      run.hasPlace =
        hasBegun && run.record.concurrencyKey != nil
        && limits?.perKey?.isPlaceKept(in: run.record.state) == true
      run.hasFlowPlace = hasBegun && limits?.isPlaceKept(in: run.record.state) == true
      all[id] = run
      count(run, 1)
    }
    return limits
  }

  /// Adds or removes a run's places.
  mutating func count(_ run: InMemoryRun, _ change: Int) {
    if run.hasFlowPlace { limits[run.record.flow]?.flowPlaces += change }
    guard run.hasPlace, let key = run.record.concurrencyKey else { return }
    let bytes = Array(key.utf8)
    limits[run.record.flow]?.places[bytes, default: 0] += change
    // Otherwise every key ever used would stay, and cost each claim.
    if limits[run.record.flow]?.places[bytes] == 0 { limits[run.record.flow]?.places[bytes] = nil }
  }

  /// Whether a run with a place of its key keeps it.
  func isPlaceKept(_ run: InMemoryRun) -> Bool {
    run.hasPlace
      && limits[run.record.flow]?.limits.perKey?.isPlaceKept(in: run.record.state) == true
  }

  /// Whether a run with a place of its flow keeps it.
  func isFlowPlaceKept(_ run: InMemoryRun) -> Bool {
    run.hasFlowPlace
      && limits[run.record.flow]?.limits.isPlaceKept(in: run.record.state) == true
  }

  /// The runs that a claim may give of a flow.
  func admission(of flow: String, at time: JournalTime) -> Admission {
    guard let kept = limits[flow] else { return Admission() }
    var admission = Admission()
    if let runs = kept.limits.runningRuns {
      let running = (open[flow] ?? []).count { all[$0]?.record.state == .running }
      admission.runs = max(0, runs - running)
    }
    if let runs = kept.limits.wholeRuns { admission.flowPlaces = max(0, runs - kept.flowPlaces) }
    if let perKey = kept.limits.perKey {
      admission.perKey = perKey.maximum
      admission.keys = kept.places.mapValues { max(0, perKey.maximum - $0) }
    }
    if let rate = kept.limits.rate, var bucket = kept.bucket {
      bucket.fill(by: rate, at: time.date)
      admission.tokens = bucket.available
      admission.nextToken = bucket.nextToken(by: rate)
    }
    return admission
  }

  /// The use of the limits of a run's flow.
  func limitUse(of run: InMemoryRun) -> LimitUse? {
    let record = run.record
    guard let kept = limits[record.flow] else { return nil }
    var use = LimitUse(limits: kept.limits)
    if let maximum = kept.limits.wholeRuns, !run.hasFlowPlace {
      let holders = all.values.filter { $0.hasFlowPlace && $0.record.flow == record.flow }
      use.flowHolders = Array(holders.map(\.record.id).sorted().prefix(maximum))
    }
    if let maximum = kept.limits.runningRuns {
      let running = (open[record.flow] ?? []).filter { all[$0]?.record.state == .running }
      use.flowHolders = Array(running.sorted().prefix(maximum))
    }
    if let maximum = kept.limits.perKey?.maximum, !run.hasPlace,
      let key = record.concurrencyKey.map({ Array($0.utf8) })
    {
      let holders = all.values.filter { other in
        other.hasPlace && other.record.flow == record.flow
          && other.record.concurrencyKey.map { Array($0.utf8) } == key
      }
      use.keyHolders = Array(holders.map(\.record.id).sorted().prefix(maximum))
    }
    if let rate = kept.limits.rate { use.nextToken = kept.bucket?.nextToken(by: rate) }
    return use
  }

  /// The violations in the counts.
  func limitFindings() -> [JournalFinding] {
    var findings: [JournalFinding] = []
    for (flow, kept) in limits.sorted(by: { $0.key < $1.key }) {
      let holders = all.values.filter { $0.hasFlowPlace && $0.record.flow == flow }
      findings += holders.filter { !isFlowPlaceKept($0) }.map { run in
        JournalFinding(run: run.record.id, "it has a place of its flow, and its state keeps none")
      }
      if holders.count != kept.flowPlaces {
        findings.append(
          JournalFinding("the places of “\(flow)” are others than its runs have"))
      }
      var counted: [InMemoryLimits.Key: Int] = [:]
      for run in all.values where run.hasPlace && run.record.flow == flow {
        counted[Array((run.record.concurrencyKey ?? "").utf8), default: 0] += 1
        if !isPlaceKept(run) {
          findings.append(
            JournalFinding(
              run: run.record.id, "it has a place of its key, and its state keeps none"))
        }
      }
      if counted != kept.places {
        findings.append(
          JournalFinding("the places of the keys of “\(flow)” are other ones than its runs have"))
      }
    }
    return findings
  }

  /// Takes tokens for the given runs of a flow.
  mutating func takeTokens(_ count: Int, of flow: String, at time: JournalTime) {
    guard let rate = limits[flow]?.limits.rate, var bucket = limits[flow]?.bucket else { return }
    guard count > 0 || bucket.filledAt > time.date else { return }
    bucket.fill(by: rate, at: time.date)
    bucket.tokens -= Double(count)
    limits[flow]?.bucket = bucket
  }
}
