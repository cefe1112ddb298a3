public import FieldstoneCore
public import FieldstoneStages
import Foundation

extension DurableContext {
  /// Makes a child for this stage's `.join`, which starts and awaits it.
  ///
  /// ```swift
  /// case .split(let files):
  ///   let parts = try files.map { try context.child(FileImport.read($0)) }
  ///   return .join(parts, then: .total)
  /// case .total:
  ///   for try await part in context.children { rows += try part.value(as: Int.self) }
  /// ```
  ///
  /// Nothing is started unless the stage returns the child in a
  /// ``DurableStep/join(_:when:until:then:)``.
  ///
  /// - Parameters:
  ///   - stage: where the child begins; a stage of any flow of this runner.
  ///   - options: when it begins, and its priority. Its identifier is always new, and it has no
  ///     key.
  ///   - flow: names the flow; needed only where several flows have this type of stage.
  ///   - isDetached: true to keep the child when this run is cancelled or continues without it.
  ///     Other children are cancelled then.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)`` if this runner has no such flow,
  ///   ``JournalError``, `EncodingError`.
  public func child<Work: ContextualStage & Codable>(
    _ stage: Work, options: RunOptions = RunOptions(), flow: String? = nil, isDetached: Bool = false
  ) throws -> ChildStart where Work.Completion: Codable {
    try makeChild(stage, options: options, flow: flow, isDetached: isDetached)
  }

  /// Makes a child for this stage's `.join`, which starts and awaits it.
  ///
  /// Nothing is started unless the stage returns the child in a
  /// ``DurableStep/join(_:when:until:then:)``.
  ///
  /// - Parameters:
  ///   - stage: where the child begins; a stage of any flow of this runner.
  ///   - options: when it begins, and its priority. Its identifier is always new, and it has no
  ///     key.
  ///   - flow: names the flow; needed only where several flows have this type of stage.
  ///   - isDetached: true to keep the child when this run is cancelled or continues without it.
  ///     Other children are cancelled then.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)`` if this runner has no such flow,
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
    let start = try requests.start(
      stage, key: nil, options: options, flow: flow, parent: run, sender: run)
    return ChildStart(start, isDetached: isDetached)
  }

  /// The children that the previous stage has awaited, in the order of its `.join`.
  ///
  /// They are read from the journal a page at a time, so 10,000 children need no extra memory.
  /// Their outcomes are those at the end of the wait, the same for each attempt. The sequence is
  /// empty if the previous stage was no `.join`. Each iteration reads again.
  public var children: some AsyncSequence<ChildRecord, any Error> & Sendable {
    ChildSequence(
      pages: AwaitedChildren(run: run, sequence: joinedSequence, requests: requests))
  }
}

/// Reads pages of the children that a run has awaited.
struct AwaitedChildren: Sendable {
  let run: RunID
  /// The number of the stage that started them; nil if none are awaited.
  let sequence: Int?
  let requests: any StageRequests

  func page(after place: ChildPlace?) async throws -> ChildPage {
    guard let sequence else { return ChildPage(children: []) }
    return try await requests.children(of: run, at: sequence, after: place)
  }
}

/// Children, one page after the other.
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
  /// The outcome: its completion, the error of a dead child, or cancelled; nil if it was still
  /// unfinished when its parent continued.
  ///
  /// A completion of another type is a failure with `DecodingError`.
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

  /// The child's completion.
  ///
  /// - Throws: `DurableRunError.dead`; `.notEnded` if it was unfinished when its parent continued;
  ///   ``/FieldstoneCore/CallCancelled`` if it was cancelled; `DecodingError`.
  public func value<Completion: Decodable>(
    as type: Completion.Type = Completion.self
  ) throws -> Completion {
    guard let outcome = outcome(as: type) else { throw DurableRunError.notEnded(id) }
    return try outcome.get()
  }
}
