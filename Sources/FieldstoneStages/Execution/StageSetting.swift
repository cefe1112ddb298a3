/// What surrounds the stages of a sequence: their services, and how they are executed.
///
/// A class, so that sequences and their iterators copy a reference: each program has code for every
/// way to copy each of their parts, which was 30 KB.
@usableFromInline
final class StageSetting<Work: ContextualStage>: Sendable {
  @usableFromInline let context: Work.Context
  @usableFromInline let options: ExecutionOptions<Work>

  @inlinable
  init(context: Work.Context, options: ExecutionOptions<Work>) {
    self.context = context
    self.options = options
  }
}
