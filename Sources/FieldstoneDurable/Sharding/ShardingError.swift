public import FieldstoneCore

/// The reasons that several journals can't be used as one.
public enum ShardingError: DescribedError, Hashable {
  /// No journal was given.
  case noShards
  /// Some of the journals use the caller's clock, others a server's.
  case clocksDiffer
  /// The journals have different limits for keys, payloads or children.
  case limitsDiffer
  /// Several journals were used before, and no record defines their slots: they have runs or, if
  /// none has, limits, pauses or schedules.
  case severalHaveRuns([Int])
  /// The journals do not own each slot exactly once: some slots have no owner, or two.
  case slotsDoNotFit(missing: String, shared: String)
  /// The journals belong to different sets.
  case groupsDiffer([String])
  /// The journals were opened with other flows on one shard, and one of these has runs.
  case flowsDiffer(String)
  /// A limit or a rate of a flow is smaller than the number of shards that share it.
  case limitTooSmall(flow: String, limit: Int, shards: Int)
  /// A schedule would have to move to another shard.
  case scheduleElsewhere(String)
  /// A schedule can't be read, so its slot is unknown.
  case unreadableSchedule(String)
  /// The source does not own the slots to be moved, or the target owns them already.
  case slotsNotThere(String)
  /// A run has another slot than its key or its flow, and only one of the two is to be moved.
  case keyElsewhere(RunID, other: UInt16)
  /// A journal of this kind can't give or take slots.
  case immovable
  /// The source and the target of a move have different numbers of rows.
  case countsDiffer(String, source: Int, target: Int)

  /// Says what went wrong and what to do next.
  public var message: String {
    switch self {
    case .noShards:
      "A sharded journal has no journals; give it one at least."
    case .clocksDiffer:
      "Some of the journals go by the caller's clock and others by a server's; use journals of one kind."
    case .limitsDiffer:
      "The journals have different PayloadLimits; open all of them with the same ones."
    case .severalHaveRuns(let shards):
      "The journals \(shards.map { "\($0 + 1)" }.joined(separator: " and ")) have runs, limits, pauses or "
        + "schedules, and no record of their slots; at most one of the journals may have been used "
        + "before, so give empty ones for the others."
    case .slotsDoNotFit(let missing, let shared):
      "The journals do not own each slot once (owned by none: \(missing); by two: \(shared)); open all "
        + "journals of the set, each once, and repeat `fieldstone journal move-slots` if it was interrupted."
    case .groupsDiffer(let groups):
      "The journals belong to different sets (\(groups.joined(separator: ", "))); open those of one set."
    case .flowsDiffer(let flow):
      "The flow “\(flow)” has runs, and the other processes have it on one shard where this one has not, or "
        + "the other way round; give all processes the same flowsOnOneShard, or purge its runs first."
    case .limitTooSmall(let flow, let limit, let shards):
      "The limit \(limit) of “\(flow)” can't be split over \(shards) shards; name the flow in "
        + "flowsOnOneShard, or raise the limit."
    case .scheduleElsewhere(let name):
      "The schedule “\(name)” would move to another shard, as its flow or its concurrency key is another; "
        + "remove it, then set it anew."
    case .unreadableSchedule(let name):
      "The schedule “\(name)” can't be read, so its shard is not known; update this program, or remove the "
        + "schedule."
    case .slotsNotThere(let ranges):
      "The slots \(ranges) can't be moved: the source has to own all of them, and the target none; look at "
        + "the slots of both, and at the order of --from and --to."
    case .keyElsewhere(let id, let other):
      "Run \(id) has a key, or a flow on one shard, whose slot is \(other), and only one of its two slots "
        + "is to be moved; move both, or purge the run once it is over."
    case .immovable:
      "Slots can't be moved between journals of this kind; use journals in SQLite or PostgreSQL."
    case .countsDiffer(let words, let source, let target):
      "The source has \(source) \(words) of these slots, and the target \(target); nothing was removed. "
        + "Repeat the command; if it says so again, look in the target for a run with the key of one of these."
    }
  }
}
