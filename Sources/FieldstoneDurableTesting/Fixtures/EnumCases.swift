import CFieldstone

/// The cases of an enum, by the names that the code has for them.
enum EnumCases {
  /// All cases of a type; none for what is no enum, and where names were left out of the build.
  static func names(of type: Any.Type) -> [String] {
    let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
    var names: [String] = []
    while let name = fieldstone_enum_case_name(type, UInt32(names.count)) {
      names.append(String(cString: name))
    }
    return names
  }

  /// The case that a value has; nil for what is no enum, and where names were left out of the build.
  static func name<Value>(of value: Value) -> String? {
    let type = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
    return withUnsafePointer(to: value) { value in
      fieldstone_case_name_of(UnsafeRawPointer(value), type).map { String(cString: $0) }
    }
  }
}
