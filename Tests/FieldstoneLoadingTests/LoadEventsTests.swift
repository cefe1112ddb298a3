import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("What a load reports")
struct LoadEventsTests {
  @Test(
    "A fraction is brought between 0 and 1",
    arguments: [
      (-1.0, LoadProgress.fraction(0)), (0.5, .fraction(0.5)), (7, .fraction(1)),
      (.nan, .indeterminate),
    ])
  func fraction(part: Double, heard: LoadProgress) {
    let recorder = Recorder<LoadProgress>()
    LoadEvents<Int>(onProgress: { recorder.record($0) }).progress(.fraction(part))
    #expect(recorder.elements == [heard])
  }
}
