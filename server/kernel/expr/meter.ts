// Limits the cost of one evaluation. Work is counted, not timed, so the same evaluation ends the same way everywhere
// (specification 2.7.1; completions 3).
import type { AlmanacError } from '../errors/almanac-error.ts'
import { digitWords, isDecimal } from '../decimal/decimal.ts'
import { placedError, type Place } from './place.ts'
import type { Span } from './typed.ts'
import type { ExprValue } from './values.ts'

/** One step takes about a tenth of a microsecond. Ordinary formulas take a few dozen steps. */
const MOST_STEPS = 200_000
/** The most characters in all texts that an evaluation makes, including its result. */
const MOST_TEXT = 10_000_000

/** The remaining budget; counted down by every part that runs. */
export interface Meter {
  steps: number
  text: number
}

export function newMeter(): Meter {
  return { steps: MOST_STEPS, text: MOST_TEXT }
}

/** Counts work at one place of a source. */
export type Spend = (meter: Meter, steps: number) => void

/** @throws AlmanacError `expression.too_costly` when nothing is left. */
export function spender(place: Place, span: Span): Spend {
  return (meter, steps) => {
    if ((meter.steps -= steps) < 0) throw tooCostly(place, span, 'steps')
  }
}

/** Counts a text that was made at a place. @throws AlmanacError `expression.too_costly` */
export function spendText(meter: Meter, length: number, place: Place, span: Span): void {
  if ((meter.text -= length) < 0) throw tooCostly(place, span, 'text')
}

/** Returns the steps for reading values, by their length; at least one each. */
export function looking(a: ExprValue, b: ExprValue = null): number {
  return 1 + size(a) + size(b)
}

/** Returns the steps for a product or a remainder: each part of one number is combined with each part of the other. */
export function multiplying(a: ExprValue, b: ExprValue): number {
  if (!isDecimal(a) || !isDecimal(b)) return 1
  return 1 + ((digitWords(a) * digitWords(b)) >> 3)
}

/** Counts the size of a result, because it is stored in full and a list can contain one part many times. */
export function weigh(value: ExprValue, meter: Meter, place: Place, span: Span): void {
  if ((meter.steps -= looking(value)) < 0) throw tooCostly(place, span, 'steps')
  if (typeof value === 'string') spendText(meter, value.length, place, span)
  else if (Array.isArray(value)) for (const item of value) weigh(item as ExprValue, meter, place, span)
}

function size(value: ExprValue): number {
  if (typeof value === 'string') return value.length >> 5
  return isDecimal(value) ? 1 + (digitWords(value) >> 3) : 0
}

const said = {
  steps: `The evaluation takes over ${MOST_STEPS.toLocaleString('en')} steps, so it was stopped. Use shorter lists, nest fewer of them, or move a part that is called repeatedly into a separate field.`,
  text: `The evaluation makes over ${MOST_TEXT.toLocaleString('en')} characters of text, so it was stopped. Join fewer or shorter texts.`,
}

function tooCostly(place: Place, span: Span, what: keyof typeof said): AlmanacError {
  return placedError('expression.too_costly', said[what], place, span)
}
