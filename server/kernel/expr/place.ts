// Where in which source an evaluation failed, so that the error names the place (completions 3).
import { AlmanacError } from '../errors/almanac-error.ts'
import type { Span } from './typed.ts'

export interface Place {
  source: string
  /** The calc function whose expression it is; null for the expression itself. */
  calcFunction: string | null
}

/** A RangeError of a computation as `expression.evaluation` with its place; anything else as it is. */
export function placed(error: unknown, { source, calcFunction }: Place, { start, end }: Span): unknown {
  if (!(error instanceof RangeError)) return error
  const text = source.slice(start, end)
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  const within = calcFunction === null ? '' : ` of calc function ${calcFunction}`
  const detail = `${error.message} This is at characters ${start + 1} to ${end}${within}: ${shown}`
  return new AlmanacError('expression.evaluation', detail, {
    details: [{ start, end, calcFunction }],
    cause: error,
  })
}
