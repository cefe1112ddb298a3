import OpenCombine

/// Combine's way to tell many.
final class SubjectList {
  private let subject = PassthroughSubject<Int, Never>()
  private let subscriptions: [AnyCancellable]
  private let passing = Tally()
  private var round = 0

  init(_ closures: [(Int) -> Void]) {
    let subject = subject
    subscriptions = closures.map { subject.sink(receiveValue: $0) }
  }

  @inline(never)
  func notify() {
    round &+= 1
    subject.send(round)
  }

  @inline(never)
  func churn() {
    subject.sink(receiveValue: passing.closure()).cancel()
  }
}
