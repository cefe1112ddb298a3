/// The browsers that may use a site: a token for one use opens a session; a pure state machine.
package struct SessionTable: Sendable {
  /// The token that was not used yet.
  private var token: String?
  /// The secrets of the sessions, the oldest first.
  private var sessions: [String] = []

  /// The most sessions; another one ends the oldest.
  private static let limit = 64

  package init(token: String) {
    self.token = token
  }

  /// Opens a session by the token, which is of no use afterwards; nil for any other text.
  package mutating func open(
    _ shown: String, secret: @autoclosure () -> String = Secret.make()
  ) -> String? {
    guard let token, Secret.isSame(shown, token) else { return nil }
    self.token = nil
    return add(secret())
  }

  /// Opens a session for a person who is known.
  package mutating func add(_ secret: String) -> String {
    if sessions.count >= Self.limit { sessions.removeFirst() }
    sessions.append(secret)
    return secret
  }

  /// Whether a secret is that of one of at most 64 sessions.
  package func isOpen(_ secret: String) -> Bool {
    sessions.reduce(false) { Secret.isSame($1, secret) || $0 }
  }
}
