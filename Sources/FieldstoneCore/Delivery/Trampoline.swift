/// Runs nested calls one after another: what is called within a call begins after it.
///
/// A chain of any length is released and cancelled on a stack of any size.
package enum Trampoline {
  /// The calls to run, on a thread that is running some.
  private static let slot = ThreadSlot()

  package static func run(_ call: @escaping () -> Void) {
    if let calls = slot.pointer?.assumingMemoryBound(to: [() -> Void].self) {
      return calls.pointee.append(call)
    }
    var calls = [call]
    withUnsafeMutablePointer(to: &calls) { calls in
      slot.pointer = UnsafeMutableRawPointer(calls)
      while !calls.pointee.isEmpty { calls.pointee.removeLast()() }
      slot.pointer = nil
    }
  }
}
