// snippet: first-lines
import Fieldstone

let age = Field<Int>("Age").require(.range(18...120))
age.value = 12
print(age.isValid, age.issues.map(\.text))  // false ["must be at least 18"]
// end

// snippet: first-submit
let signUp = SignUp()
signUp.form["Name"]?.text = "Ada"  // what a person types
signUp.form["Age"]?.text = "seventeen"
await submit()
signUp.form["Age"]?.text = "36"
await submit()

@MainActor func submit() async {
  let outcome = await signUp.form.submit {
    print("Sent:", String(decoding: try signUp.form.json(), as: UTF8.self))
  }
  guard case .failure(let error) = outcome else { return }
  print(error)
  for field in signUp.form.sections.flatMap(\.fields) where !field.messages.isEmpty {
    print("-", field.label, field.messages.joined(separator: ", "))
  }
}
// end

// snippet: first-list
let articles = PaginatedList(provider: ArticlePages())
let screen = ScreenModel(articles)
screen.appear()
for await state in screen.states() {
  switch state {
  case .initial, .blank, .loading:
    print("Loading …")
    continue
  case .primary: show()
  case .noResults: print("There are no articles.")
  case .retry(let error): print(error)
  }
  break
}
while articles.hasMore, case .success = await articles.loadMore().outcome { show() }

@MainActor func show() { print(articles.items.map(\.title).joined(separator: ", ")) }
// end

// snippet: first-store
let store = FileStore<Settings>(at: Settings.file)
let launches = try await store.update(default: Settings()) { settings in
  settings.launches += 1
  return settings.launches
}
print("Launch", launches)
// end
