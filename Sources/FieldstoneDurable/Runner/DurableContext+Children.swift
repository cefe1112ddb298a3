public import FieldstoneCore
public import FieldstoneStages
import Foundation

extension DurableContext {
  /// Makes a child, to be started and awaited by this stage's `.join`.
  ///
  /// ```swift
  /// case .split(let files):
  ///   let parts = try files.map { try context.child(FileImport.read($0)) }
  ///   return .join(parts, then: .total)
  /// case .total:
  ///   for try await part in context.children { rows += try part.value(as: Int.self) }
  /// ```
  ///
  /// Nothing is started unless the stage returns it in a ``DurableStep/join(_:when:until:then:)``.
  ///
  /// - Parameters:
  ///   - stage: where the child begins; of any flow of this runner.
  ///   - options: when it begins, and which runs go before it. Its identifier is always a new one, and
  ///     it has no key.
  ///   - flow: names the flow; needed only where several have this type of stage.
  ///   - isDetached: whether it goes on when this run is cancelled, or goes on without it. Others are
  ///     then cancelled.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)`` where this runner has no such flow,
  ///   ``JournalError``, `EncodingError`.
  public func child<Work: ContextualStage & Codable>(
    _ stage: Work, options: RunOptions = RunOptions(), flow: String? = nil, isDetached: Bool = false
  ) throws -> ChildStart where Work.Completion: Codable {
    try makeChild(stage, options: options, flow: flow, isDetached: isDetached)
  }

  /// Makes a child, to be started and awaited by this stage's `.join`.
  ///
  /// Nothing is started unless the stage returns it in a ``DurableStep/join(_:when:until:then:)``.
  ///
  /// - Parameters:
  ///   - stage: where the child begins; of any flow of this runner.
  ///   - options: when it begins, and which runs go before it. Its identifier is always a new one, and
  ///     it has no key.
  ///   - flow: names the flow; needed only where several have this type of stage.
  ///   - isDetached: whether it goes on when this run is cancelled, or goes on without it. Others are
  ///     then cancelled.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)`` where this runner has no such flow,
  ///   ``JournalError``, `EncodingError`.
  public func child<Work: DurableStage>(
    _ stage: Work, options: RunOptions = RunOptions(), flow: String? = nil, isDetached: Bool = false
  ) throws -> ChildStart {
    try makeChild(stage, options: options, flow: flow, isDetached: isDetached)
  }

  private func makeChild<Work: Encodable & Sendable>(
    _ stage: Work, options: RunOptions, flow: String?, isDetached: Bool
  ) throws -> ChildStart {
    var options = inTrace(options)
    options.id = nil
    let start = try requests.start(stage, key: nil, options: options, flow: flow, parent: run)
    return ChildStart(start, isDetached: isDetached)
  }

  /// The children that the stage before has awaited, in the order in which it gave them.
  ///
  /// They are read from the journal a page at a time, so that 10,000 of them need no room. Their
  /// outcomes are those of the moment when the wait was over, the same for each attempt. It is empty
  /// when the stage before was no `.join`. Each iteration reads anew.
  public var children: some AsyncSequence<ChildRecord, any Error> & Sendable {
    ChildSequence(
      pages: AwaitedChildren(run: run, sequence: joinedSequence, requests: requests))
  }
}

/// Reads pages of the children that a run has awaited.
struct AwaitedChildren: Sendable {
  let run: RunID
  /// The number of the stage that has started them; nil when none are awaited.
  let sequence: Int?
  let requests: any StageRequests

  func page(after place: ChildPlace?) async throws -> ChildPage {
    guard let sequence else { return ChildPage(children: []) }
    return try await requests.children(of: run, at: sequence, after: place)
  }
}

/// Children, a page after the other.
struct ChildSequence: AsyncSequence, Sendable {
  typealias Element = ChildRecord
  typealias Failure = any Error

  let pages: AwaitedChildren

  func makeAsyncIterator() -> Iterator { Iterator(pages: pages) }

  struct Iterator: AsyncIteratorProtocol {
    let pages: AwaitedChildren
    private var page: ArraySlice<ChildRecord> = []
    private var last: ChildPlace?
    private var isRead = false

    init(pages: AwaitedChildren) { self.pages = pages }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> ChildRecord? {
      while true {
        if let child = page.popFirst() { return child }
        if isRead { return nil }
        try Task.checkCancellation()
        let read = try await pages.page(after: last)
        page = read.children[...]
        last = read.next
        isRead = read.next == nil
      }
    }
  }
}

extension ChildRecord {
  /// How it ended: with its completion, with its error where it is dead, or cancelled; nil when it had
  /// not ended as its parent went on.
  ///
  /// A completion of another type is a failure by `DecodingError`.
  public func outcome<Completion: Decodable>(
    as type: Completion.Type = Completion.self
  ) -> Outcome<Completion>? {
    switch end {
    case .completed:
      Outcome(catching: { try StageJSON.value(type, from: completion ?? Data()) })
    case .dead: .failure(DurableRunError.dead(id, error: error ?? "no reason is known"))
    case .cancelled: .cancelled(.caller)
    case .ready, .running, .blocked, nil: nil
    }
  }

  /// Its completion.
  ///
  /// - Throws: `DurableRunError.dead`; `.notEnded` when it had not ended as its parent went on;
  ///   ``/FieldstoneCore/CallCancelled`` when it was cancelled; `DecodingError`.
  public func value<Completion: Decodable>(
    as type: Completion.Type = Completion.self
  ) throws -> Completion {
    guard let outcome = outcome(as: type) else { throw DurableRunError.notEnded(id) }
    return try outcome.get()
  }
}
