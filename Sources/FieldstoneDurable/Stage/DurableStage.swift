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
