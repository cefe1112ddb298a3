import FieldstoneDurable

/// A part of the steps behind a run, the oldest first.
struct ShownSteps {
  var steps: [StepRecord] = []
  /// How many of the steps that are still there are older than these.
  var older = 0
  /// Whether nothing but the run itself comes after them.
  var endsAtRun = true

  /// What the part before these ends at; nil when there is none.
  var next: Int? { older > 0 ? steps.first?.sequence : nil }
}
