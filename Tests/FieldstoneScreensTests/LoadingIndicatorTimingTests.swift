import FieldstoneScreens
import FieldstoneTesting
import Testing

@Suite("The timing of a loading view")
struct LoadingIndicatorTimingTests {
  /// A view that says that something is under way, or another one.
  struct View: Equatable {
    var number: Int
    var isLoading: Bool
  }

  /// What was asked for, and since when, and what was shown, and since when.
  struct Model {
    let timing: LoadingTiming
    var wanted = View(number: 0, isLoading: false)
    var wantedSince = Duration.zero
    var shown = View(number: 0, isLoading: false)
    var shownSince = Duration.zero

    mutating func want(_ view: View, at now: Duration) {
      if view.isLoading != wanted.isLoading { wantedSince = now }
      wanted = view
      look(at: now)
    }

    mutating func look(at now: Duration) {
      if wanted.isLoading, !shown.isLoading, now - wantedSince >= timing.delay {
        (shown, shownSince) = (wanted, now)
      }
      if !wanted.isLoading, !shown.isLoading || now - shownSince >= timing.minimum {
        shown = wanted
      }
    }
  }

  @Test("It shows what a plain description says, at every millisecond", arguments: 0..<40)
  func model(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let timing = LoadingTiming(
      delay: .milliseconds(Int.random(in: 0...5, using: &generator)),
      minimum: .milliseconds(Int.random(in: 0...5, using: &generator)))
    var model = Model(timing: timing)
    var indicator = LoadingIndicatorTiming(timing, showing: model.shown)
    var due: Duration?
    for step in 1...400 {
      let now = Duration.milliseconds(step)
      if Int.random(in: 0..<4, using: &generator) == 0 {
        let view = View(number: step, isLoading: .random(using: &generator))
        model.want(view, at: now)
        due = indicator.update(view, isLoading: view.isLoading, at: now)
      } else {
        model.look(at: now)
        // It is asked again when it said so, and only then.
        if let time = due, now >= time {
          due = indicator.update(model.wanted, isLoading: model.wanted.isLoading, at: now)
        }
      }
      let isRight =
        model.shown.isLoading
        ? indicator.shown.isLoading : indicator.shown == model.shown
      #expect(isRight, "seed \(seed), \(timing), at \(now): \(indicator.shown), not \(model.shown)")
      if let due { #expect(due > now, "seed \(seed), at \(now)") }
      if !isRight { return }
    }
  }

  @Test("Without a timing everything is shown at once")
  func immediate() {
    var indicator = LoadingIndicatorTiming(.immediate, showing: 0)
    for number in 1...4 {
      #expect(indicator.update(number, isLoading: number % 2 == 0, at: .zero) == nil)
      #expect(indicator.shown == number)
    }
  }

  @Test("Durations below zero count as zero")
  func negative() {
    #expect(LoadingTiming(delay: .seconds(-1), minimum: .seconds(-2)) == .immediate)
  }
}
