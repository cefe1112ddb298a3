/// The page for what can't be shown.
struct ProblemView {
  let title: String
  let text: String

  var html: HTML {
    Layout(title: title).page(
      """
      <div class="problem">
      <h1>\(title)</h1>
      <p>\(text)</p>
      <p><a href="/">See all airports</a></p>
      </div>
      """)
  }
}
