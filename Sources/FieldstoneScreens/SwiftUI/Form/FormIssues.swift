#if canImport(SwiftUI)
  import FieldstoneFields
  import SwiftUI

  /// What is wrong, each with a sign: the colour alone says nothing to some.
  struct FormIssues: View {
    let issues: [FieldIssue]
    let name: String
    let messages: FieldMessages

    var body: some View {
      ForEach(Array(issues.enumerated()), id: \.offset) { _, issue in
        Label(
          messages.sentence(for: issue, name: name),
          systemImage: issue.isError ? "exclamationmark.circle" : "exclamationmark.triangle"
        )
        .font(.footnote)
        .foregroundStyle(issue.isError ? Color.red : Color.orange)
      }
    }
  }
#endif
