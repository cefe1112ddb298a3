import AsyncAlgorithms
import Fieldstone
import Harness

/// Calls of a trivial provider, from their start to their completion.
///
/// The floor is a bare task that goes to the pool and back to the main actor, as a call does. The
/// peers are what is at hand besides, and none of them has policies, retries or a phase.
let loading = Area("loading") {
  recorderOff

  Group("call-1", floor: "bare task, one in flight") {
    bareTasks("bare task, one in flight", count: 1)
    calls("fieldstone, one in flight", count: 1, goals: [.atMost(2)])
    calls("fieldstone with a model and defaults", count: 1, goals: [.atMost(2)]) { _ in
      let integrator = Integrator(provider: Doubling(), model: Doubled.self)
      integrator.defaultHandlers = CallHandlers().onSuccess { _ in }.onError { _ in }
      return { number, countdown in
        integrator.call(number).onCompletion { _ in countdown.tick() }.start()
      }
    }
    loadingPeers("one in flight", count: 1)
  }

  // The floor keeps the threads busy and is woken less often than one call at a time is.
  Group("call-1000", floor: "bare tasks, 1,000 in flight") {
    bareTasks("bare tasks, 1,000 in flight", count: 1_000)
    calls("fieldstone, one in flight", count: 1)
    calls(
      "fieldstone, 1,000 in flight", count: 1_000,
      goals: [.atMostTimes(1.2, of: "fieldstone, one in flight")])
    calls(
      "fieldstone .only(.join), 1,000 on one load", count: 1_000,
      goals: [.atMostTimes(1.2, of: "fieldstone, one in flight")]
    ) { _ in
      let integrator = Integrator(provider: Doubling(), policy: .only(.join))
      return { _, countdown in
        integrator.call(7).onCompletion { _ in countdown.tick() }.start()
      }
    }
    calls(
      "fieldstone .queue, 1,000 waiting", count: 1_000,
      goals: [.atMostTimes(1.2, of: "fieldstone, one in flight")]
    ) { _ in
      let integrator = Integrator(provider: Doubling(), policy: .queue())
      return { number, countdown in
        integrator.call(number).onCompletion { _ in countdown.tick() }.start()
      }
    }
    calls("fieldstone .latest, 999 superseded", count: 1_000) { _ in
      let integrator = Integrator(provider: Doubling(), policy: .latest)
      return { number, countdown in
        integrator.call(number).onCompletion { _ in countdown.tick() }.start()
      }
    }
    loadingPeers("1,000 in flight", count: 1_000)
  }

  Group("call-await", floor: "awaiting a bare task") {
    Case.onMainActor("awaiting a bare task", setup: {}) { _ in
      blackHole(
        try await Task { @concurrent in
          try await Doubling().load(opaque(1), reporting: LoadEvents())
        }.value)
    }
    Case.onMainActor("fieldstone, awaited", setup: { Integrator(provider: Doubling()) }) {
      blackHole(try await $0(opaque(1)))
    }
    Case.onMainActor(
      "AsyncAlgorithms AsyncChannel, to a loader and back", setup: ChannelLoader.init
    ) {
      blackHole(await $0.load(opaque(1)))
    }
  }
}

/// Starts one call and has its completion counted.
private typealias Start = @MainActor (Int, Countdown) -> Void

private func calls(
  _ name: String, count: Int, goals: [Goal] = [],
  _ makeStart: @escaping @MainActor (Countdown) -> Start = { _ in
    let integrator = Integrator(provider: Doubling())
    return { number, countdown in
      integrator.call(number).onCompletion { _ in countdown.tick() }.start()
    }
  }
) -> Case {
  Case.onMainActor(
    name, operations: count, goals: goals,
    setup: {
      let countdown = Countdown()
      return (countdown, makeStart(countdown))
    }
  ) { state in
    let (countdown, start) = state
    await countdown.wait(for: count) {
      for number in 0..<count { start(opaque(number), countdown) }
    }
  }
}

private func bareTasks(_ name: String, count: Int) -> Case {
  Case.onMainActor(name, operations: count, setup: { Countdown() }) { countdown in
    let countdown = countdown
    await countdown.wait(for: count) {
      for number in 0..<count {
        Task { @concurrent in
          let value = try await Doubling().load(opaque(number), reporting: LoadEvents())
          await countdown.tick(value)
        }
      }
    }
  }
}
