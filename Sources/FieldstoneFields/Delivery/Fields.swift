/// Sets several fields as one: in a batch, or in a transaction that can be taken back.
public enum Fields {
  /// Sets fields, and delivers at the end: each field that has changed once, from its value before
  /// the batch to the one after it.
  ///
  /// A field that ends as it began is not delivered. Values are stored at once, and can be read
  /// inside. Batches inside batches end with the outermost one. The body is synchronous, as is the
  /// delivery.
  ///
  /// - Throws: what the body throws; what was set until then stays and is delivered.
  public static func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
    let context = DeliveryContext.current
    context.openBatch()
    defer { context.closeBatch() }
    return try body()
  }

  /// Runs a body inside an observer in which fields are delivered at once.
  ///
  /// An observer that runs a loop of its own, such as a modal panel of macOS, keeps its delivery from
  /// going on: whatever the loop's events set on this thread would be delivered when the observer
  /// returns.
  ///
  /// ```swift
  /// hasConflict.observe(owner: window) { window, change in
  ///   if change.new == true { Fields.deliverInside { alert.runModal() } }
  /// }
  /// ```
  ///
  /// What waits is delivered before the body. Observers that heard a newer change inside do not hear
  /// the older one that the observer was called for. Outside of an observer, and inside a batch or
  /// a transaction, which are delivered as a whole, it only calls the body.
  ///
  /// - Throws: what the body throws.
  public static func deliverInside<Result>(_ body: () throws -> Result) rethrows -> Result {
    try DeliveryContext.current.deliverInside(body)
  }

  /// Sets fields, and takes everything back if the body throws.
  ///
  /// Values, states and timestamps are as they were then, and nothing is delivered; only observers
  /// and bindings that were registered inside hear the values that are there again.
  ///
  /// Otherwise it is as a ``batch(_:)``. A transaction inside another one takes back its own part.
  ///
  /// - Throws: what the body throws.
  public static func transaction<Result>(_ body: () throws -> Result) rethrows -> Result {
    let context = DeliveryContext.current
    context.openBatch()
    do {
      let result = try body()
      context.closeBatch()
      return result
    } catch {
      context.takeBackBatch()
      throw error
    }
  }
}
