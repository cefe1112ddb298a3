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
