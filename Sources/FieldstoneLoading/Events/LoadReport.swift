import FieldstoneCore

/// What a load has to say: how far it is, what can be shown early, and how it ends.
indirect enum LoadReport<Output: Sendable>: Sendable {
  // Indirect, so that it has one size for all outputs: its code is then not generic, and small.

  case progress(LoadProgress)
  case early(Output)
  case end(Outcome<Output>)
}
