/// The runner that a waiting handle expects to bring a run to its end.
public enum ExpectedRunner: Sendable, Hashable, CaseIterable {
  /// Any runner on the journal, of this process or another, also one that is started much later.
  case anyRunner
  /// This one: what it leaves alone will not be done.
  case thisRunner
}
