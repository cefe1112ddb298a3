/// A stage whose work never suspends, and which therefore runs in a plain loop.
///
/// Give `next()` without `async`, and `execute` picks the loop by itself, also from asynchronous
/// and from generic code. From code that is not asynchronous there is ``execute()``.
public protocol SynchronousStage<Completion>: Stage {
  /// What comes out at the end; an enum where there are several outcomes.
  associatedtype Completion

  /// Does the work of this stage and tells what follows.
  ///
  /// - Throws: any error, which ends the execution.
  func next() throws -> Step<Self, Completion>
}
