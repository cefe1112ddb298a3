import Fieldstone
import Foundation

/// Why a page was not accepted.
enum PostError: DescribedError, Equatable {
  /// The server said so, the last time if there were several.
  case status(PostName, Int)

  /// Another address answered.
  case sentOn(PostName, to: String)

  /// There was no answer, or none that could be understood.
  case failed(PostName, reason: String)

  /// What kept a page from being accepted, as a phrase.
  static func reason(_ error: any Error) -> String {
    switch error as? URLProviderError {
    case .status(let response, _): "status \(response.status)"
    case .transfer(let cause, _): cause.localizedDescription
    case .bodyTooLarge(let limit, _): "an answer of over \(limit) bytes"
    case .notHTTP: "an answer that is not HTTP"
    case nil: "\(error)"
    }
  }

  /// What went wrong and what to do about it.
  var message: String {
    switch self {
    case .status(let post, let status):
      "\(post.address) answered page \(post.page) with status \(status); \(Self.remedy(status))"
    case .sentOn(let post, let address):
      "\(post.address) sends page \(post.page) on to \(address); give that address, if it is right"
    case .failed(let post, let reason):
      "cannot post page \(post.page) to \(post.address): \(reason); check the address and the"
        + " connection"
    }
  }

  private static func remedy(_ status: Int) -> String {
    switch status {
    case 401, 403, 407: "give an address that may be written to"
    case 404, 405, 410, 501: "check that the address is one to post to"
    case 413: "give a smaller --page-size"
    case 415: "check that it takes this form, or give a name that ends in .csv or .jsonl"
    case 408, 425, 429, 500...: "try again later"
    default: "ask whoever runs it what it wants"
    }
  }
}

/// A page and where it was posted to, for people.
struct PostName: Equatable {
  let address: String
  let page: Int
}

extension ExportPost {
  /// What it is called where something is wrong with it.
  var name: PostName { PostName(address: ExportTarget.name(of: address), page: page) }
}
