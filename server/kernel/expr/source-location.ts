// Adds the place in the source to the error of an evaluation (docs/reference/bindings-and-evidence.md).
import { AlmanacError } from '../errors/almanac-error.ts'
import type { Span } from './typed-tree.ts'

export interface SourceLocation {
  source: string
  /** The calc function that the source belongs to; null for the expression itself. */
  calcFunction: string | null
  /** `<object>.<field>` of the virtual formula that it belongs to, if it is not the expression itself. */
  formula?: string
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
  { source, calcFunction, formula }: SourceLocation,
  { start, end }: Span,
  cause?: unknown,
): AlmanacError {
  const text = source.slice(start, end)
  const shown = text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text
  const inFormula = formula === undefined ? '' : ` of the formula ${formula}`
  const within = calcFunction === null ? inFormula : ` of calc function ${calcFunction}`
  const at = end - start === 1 ? `character ${end}` : `characters ${start + 1} to ${end}`
  const detail = `${message} This is at ${at}${within}: ${shown}`
  const place: ErrorPlace = { start, end, calcFunction, ...(formula === undefined ? {} : { formula }) }
  return new AlmanacError(code, detail, { details: [place], cause })
}

/** Where an evaluation failed. */
export interface ErrorPlace extends Span {
  calcFunction: string | null
  formula?: string
}

/** The place in the error of an evaluation; null for other errors. */
export function placeOf(error: unknown): ErrorPlace | null {
  if (!(error instanceof AlmanacError) || error.code !== 'expression.evaluation') return null
  return (error.details[0] as ErrorPlace | undefined) ?? null
}

/** Adds the virtual formula to the error of its evaluation; returns errors from within another one unchanged. */
export function withFormula(error: unknown, source: string, formula: string): unknown {
  const place = placeOf(error)
  const { cause } = error as Error
  if (place === null || place.calcFunction !== null || place.formula !== undefined) return error
  if (!(cause instanceof RangeError)) return error
  return locatedError(
    'expression.evaluation',
    cause.message,
    { source, calcFunction: null, formula },
    place,
    cause,
  )
}
