/// The browser sessions of a site, as a pure state machine; a one-time token opens the first.
package struct SessionTable: Sendable {
  /// The token, until it is used.
  private var token: String?
  /// The secrets of the sessions, oldest first.
  private var sessions: [String] = []

  /// The maximum number of sessions; one more ends the oldest.
  private static let limit = 64

  package init(token: String) {
    self.token = token
  }

  /// Opens a session with the token, which is then used up; nil for any other text.
  package mutating func open(
    _ shown: String, secret: @autoclosure () -> String = Secret.make()
  ) -> String? {
    guard let token, Secret.isSame(shown, token) else { return nil }
    self.token = nil
    return add(secret())
  }

  /// Opens a session for an authenticated client.
  package mutating func add(_ secret: String) -> String {
    if sessions.count >= Self.limit { sessions.removeFirst() }
    sessions.append(secret)
    return secret
  }

  /// Whether a secret belongs to one of the sessions, of which there are at most 64.
  package func isOpen(_ secret: String) -> Bool {
    sessions.reduce(false) { Secret.isSame($1, secret) || $0 }
  }
}
