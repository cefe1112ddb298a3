extension Field {
  /// Sets the value and says where it comes from.
  ///
  /// An equal value is accepted, too: it moves `updatedAt` and the revision, and is heard by
  /// observers that asked for every set.
  @inlinable
  public final func set(_ newValue: Value?, origin: ChangeOrigin) {
    let stamp = currentStamp
    let wave = wave(beginningAt: stamp)
    DeliveryContext.withCurrent { context in
      _ = store(newValue, origin: origin, wave: wave, stamp: stamp, in: context)
    }
  }
}
