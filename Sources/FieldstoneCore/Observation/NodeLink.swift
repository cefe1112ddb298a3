/// What a list knows of its nodes, whatever their callbacks: so that the code which links them is
/// compiled once, and not for each type of callback or for none.
@usableFromInline
package class NodeLink {
  /// What the owner of the list tells nodes apart by.
  @usableFromInline package final let kind: UInt8

  @exclusivity(unchecked) @usableFromInline package final var isLive = true

  /// The sequence in the number of its registration; zero when it has none.
  @exclusivity(unchecked) final var sequence: UInt32 = 0

  @exclusivity(unchecked) final var previous: Unmanaged<NodeLink>?
  @exclusivity(unchecked) @usableFromInline final var next: Unmanaged<NodeLink>?

  @usableFromInline
  init(kind: UInt8) {
    self.kind = kind
  }
}
