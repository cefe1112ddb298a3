import FieldstoneTesting

extension Gate {
  /// Waits as work does that does not heed its cancellation, which opens the other gate.
  func wait(cancellationOpens cancelled: Gate) async {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      cancelled.open()
    }
  }
}
