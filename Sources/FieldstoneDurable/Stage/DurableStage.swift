public import Foundation

/// A stage that uses durability: signals, an idempotency key and writes in its checkpoint.
///
/// A stage that needs none of these stays a `Stage` or `ContextualStage`: a `Codable` one can run
/// durably.
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
  /// The result of the flow; an enum if there are several outcomes.
  associatedtype Completion: Codable & Sendable

  /// The services that the stages work with.
  associatedtype Services: Sendable

  /// Does the work of this stage and returns the next step.
  ///
  /// It runs off the main actor. It runs at least once. After a crash or a stall it may run again,
  /// and may overlap the stalled execution, with the same idempotency key.
  ///
  /// - Throws: any error; the stage is then retried according to its retry policy.
  @concurrent func next(
    in context: DurableContext<Services>
  ) async throws -> DurableStep<Self, Completion>
}

/// A stage type that declares the name and the version of its flow.
///
/// Other types get both at registration.
public protocol VersionedFlow {
  /// The name of the flow, which is the same for all versions and never changes.
  static var flowName: String { get }
  /// The version of the flow: 1 by default, and one more with each change that old code can't read.
  static var flowVersion: Int { get }
}

extension VersionedFlow {
  /// The first version.
  public static var flowVersion: Int { 1 }
}

/// The step after a durable stage: as in `Step`, or a wait for a signal or for children.
public enum DurableStep<Next, Completion> {
  /// Continue with another stage.
  case advance(to: Next)
  /// Complete with this result.
  case complete(Completion)
  /// Wait until a wall time, then continue with another stage.
  case wait(until: Date, then: Next)
  /// Wait for a signal of one of 1 to 16 names, at most until a wall time, then continue with
  /// another stage.
  ///
  /// That stage finds the oldest such signal in its context, or none if time ran out. The signals of
  /// the other names stay with the run, for later waits.
  case receive([String], until: Date? = nil, then: Next)
  /// Start children and wait for them, at most until a wall time, then continue with another stage.
  ///
  /// The children exist if and only if this step was written. The run occupies no worker's place
  /// while it waits. The next stage reads the outcomes from ``DurableContext/children``. When the
  /// run continues, unfinished children are cancelled, except the detached ones. Without children
  /// it continues at once. The rules are in <doc:Children>.
  case join([ChildStart], when: JoinPolicy = .all, until: Date? = nil, then: Next)
}

extension DurableStep: Sendable where Next: Sendable, Completion: Sendable {}
extension DurableStep: Equatable where Next: Equatable, Completion: Equatable {}
