import Harness

/// Validation and forms: what it costs to ask the rules of a value that keeps them.
let forms = Area("forms") {
  validateValid
  validateInt
  form100
  formScale
}
