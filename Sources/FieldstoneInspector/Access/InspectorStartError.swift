#if INSPECTOR
  public import FieldstoneCore

  /// A reason why an inspector does not serve.
  public enum InspectorStartError: DescribedError, Hashable {
    /// Another address than the loopback's is asked for without a password.
    case needsPassword(host: String)
    /// The password is too easy to guess.
    case shortPassword
    /// The process was built for release.
    case releaseBuild

    /// What went wrong and what to do about it.
    public var message: String {
      switch self {
      case .needsPassword(let host):
        "Other machines can reach \(host), so it is not served without a password; give one."
      case .shortPassword: "The password is too short; take one of 12 characters or more."
      case .releaseBuild:
        "The inspector does not serve in release builds; set allowsReleaseBuilds of its options where "
          + "that is meant."
      }
    }
  }

  extension InspectorOptions {
    /// The shortest password, in characters.
    private static let shortestPassword = 12

    /// Checks that an address of this machine may be served on.
    func check(host: String) throws(InspectorStartError) {
      guard allowsReleaseBuilds || !isReleaseBuild else { throw .releaseBuild }
      if let password, password.count < Self.shortestPassword { throw .shortPassword }
      guard password != nil || host.hasPrefix("127.") else { throw .needsPassword(host: host) }
    }
  }
#endif
