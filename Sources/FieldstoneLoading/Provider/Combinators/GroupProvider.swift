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
/// - The first failure fails the load and cancels the other providers; nobody waits for one that
///   does not heed it. A cancelled load cancels them all and ends at once.
/// - Progress is the mean of the fractions: a provider that has not told one counts as zero, one
///   that has ended as one. It is indeterminate until there is a fraction.
/// - Once every provider has an early value or its output, the tuple is an early value.
public struct GroupProvider<each Member: DataProvider>: DataProvider {
  /// The parameters of each provider.
  public typealias Parameters = (repeat (each Member).Parameters)
  /// The output of each provider.
  public typealias Output = (repeat (each Member).Output)

  private let member: (repeat each Member)

  /// Makes a group; one of a single provider is that provider.
  public init(_ member: repeat each Member) {
    self.member = (repeat each member)
  }

  /// Loads with all providers at once.
  ///
  /// - Throws: the first error; `CancellationError` when the task is cancelled.
  @concurrent
  public func load(
    _ parameters: Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    try Task.checkCancellation()
    // Handed on as packs: the compiler crashes on the tuple here.
    let group = GroupLoad(repeat each member, with: repeat each parameters, reporting: events)
    return try await group.value
  }

  /// Makes a group that takes other parameters, such as one for all.
  ///
  /// The same as ``DataProvider/convertingParameters(_:)``, which the compiler does not see to be
  /// about a tuple.
  public func convertingParameters<New: Sendable>(
    _ convert: @escaping @Sendable (New) async throws -> (repeat (each Member).Parameters)
  ) -> ConvertProvider<Self, New> {
    ConvertProvider(self, convert)
  }
}
