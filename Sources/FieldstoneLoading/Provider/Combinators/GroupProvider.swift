import FieldstoneCore

/// Several providers at once, whose outputs are a tuple in the order of the providers.
///
/// ```swift
/// let screen = GroupProvider(profile, messages)
/// let (user, inbox) = try await screen.load((userID, .unread), reporting: events)
/// ```
///
/// Its parameters are a tuple, too, one for each; where all need the same,
/// ``DataProvider/convertingParameters(_:)`` hands it out: `{ (id: Int) in (id, id) }`.
///
/// - The first failure fails the load and cancels the other providers; the load does not
///   wait for one that ignores it. A cancelled load cancels them all and ends at once.
/// - Progress is the mean of the fractions: a provider without one counts as zero, an ended one as
///   one. It is indeterminate until there is a fraction.
/// - Once every provider has an early value or its output, the tuple is an early value.
public struct GroupProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  // Were the providers parameters of this type, the compiler would take its tuples for packs where
  // another combinator is called on a group that is made in the same expression.
  private let members: any DataProvider<Parameters, Output>

  /// Makes a group; one of a single provider is that provider.
  public init<each Member: DataProvider>(_ member: repeat each Member)
  where
    Parameters == (repeat (each Member).Parameters),
    Output == (repeat (each Member).Output)
  {
    let members = GroupMembers(repeat each member)
    self.members = members
  }

  /// Loads with all providers at once.
  ///
  /// - Throws: the first error; `CancellationError` when the task is cancelled.
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
    // Handed on as packs: the compiler crashes on the tuple here.
    let group = GroupLoad(repeat each member, with: repeat each parameters, reporting: events)
    return try await group.value
  }
}
