import FieldstoneCore

/// What a provider of a group has to say, without its types.
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

  // Not kept once it runs: a provider that holds on to its events would hold on to itself by them.
  private let work: Locked<Work?>
  private let latest = Locked<Member.Output?>(nil)

  init(_ member: Member, _ parameters: Member.Parameters) {
    work = Locked(Work(member: member, parameters: parameters))
  }

  /// The latest value, early or final.
  var value: Member.Output? { latest.withLock { $0 } }

  /// Loads; reports come one by one and the end comes last.
  @concurrent
  func run(_ report: @escaping @Sendable (GroupReport) -> Void) async {
    guard let work = work.withLock({ $0.take() }) else { return }
    let outcome = await work.member.outcome(
      of: work.parameters,
      reporting: LoadEvents(
        onProgress: { report(.progress($0)) },
        onEarlyValue: { value in
          self.keep(value)
          report(.value)
        }))
    if case .success(let value) = outcome { keep(value) }
    report(.end(outcome.map { _ in }))
  }

  private func keep(_ value: Member.Output) {
    let before = latest.withLock { latest in
      defer { latest = value }
      return latest
    }
    withExtendedLifetime(before) {}
  }
}
