// Adds the place in the source to the error of an evaluation (docs/reference/bindings-and-evidence.md).
import { AlmanacError } from '../errors/almanac-error.ts'
import type { Span } from './typed-tree.ts'

export interface SourceLocation {
  source: string
  /** The calc function that the source belongs to; null for the expression itself. */
  calcFunction: string | null
}

/** Turns a RangeError of a computation into `expression.evaluation` with its place; returns other errors unchanged. */
export function withLocation(error: unknown, place: SourceLocation, span: Span): unknown {
  if (!(error instanceof RangeError)) return error
  return locatedError('expression.evaluation', error.message, place, span, error)
}

/** Returns an error whose message ends with the place. */
export function locatedError(
  code: 'expression.evaluation' | 'expression.too_costly',
  message: string,
  { source, calcFunction }: SourceLocation,
  { start, end }: Span,
  cause?: unknown,
): AlmanacError {
  const text = source.slice(start, end)
  const shown = text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text
  const within = calcFunction === null ? '' : ` of calc function ${calcFunction}`
  const detail = `${message} This is at characters ${start + 1} to ${end}${within}: ${shown}`
  return new AlmanacError(code, detail, { details: [{ start, end, calcFunction }], cause })
}
