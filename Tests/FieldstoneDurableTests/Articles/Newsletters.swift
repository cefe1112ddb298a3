import FieldstoneDurable
import FieldstoneStages
import Foundation

enum PlainArticle {
  // snippet: durable-plain
  enum Newsletter: ContextualStage {
    case collect(issue: Int)
    case send(issue: Int, to: [String], sent: Int)

    func next(in post: PostOffice) async throws -> Step<Self, Int> {
      switch self {
      case .collect(let issue):
        return .advance(to: .send(issue: issue, to: await post.subscribers(), sent: 0))
      case .send(let issue, var readers, let sent):
        guard let reader = readers.popLast() else { return .complete(sent) }
        await post.send(issue, to: reader)
        return .advance(to: .send(issue: issue, to: readers, sent: sent + 1))
      }
    }
  }
  // end
}

// snippet: durable-codable
enum Newsletter: ContextualStage, Codable {
  case collect(issue: Int)
  case send(issue: Int, to: [String], sent: Int)
  // end

  func next(in post: PostOffice) async throws -> Step<Self, Int> {
    switch self {
    case .collect(let issue):
      return .advance(to: .send(issue: issue, to: await post.subscribers(), sent: 0))
    case .send(let issue, var readers, let sent):
      guard let reader = readers.popLast() else { return .complete(sent) }
      await post.send(issue, to: reader)
      return .advance(to: .send(issue: issue, to: readers, sent: sent + 1))
    }
  }
}

// snippet: durable-keyed
enum KeyedNewsletter: DurableStage {
  case collect(issue: Int)
  case approved(issue: Int)
  case send(issue: Int, to: [String], sent: Int)

  func next(in context: DurableContext<PostOffice>) async throws -> DurableStep<Self, Int> {
    let post = context.services
    switch self {
    case .collect(let issue):
      let tomorrow = context.now.addingTimeInterval(86_400)
      return .receive("approval", until: tomorrow, then: .approved(issue: issue))
    case .approved(let issue):
      guard try context.signal(as: Bool.self) == true else { return .complete(0) }
      return .advance(to: .send(issue: issue, to: await post.subscribers(), sent: 0))
    case .send(let issue, var readers, let sent):
      guard let reader = readers.popLast() else { return .complete(sent) }
      await post.send(issue, to: reader, key: context.idempotencyKey)
      return .advance(to: .send(issue: issue, to: readers, sent: sent + 1))
    }
  }
}
// end
