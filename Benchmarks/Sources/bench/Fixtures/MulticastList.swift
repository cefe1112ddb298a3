import Fieldstone

/// Our own way to tell many.
final class MulticastList {
  private let multicast = Multicast<(Int) -> Void>()
  private let registrations: [Registration]
  private let passing = Tally()
  private var round = 0

  init(_ closures: [(Int) -> Void]) {
    let multicast = multicast
    registrations = closures.map { multicast.add($0) }
  }

  @inline(never)
  func notify() {
    round &+= 1
    multicast.invokeEach { $0(round) }
  }

  @inline(never)
  func churn() {
    multicast.add(passing.closure()).cancel()
  }
}
