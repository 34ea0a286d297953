/** A fault that a review found, and the tests that fail if it comes back. */
export interface ReviewRow {
  /** What happened, in one sentence. */
  fault: string
  /** File from the root, and the title of a test or of a describe block in it. */
  tests: readonly (readonly [file: string, title: string])[]
}
