import FieldstoneDurable

extension FlowOptions {
  /// One run at a time, and each stage once unless it is cut short.
  ///
  /// A crash may come from outside, any number of times; an error is for a person to look at.
  static var oneAtATime: FlowOptions {
    FlowOptions(maxConcurrent: 1, retryPolicy: { _ in .never }, maximumLoneCrashes: 1_000)
  }
}
