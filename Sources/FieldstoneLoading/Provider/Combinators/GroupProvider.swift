import FieldstoneCore

/// Several concurrent providers, whose outputs form a tuple in the order of the providers.
///
/// ```swift
/// let screen = GroupProvider(profile, messages)
/// let (user, inbox) = try await screen.load((userID, .unread), reporting: events)
/// ```
///
/// Its parameters are also a tuple, one for each provider. If all need the same, make the tuple
/// with ``DataProvider/convertingParameters(_:)``: `{ (id: Int) in (id, id) }`.
///
/// - The first failure fails the load and cancels the other providers; the load does not wait for
///   one that ignores its cancellation. A cancelled load cancels them all and ends at once.
/// - Progress is the mean of the fractions: a provider without a fraction counts as zero, an ended
///   one as one. It is indeterminate until the first fraction is reported.
/// - Once every provider has an early value or its output, the tuple is an early value.
public struct GroupProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  // Not generic over its providers: the compiler would otherwise take its tuples for packs if
  // another combinator is called on the group in the same expression.
  private let members: any DataProvider<Parameters, Output>

  /// Makes a group; a group of a single provider behaves like that provider.
  public init<each Member: DataProvider>(_ member: repeat each Member)
  where
    Parameters == (repeat (each Member).Parameters),
    Output == (repeat (each Member).Output)
  {
    let members = GroupMembers(repeat each member)
    self.members = members
  }

  /// Loads with all providers concurrently.
  ///
  /// - Throws: the first error; `CancellationError` if the task is cancelled.
  @concurrent
  public func load(
    _ parameters: Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    try await members.load(parameters, reporting: events)
  }
}

/// The providers of a group, with their types.
struct GroupMembers<each Member: DataProvider>: DataProvider {
  typealias Parameters = (repeat (each Member).Parameters)
  typealias Output = (repeat (each Member).Output)

  private let member: (repeat each Member)

  init(_ member: repeat each Member) {
    self.member = (repeat each member)
  }

  @concurrent
  func load(_ parameters: Parameters, reporting events: LoadEvents<Output>) async throws -> Output {
    try Task.checkCancellation()
    // Passed on as packs, because the compiler crashes on the tuple here.
    let group = GroupLoad(repeat each member, with: repeat each parameters, reporting: events)
    return try await group.value
  }
}
