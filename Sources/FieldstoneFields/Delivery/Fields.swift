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

  /// Sets fields, and takes everything back if the body throws: values, states and timestamps are
  /// as they were, and nothing is delivered.
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
