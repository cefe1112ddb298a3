import Foundation

/// Foundation's way to tell many.
final class NotificationList {
  private let center = NotificationCenter()
  private let name = Notification.Name("told")
  private let tokens: [any NSObjectProtocol]
  private let passing = Tally()
  private var round = 0

  init(_ tallies: [Tally]) {
    let (center, name) = (center, name)
    tokens = tallies.map { Self.add($0, to: center, name: name) }
  }

  deinit {
    for token in tokens { center.removeObserver(token) }
  }

  @inline(never)
  func notify() {
    round &+= 1
    center.post(name: name, object: nil, userInfo: ["round": round])
  }

  @inline(never)
  func churn() {
    center.removeObserver(Self.add(passing, to: center, name: name))
  }

  private static func add(
    _ tally: Tally, to center: NotificationCenter, name: Notification.Name
  ) -> any NSObjectProtocol {
    center.addObserver(forName: name, object: nil, queue: nil) { notification in
      if let round = notification.userInfo?["round"] as? Int { tally.add(round) }
    }
  }
}
