/// Finds the circles in which fields set each other, in the last rounds before they are stopped.
struct CircleFinder {
  /// Fields that were set suspiciously often, with the one whose observers or bindings did it last.
  private var setters: [ObjectIdentifier: (field: AnyField, setter: AnyField?)] = [:]

  /// Those that were set too often, in order.
  private var stopped: [AnyField] = []

  var isEmpty: Bool { setters.isEmpty }

  /// Takes down a set of a suspicious field.
  mutating func note(_ field: AnyField, setBy setter: AnyField?) {
    setters[ObjectIdentifier(field)] = (field, setter)
  }

  /// Takes down that a field was set once too often.
  mutating func stop(_ field: AnyField) {
    stopped.append(field)
  }

  /// Reports each circle once, however many of its fields were stopped.
  func report() {
    let paths = stopped.map { path(to: $0) }
    var reported: Set<ObjectIdentifier> = []
    // Circles first: a field that was only led to by one is no news.
    for path in paths.filter(\.isCircle) + paths.filter({ !$0.isCircle }) {
      let fields = path.fields.map { ObjectIdentifier($0) }
      if path.isCircle ? reported.isSuperset(of: fields) : !reported.isEmpty { continue }
      reported.formUnion(fields)
      UnsettledFields(path.fields).report()
    }
  }

  /// The circle that led to a field, from itself to itself where it is part of it; otherwise what
  /// is known of the way to it.
  private func path(to field: AnyField) -> (fields: [AnyField], isCircle: Bool) {
    var way = [field]
    var places = [ObjectIdentifier(field): 0]
    while let last = way.last, let setter = setters[ObjectIdentifier(last)]?.setter {
      if let start = places[ObjectIdentifier(setter)] {
        return ([setter] + way[start...].reversed(), true)
      }
      places[ObjectIdentifier(setter)] = way.count
      way.append(setter)
    }
    return (way.reversed(), false)
  }
}
