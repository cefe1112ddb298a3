public import Foundation

/// A stage that knows that it is durable: it can receive signals, has an idempotency key, and may
/// write in the transaction of its checkpoint.
///
/// A stage that needs none of that stays a `Stage` or `ContextualStage`: being `Codable` is
/// enough to run durably.
///
/// ```swift
/// enum Order: DurableStage {
///   case charge(Card)
///   case awaitApproval
///   case decided
///
///   func next(in context: DurableContext<Shop>) async throws -> DurableStep<Self, Receipt> {
///     switch self {
///     case .charge(let card):
///       try await context.services.charge(card, key: context.idempotencyKey)
///       return .advance(to: .awaitApproval)
///     case .awaitApproval:
///       return .receive("approval", until: context.now.addingTimeInterval(86_400), then: .decided)
///     case .decided:
///       guard let approval = try context.signal(as: Approval.self) else { return .complete(.none) }
///       return .complete(Receipt(approval))
///     }
///   }
/// }
/// ```
public protocol DurableStage<Completion>: Codable, Sendable {
  /// What comes out at the end; an enum where there are several outcomes.
  associatedtype Completion: Codable & Sendable

  /// The services that the stages work with.
  associatedtype Services: Sendable

  /// Does the work of this stage and tells what follows.
  ///
  /// It runs off the main actor. It runs at least once; after a crash or a stall it may run again,
  /// and may overlap the stalled one, with the same idempotency key.
  ///
  /// - Throws: any error; the stage is then tried again as its retry policy says.
  @concurrent func next(
    in context: DurableContext<Services>
  ) async throws -> DurableStep<Self, Completion>
}

/// A stage type that knows the name and the version of its flow.
///
/// Where a type can't or should not know them, they are given at registration.
public protocol VersionedFlow {
  /// The name of the flow: the same for all versions and for ever.
  static var flowName: String { get }
  /// The version of the flow; 1 unless given, and one more with each change that old code can't
  /// read.
  static var flowVersion: Int { get }
}

extension VersionedFlow {
  /// The first version.
  public static var flowVersion: Int { 1 }
}

/// What a durable stage leads to: what a `Step` can be, or a wait for a signal or for children.
public enum DurableStep<Next, Completion> {
  /// Go on with another stage.
  case advance(to: Next)
  /// All is done, and this came of it.
  case complete(Completion)
  /// Wait until a wall time, then go on with another stage.
  case wait(until: Date, then: Next)
  /// Wait for a signal by its name, at most until a wall time, then go on with another stage.
  ///
  /// That stage finds the signal in its context, or none when time ran out.
  case receive(String, until: Date? = nil, then: Next)
  /// Start children and wait for them, at most until a wall time, then go on with another stage.
  ///
  /// They exist if and only if this step was written. The run holds no worker's place while it waits.
  /// The next stage reads their outcomes from ``DurableContext/children``. Children that have not ended
  /// when the run goes on are cancelled, but for the detached ones. Without children it goes on at
  /// once. The rules are in <doc:Children>.
  case join([ChildStart], when: JoinPolicy = .all, until: Date? = nil, then: Next)
}

extension DurableStep: Sendable where Next: Sendable, Completion: Sendable {}
extension DurableStep: Equatable where Next: Equatable, Completion: Equatable {}
