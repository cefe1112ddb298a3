package import Foundation

/// A JSON merge patch, RFC 7396: the members to set, and null for those to remove.
///
/// Values are copied as bytes, so numbers stay exact. Arrays and other values are replaced as a
/// whole.
package struct MergePatch: Sendable {
  private let patch: JSONMembers

  /// Reads a patch.
  ///
  /// - Throws: `JournalError.notJSON`, also for JSON that is not in UTF-8.
  /// - Complexity: O(n) in the number of bytes.
  package init(_ json: Data) throws(JournalError) {
    guard let patch = JSONMembers(json) else { throw .notJSON }
    self.patch = patch
  }

  /// The stage with the patch; nil if the patch changes nothing, or is for another stage.
  ///
  /// A patch that would give a stage of an enum the values of two cases is for another case, and an
  /// object is no patch for a stage that is a string. A stage that is an object with one object in
  /// it counts as an enum's. A stage that is not JSON is left alone.
  ///
  /// - Complexity: O(n + m) in the bytes of the stage and of the patch.
  package func edited(_ stage: Data) -> Data? {
    guard let old = JSONMembers(stage), old.isObject == patch.isObject else { return nil }
    let new = patch.merged(into: old)
    if old.text == new.text { return nil }
    return old.isEnumCase && !new.hasOneMember ? nil : Data(new.text)
  }
}

/// A JSON value: the members of an object in their order, or the bytes of another value.
private indirect enum JSONMembers: Sendable {
  case value([UInt8])
  /// By the bytes of their names: strings of Swift are equal where their bytes are not.
  case object([[UInt8]: Member])

  struct Member: Sendable {
    var place: Int
    /// The name as it is written.
    var name: [UInt8]
    var value: JSONMembers
  }

  /// Reads JSON in UTF-8; nil for other bytes.
  init?(_ json: Data) {
    // This bounds the nesting, and with it the depth of the calls below.
    guard JSONSyntax.isValid(json) else { return nil }
    let scan = JSONScan(Array(json))
    var token = 0
    self.init(scan, at: &token)
  }

  private init(_ scan: JSONScan, at token: inout Int) {
    guard scan.begins(token, with: "{") else {
      let end = scan.end(ofValueAt: token)
      // Without whitespace, so that only values are compared.
      self = .value((token..<end).flatMap { scan.bytes[scan.tokens[$0]] })
      token = end
      return
    }
    var members: [[UInt8]: Member] = [:]
    token += 1
    while scan.begins(token, with: "\"") {
      let written = Array(scan.bytes[scan.tokens[token]])
      let name = scan.string(token).map { Array($0.utf8) } ?? written
      token += 2
      let value = JSONMembers(scan, at: &token)
      // Of members with one name the last counts, in the place of the first.
      let place = members[name]?.place ?? members.count
      members[name] = Member(place: place, name: written, value: value)
      if scan.begins(token, with: ",") { token += 1 }
    }
    token += 1
    self = .object(members)
  }

  var isObject: Bool { if case .object = self { true } else { false } }

  /// Whether it is an object with one member, of any kind.
  var hasOneMember: Bool {
    if case .object(let members) = self { members.count == 1 } else { false }
  }

  /// Whether it can be an enum's case: a synthesised conformance writes its values as an object.
  var isEnumCase: Bool {
    guard case .object(let members) = self, members.count == 1 else { return false }
    return members.values.allSatisfy(\.value.isObject)
  }

  private var isNull: Bool {
    if case .value(let bytes) = self { bytes == Array("null".utf8) } else { false }
  }

  /// Another value with this one as its patch.
  func merged(into target: JSONMembers) -> JSONMembers {
    guard case .object(let patch) = self else { return self }
    var members: [[UInt8]: Member] = [:]
    if case .object(let old) = target { members = old }
    // Behind all old ones, also where some are removed.
    var place = members.count
    for (name, member) in patch.sorted(by: { $0.value.place < $1.value.place }) {
      if member.value.isNull {
        members[name] = nil
      } else if let old = members[name] {
        members[name]?.value = member.value.merged(into: old.value)
      } else {
        // Nulls within a new object remove nothing.
        members[name] = Member(
          place: place, name: member.name, value: member.value.merged(into: .object([:])))
        place += 1
      }
    }
    return .object(members)
  }

  /// The value as compact JSON.
  var text: [UInt8] {
    var text: [UInt8] = []
    write(to: &text)
    return text
  }

  private func write(to text: inout [UInt8]) {
    guard case .object(let members) = self else {
      if case .value(let bytes) = self { text += bytes }
      return
    }
    text.append(UInt8(ascii: "{"))
    for (index, member) in members.values.sorted(by: { $0.place < $1.place }).enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += member.name
      text.append(UInt8(ascii: ":"))
      member.value.write(to: &text)
    }
    text.append(UInt8(ascii: "}"))
  }
}

extension JSONScan {
  fileprivate func begins(_ token: Int, with character: Unicode.Scalar) -> Bool {
    token < tokens.count && byte(token) == UInt8(ascii: character)
  }
}
