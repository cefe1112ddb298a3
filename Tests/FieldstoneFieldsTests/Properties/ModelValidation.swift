/// What validation promises, written as plainly as possible: every state is computed anew.
///
/// Three numbers. The first must not be negative; the second not either, nor be less than the
/// first; the third must not be the second, and somebody far away has to say that it is even.
struct ModelValidation {
  enum Answer: Equatable {
    case none
    case asked(Int)
    case found([String])
  }

  struct Judgement: Equatable {
    var found: [String]
    var source: Int?
  }

  struct Number: Equatable {
    var value: Int?
    var isKnown = false
    var judgement: Judgement?
    var answer = Answer.none
    var added: [String] = []
  }

  enum State: Equatable {
    case unknown, validating, valid
    case invalid([String])
  }

  static let count = 3
  private(set) var numbers = Array(repeating: Number(), count: count)
  private var batches: [[Number]] = []
  private(set) var lastQuestion = -1

  var isInBatch: Bool { !batches.isEmpty }

  /// The number that a rule of another one looks at.
  private func source(of index: Int) -> Int? { index == 0 ? nil : index - 1 }

  private func sourceValue(of index: Int) -> Int? {
    source(of: index).flatMap { numbers[$0].value }
  }

  private func isCurrent(_ index: Int) -> Bool {
    numbers[index].judgement.map { $0.source == sourceValue(of: index) } ?? false
  }

  func state(of index: Int) -> State {
    let number = numbers[index]
    let found = isCurrent(index) ? number.judgement?.found ?? [] : []
    var answers: [String] = []
    if isCurrent(index), case .found(let codes) = number.answer { answers = codes }
    if !number.added.isEmpty { return .invalid(found + answers + number.added) }
    guard isCurrent(index) else { return .unknown }
    if !found.isEmpty { return .invalid(found) }
    guard index == 2 else { return .valid }
    switch number.answer {
    case .none: return .unknown
    case .asked: return .validating
    case .found(let codes): return codes.isEmpty ? .valid : .invalid(codes)
    }
  }

  // MARK: - What is done

  mutating func set(_ index: Int, to value: Int?) {
    let isChange = numbers[index].value != value || !numbers[index].isKnown
    numbers[index].added = []
    numbers[index].value = value
    numbers[index].isKnown = true
    guard isChange else { return }
    numbers[index].judgement = nil
    numbers[index].answer = .none
    if !isInBatch { judgeFollower(of: index) }
  }

  mutating func validate(_ index: Int) {
    numbers[index].added = []
    judge(index)
  }

  mutating func askWhetherValid(_ index: Int) {
    if !isCurrent(index) { judge(index) }
  }

  mutating func add(_ code: String, to index: Int) {
    numbers[index].added.append(code)
  }

  mutating func removeAdded(from index: Int) {
    numbers[index].added = []
  }

  /// Asks about the last number; nil when there is nothing to ask.
  mutating func ask() -> Int? {
    guard isCurrent(2), numbers[2].judgement?.found == [] else { return nil }
    if case .asked = numbers[2].answer { return nil }
    guard numbers[2].value != nil else {
      numbers[2].answer = .found([])
      return nil
    }
    lastQuestion += 1
    numbers[2].answer = .asked(lastQuestion)
    return lastQuestion
  }

  mutating func answer(_ question: Int, isEven: Bool) {
    guard numbers[2].answer == .asked(question) else { return }
    numbers[2].answer = .found(isEven ? [] : ["odd"])
  }

  mutating func cancel(_ question: Int) {
    if numbers[2].answer == .asked(question) { numbers[2].answer = .none }
  }

  mutating func openBatch() {
    batches.append(numbers)
  }

  mutating func closeBatch() {
    let before = batches.removeLast()
    if isInBatch { return }
    for (index, old) in before.enumerated() {
      let isSame = numbers[index].value == old.value && numbers[index].isKnown == old.isKnown
      guard isSame else { continue }
      if numbers[index].judgement == nil {
        numbers[index].judgement = old.judgement
        numbers[index].answer = old.answer
      } else if numbers[index].judgement?.found == [], numbers[index].answer == .none {
        numbers[index].answer = old.answer
      }
    }
    for (index, old) in before.enumerated()
    where numbers[index].value != old.value || numbers[index].isKnown != old.isKnown {
      judgeFollower(of: index)
    }
  }

  mutating func takeBackBatch() {
    numbers = batches.removeLast()
  }

  private mutating func judgeFollower(of index: Int) {
    let follower = index + 1
    if follower < Self.count, numbers[follower].judgement != nil { judge(follower) }
  }

  private mutating func judge(_ index: Int) {
    let (value, source) = (numbers[index].value, sourceValue(of: index))
    var found: [String] = []
    if let value {
      if index < 2, value < 0 { found.append("tooSmall") }
      if index == 1, let source, value < source { found.append("order") }
      if index == 2, value == source { found.append("same") }
    } else if index == 0 {
      found.append("required")
    }
    numbers[index].judgement = Judgement(found: found, source: source)
    if !found.isEmpty { numbers[index].answer = .none }
  }
}
