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
