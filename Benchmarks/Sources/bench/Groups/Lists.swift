import Harness

/// Lists and operations: what a page costs a list, and what an operation costs a queue.
let lists = Area("lists") {
  pages(100)
  pages(4_000)
  operations
}
