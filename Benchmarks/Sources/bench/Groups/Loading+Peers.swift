import Fieldstone
import Foundation
import Harness
import OpenCombine
import OpenCombineDispatch

/// What others have for a load off the main actor that is heard of on it.
@ListBuilder<Case>
func loadingPeers(_ name: String, count: Int) -> [Case] {
  Case.onMainActor(
    "OpenCombine Future, received on the main queue, \(name)", operations: count,
    setup: { Countdown() }
  ) { countdown in
    let countdown = countdown
    var subscriptions: [AnyCancellable] = []
    subscriptions.reserveCapacity(count)
    await countdown.wait(for: count) {
      for number in 0..<count {
        subscriptions.append(
          loadedByFuture(opaque(number)).receive(on: DispatchQueue.main.ocombine).sink(
            receiveCompletion: { _ in },
            receiveValue: { value in MainDispatch.sync { countdown.tick(value) } }))
      }
    }
    blackHole(subscriptions.count)
  }
  Case.onMainActor(
    "Foundation BlockOperation, and back by the main queue, \(name)", operations: count,
    setup: { (Countdown(), OperationQueue()) }
  ) { state in
    let (countdown, queue) = state
    await countdown.wait(for: count) {
      for number in 0..<count {
        let number = opaque(number)
        queue.addOperation {
          let value = number * 2
          DispatchQueue.main.async { MainDispatch.sync { countdown.tick(value) } }
        }
      }
    }
  }
}

private func loadedByFuture(_ number: Int) -> Future<Int, any Error> {
  Future { promise in
    // It is called once, and from nowhere else.
    nonisolated(unsafe) let promise = promise
    Task { @concurrent in
      promise(.success(try await Doubling().load(number, reporting: LoadEvents())))
    }
  }
}
