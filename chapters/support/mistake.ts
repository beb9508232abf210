/** A wrong turn that people take: one edit of the solution, the tests that it turns red, and what to tell them. */
export interface Mistake {
  /** Kebab-case, unique in the chapter. */
  name: string
  /** The file of `solution/` that is edited. */
  file: string
  /** Text that stands in the file exactly once. */
  old: string
  /** What stands there after the wrong turn. */
  new: string
  /** The sentences of the tests that turn red: these, and no others. */
  red: string[]
  /** Shown to a learner whose run fails in just this way. A question or a pointer, not the answer. */
  hint: string
}
