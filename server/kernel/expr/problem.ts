// What the compiler says of an expression: data with a range, never only the first (specification 7; completions 3).

export type ExprProblemCode =
  /** The text is not an expression. */
  | 'expr.syntax'
  /** A name that the metadata does not know. */
  | 'expr.unknown_name'
  /** Types that do not go together. */
  | 'expr.type'
  /** A wrong number of arguments. */
  | 'expr.arguments'
  /** A keyed set read without a key, or a singleton with one. */
  | 'expr.set_key'
  /** A stored value that would differ from viewer to viewer. */
  | 'expr.viewer_dependent'
  /** An object that the dated set does not list. */
  | 'expr.not_a_reader'
  /** Dated sets of one expression that go by different dates. */
  | 'expr.as_of_mixed'
  /** A call that leaves the pure tiers. */
  | 'expr.forbidden_call'
  /** The whole expression has the wrong type. */
  | 'expr.result_type'
  /** A part of CEL that this language leaves out. */
  | 'expr.unsupported'
  /** A filter that the source of a virtual object cannot apply. */
  | 'expr.not_pushed_down'
  /** A calc function that does not compile. */
  | 'expr.function'
  /** Functions that call one another so deep that no evaluation reaches the end. */
  | 'expr.too_deep'
  /** Functions or formulas that need each other. */
  | 'expr.cycle'

export interface ExprProblem {
  code: ExprProblemCode
  /** One or two sentences: the thing, the reason, the way out. */
  message: string
  /** Half-open range of UTF-16 code units in the source. */
  start: number
  end: number
  /** Text that may stand instead of the range, where one is safe to offer. */
  suggestion?: string
}
