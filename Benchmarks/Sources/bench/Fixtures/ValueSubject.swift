import OpenCombine

/// Combine's way to set a value that others observe.
final class ValueSubject {
  private let subject = CurrentValueSubject<Int, Never>(0)
  private let subscriptions: [AnyCancellable]
  private var round = 0

  init(_ closures: [(Int) -> Void]) {
    let subject = subject
    subscriptions = closures.map { subject.sink(receiveValue: $0) }
  }

  @inline(never)
  func set() {
    round &+= 1
    subject.value = round
  }
}

/// Subjects each of which follows the one before.
final class SubjectChain {
  private let subjects: [CurrentValueSubject<Int?, Never>]
  private let subscriptions: [AnyCancellable]
  private var round = 0

  init(_ count: Int) {
    let subjects = (0..<count).map { _ in CurrentValueSubject<Int?, Never>(nil) }
    subscriptions = zip(subjects, subjects.dropFirst()).map { subject, next in
      subject.sink { [unowned next] in next.value = $0 }
    }
    self.subjects = subjects
  }

  @inline(never)
  func set() {
    round &+= 1
    subjects[0].value = round
  }
}
