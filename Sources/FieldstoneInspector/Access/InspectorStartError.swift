#if INSPECTOR
  public import FieldstoneCore

  /// The reason why an inspector refuses to serve.
  public enum InspectorStartError: DescribedError, Hashable {
    /// An address other than the loopback address was requested without a password.
    case needsPassword(host: String)
    /// The password is too easy to guess.
    case shortPassword
    /// The process was built for release.
    case releaseBuild

    /// The cause, and the remedy.
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
    /// The minimum length of a password, in characters.
    private static let shortestPassword = 12

    /// Checks whether the options allow serving on an address.
    func check(host: String) throws(InspectorStartError) {
      guard allowsReleaseBuilds || !isReleaseBuild else { throw .releaseBuild }
      if let password, password.count < Self.shortestPassword { throw .shortPassword }
      guard password != nil || host.hasPrefix("127.") else { throw .needsPassword(host: host) }
    }
  }
#endif
