import FieldstoneCore

/// The shell of a production line: it starts tasks and notifies consumers, outside the lock.
///
/// It is separate from ``ProductionLine``: work under way retains the dispatcher, but not the line.
final class ProductionLineDispatcher<Work: ContextualStage>: Sendable {
  /// A stage with the execution that its owner holds.
  struct Entry: Sendable {
    let stage: Work
    let execution: StageExecution<Work.Completion>
  }

  private typealias Box = Mailbox<Outcome<Work.Completion>>

  private struct Protected {
    var line: ProductionLineState<Entry>
    var outlets: [ProductionLineOutlet<Work.Completion>] = []
  }

  private let context: Work.Context
  private let options: ExecutionOptions<Work>
  private let state: Locked<Protected>

  init(bound: Int, context: Work.Context, options: ExecutionOptions<Work>) {
    self.context = context
    self.options = options
    state = Locked(Protected(line: ProductionLineState(bound: bound)))
  }

  var pendingCount: Int { state.withLock { $0.line.pending.count } }
  var runningCount: Int { state.withLock { $0.line.running.count } }
  var isSuspended: Bool { state.withLock { $0.line.isSuspended } }

  func add(_ stage: Work) -> StageExecution<Work.Completion> {
    let execution = StageExecution<Work.Completion>()
    guard let number = state.withLock({ $0.line.reserve() }) else {
      execution.cancel(.released)
      return execution
    }
    // The handler is set before the execution can start, so that it receives even an early end.
    execution.whenEnded { self.ended(number, with: $0) }
    execution.waitForTurn(of: Work.self)
    let entry = Entry(stage: stage, execution: execution)
    state.withLock { $0.line.add(entry, as: number) }
    startWhatMay()
    return execution
  }

  func suspend() {
    state.withLock { $0.line.suspend() }
  }

  func resume() {
    state.withLock { $0.line.resume() }
    startWhatMay()
  }

  func finish() {
    state.withLock { $0.line.finish() }
    closeIfDone()
  }

  func cancelPending(_ reason: CancellationReason) {
    // They leave the line together: while one of them is cancelled, a stage that stops could start
    // the next one.
    for entry in state.withLock({ $0.line.takePending() }) { entry.execution.cancel(reason) }
  }

  func cancelAll() {
    let entries = state.withLock { $0.line.takePending() + $0.line.runningInOrder }
    for entry in entries { entry.execution.cancel(.caller) }
  }

  func ownerWasReleased() {
    finish()
    if isSuspended { cancelPending(.released) }
  }

  func results(order: ProductionLineOrder) -> ProductionLineResults<Work.Completion> {
    let mailbox = Box()
    state.withLock { state in
      state.outlets.append(
        ProductionLineOutlet(
          mailbox: mailbox, order: order, firstNumber: state.line.nextNumber))
    }
    closeIfDone()
    return ProductionLineResults(mailbox: mailbox)
  }

  private func startWhatMay() {
    while let (number, entry) = state.withLock({ $0.line.startNext() }) {
      // The task at hand may be that of another stage, with the values of another caller.
      entry.execution.start(entry.stage, in: context, options: options, isDetached: true) {
        self.stopped(number)
      }
    }
  }

  // Removed entries are returned from the lock and released outside it: the deinitialisers of
  // stages and completions may run users' code that uses the line.

  private func stopped(_ number: Int) {
    let entry = state.withLock { $0.line.stopped(number) }
    withExtendedLifetime(entry) {}
    startWhatMay()
  }

  private func ended(_ number: Int, with outcome: Outcome<Work.Completion>) {
    let (entry, outlets, deliveries) = state.withLock { state in
      let entry = state.line.ended(number)
      var released: [ProductionLineOutlet<Work.Completion>] = []
      var deliveries: [(mailbox: Box, resumptions: [Box.Resumption])] = []
      for index in state.outlets.indices.reversed() {
        guard let mailbox = state.outlets[index].mailbox else {
          released.append(state.outlets.remove(at: index))
          continue
        }
        let ready = state.outlets[index].take(outcome, of: number)
        deliveries.append((mailbox, ready.map { mailbox.push($0) }))
      }
      return (entry, released, deliveries)
    }
    withExtendedLifetime((entry, outlets)) {}
    for delivery in deliveries {
      for resumption in delivery.resumptions { resumption() }
    }
    closeIfDone()
  }

  private func closeIfDone() {
    let outlets = state.withLock { state -> [ProductionLineOutlet<Work.Completion>] in
      guard state.line.isDone else { return [] }
      defer { state.outlets = [] }
      return state.outlets
    }
    for outlet in outlets { outlet.mailbox?.finish()() }
  }
}

/// Orders the outcomes of a line for one consumer.
struct ProductionLineOutlet<Completion: Sendable> {
  /// Weak, because a deallocated consumer needs no results.
  private(set) weak var mailbox: Mailbox<Outcome<Completion>>?
  private let order: ProductionLineOrder
  private let firstNumber: Int
  private var nextNumber: Int
  private var held: [Int: Outcome<Completion>] = [:]

  init(
    mailbox: Mailbox<Outcome<Completion>>, order: ProductionLineOrder, firstNumber: Int
  ) {
    self.mailbox = mailbox
    self.order = order
    self.firstNumber = firstNumber
    self.nextNumber = firstNumber
  }

  /// Takes an outcome, and returns the outcomes that can be delivered now.
  mutating func take(_ outcome: Outcome<Completion>, of number: Int) -> [Outcome<Completion>] {
    if number < firstNumber { return [] }
    guard order == .input else { return [outcome] }
    held[number] = outcome
    var ready: [Outcome<Completion>] = []
    while let outcome = held.removeValue(forKey: nextNumber) {
      ready.append(outcome)
      nextNumber += 1
    }
    return ready
  }
}
