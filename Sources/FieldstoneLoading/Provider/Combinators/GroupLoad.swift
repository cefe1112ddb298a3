import FieldstoneCore

/// One load of a group.
///
/// It is a class that holds the pack, because the compiler crashes on closures over packs.
final class GroupLoad<each Member: DataProvider>: Sendable {
  typealias Output = (repeat (each Member).Output)

  private let part: (repeat GroupPart<each Member>)
  private let channel: LoadChannel<Output>
  private let branches = Branches()
  private let state: Locked<GroupState>

  init(
    _ member: repeat each Member, with parameters: repeat (each Member).Parameters,
    reporting events: LoadEvents<Output>
  ) {
    part = (repeat GroupPart(each member, each parameters))
    channel = LoadChannel(events)
    var count = 0
    for _ in repeat each part { count += 1 }
    state = Locked(GroupState(count: count))
  }

  var value: Output {
    get async throws {
      try await withTaskCancellationHandler {
        start()
        defer { branches.cancel() }
        return try await channel.value
      } onCancel: {
        channel.cancel()
        branches.cancel()
      }
    }
  }

  private func start() {
    let delivery = SerialDelivery<(Int, GroupReport)> { index, report in
      self.hear(report, from: index)
    }
    var index = 0
    for part in repeat each part {
      start(part, at: index, delivery)
      index += 1
    }
    if index == 0 { finish() }
  }

  private func start<M>(
    _ part: GroupPart<M>, at index: Int, _ delivery: SerialDelivery<(Int, GroupReport)>
  ) {
    branches.start { await part.run { delivery.send((index, $0)) } }
  }

  private func hear(_ report: GroupReport, from index: Int) {
    switch state.withLock({ $0.hear(report, from: index) }) {
    case .progress(let progress):
      channel.progress(progress)
    case .value:
      showEarly()
    case .valueAndProgress(let progress):
      channel.progress(progress)
      showEarly()
    case .finish: finish()
    case .fail(let error): channel.end(with: .failure(error))
    case .cancel(let reason): channel.end(with: .cancelled(reason))
    }
  }

  private func showEarly() {
    if let values { channel.early(values) }
  }

  private func finish() {
    if let values { channel.end(with: .success(values)) }
  }

  /// The latest value of every provider; nil if one has none yet.
  private var values: Output? {
    try? (repeat known((each part).value))
  }

  private func known<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw CancellationError() }
    return value
  }
}

/// The state of a group's providers, and the group's reports.
struct GroupState {
  enum Action: Sendable {
    case progress(LoadProgress)
    case value
    case valueAndProgress(LoadProgress)
    case finish
    case fail(any Error)
    case cancel(CancellationReason)
  }

  private var fractions: [Double?]
  private var running: Int

  init(count: Int) {
    fractions = Array(repeating: nil, count: count)
    running = count
  }

  mutating func hear(_ report: GroupReport, from index: Int) -> Action {
    switch report {
    case .progress(.fraction(let part)): fractions[index] = part
    case .progress(.indeterminate): fractions[index] = nil
    case .value: return .value
    case .end(.failure(let error)): return .fail(error)
    case .end(.cancelled(let reason)): return .cancel(reason)
    case .end(.success):
      fractions[index] = 1
      running -= 1
      return running == 0 ? .finish : .valueAndProgress(mean)
    }
    return .progress(mean)
  }

  private var mean: LoadProgress {
    let known = fractions.compactMap(\.self)
    guard !known.isEmpty else { return .indeterminate }
    return .fraction(known.reduce(0, +) / Double(fractions.count))
  }
}

/// A report of a group's provider, with its types erased.
enum GroupReport: Sendable {
  case progress(LoadProgress)
  case value
  case end(Outcome<Void>)
}

/// One provider of a group during one load.
final class GroupPart<Member: DataProvider>: Sendable {
  private struct Work: Sendable {
    let member: Member
    let parameters: Member.Parameters
  }

  private struct Latest {
    var value: Member.Output?
    var isFinal = false
  }

  // Released when it runs: a provider that retains its events would otherwise retain itself.
  private let work: Locked<Work?>
  private let latest = Locked(Latest())

  init(_ member: Member, _ parameters: Member.Parameters) {
    work = Locked(Work(member: member, parameters: parameters))
  }

  /// The latest value, early or final.
  var value: Member.Output? { latest.withLock { $0.value } }

  /// Loads; reports are delivered one at a time, the end last.
  @concurrent
  func run(_ report: @escaping @Sendable (GroupReport) -> Void) async {
    guard let work = work.withLock({ $0.take() }) else { return }
    let outcome = await work.member.outcome(
      of: work.parameters,
      reporting: LoadEvents(
        onProgress: { report(.progress($0)) },
        onEarlyValue: { value in
          if self.keep(value, isFinal: false) { report(.value) }
        }))
    if case .success(let value) = outcome { _ = keep(value, isFinal: true) }
    report(.end(outcome.map { _ in }))
  }

  /// Keeps a value, unless the final one is known; true if it is kept.
  private func keep(_ value: Member.Output, isFinal: Bool) -> Bool {
    let before = latest.withLock { latest -> Latest? in
      guard !latest.isFinal else { return nil }
      defer { latest = Latest(value: value, isFinal: isFinal) }
      return latest
    }
    // The value before is released outside the lock.
    return withExtendedLifetime(before) { before != nil }
  }
}
