/// What a field was before a batch or a transaction.
struct FieldSnapshot {
  let value: Any
  let flags: FieldFlags
  let updateStamp: Double
  let changeStamp: Double
  var revision: Int
  let error: (any Error)?
  let issues: [FieldIssue]
  var validation: FieldValidation.Snapshot?
  var origin: ChangeOrigin = .code
  /// The identities of the items, of a field that has items.
  var items: [FieldItemID] = []
}
