/// Objects to read from, one after the other, so that no read can be moved out of the loop.
///
/// They are reached without retaining them, which would cost more than the read.
final class Shelf<Object: AnyObject> {
  private let objects: [Unmanaged<Object>]

  init(_ objects: [Object]) {
    self.objects = objects.map { .passRetained($0) }
  }

  deinit {
    for object in objects { object.release() }
  }

  @inline(__always)
  func total(_ value: (Object) -> Int) -> Int {
    var total = 0
    for object in objects { total &+= object._withUnsafeGuaranteedRef { value($0) } }
    return total
  }
}
