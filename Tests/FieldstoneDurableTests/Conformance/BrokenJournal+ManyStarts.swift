import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in how many runs are started in one call.
extension BrokenJournal {
  static var manyStarts: [Self] {
    [
      Self(.starts, "one that is refused takes all others with it") {
        $0.onStarts = { base, starts, time in
          let answers = await base.start(starts, at: time)
          guard let bad = answers.first(where: { (try? $0.get()) == nil }) else { return answers }
          return starts.map { _ in bad }
        }
      },
      Self(.starts, "the last of many is answered and not written") {
        $0.onStarts = { base, starts, time in
          guard starts.count > 20 else { return await base.start(starts, at: time) }
          var answers = await base.start(starts.filter { $0.priority == 0 }, at: time)
          answers.insert(answers[19], at: 20)
          return answers
        }
      },
      Self(.starts, "the answers come in another order") {
        $0.onStarts = { base, starts, time in await base.start(starts, at: time).reversed() }
      },
      Self(.starts, "a key within a call is not looked at") {
        $0.onStarts = { base, starts, time in
          var starts = starts
          if starts.count > 9 { starts[9].key = nil }
          return await base.start(starts, at: time)
        }
      },
    ]
  }
}
