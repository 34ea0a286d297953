// Limits the cost of one evaluation. Work is counted, not timed, so the same evaluation ends the same way everywhere
// (docs/reference/expressions.md).
import type { AlmanacError } from '../errors/almanac-error.ts'
import { digitGroupCount, isDecimal } from '../decimal/decimal.ts'
import { locatedError, type SourceLocation } from './source-location.ts'
import type { Span } from './typed-tree.ts'
import { DateValue, Instant, isListValue, type ExprValue } from './values.ts'

/** One step takes about a tenth of a microsecond. Ordinary formulas take a few dozen steps. */
const MOST_STEPS = 200_000
/** The maximum number of characters in all texts that an evaluation makes, including its result. */
const MOST_TEXT = 10_000_000

/** The remaining budget; counted down by every part that runs. */
export interface Meter {
  steps: number
  text: number
}

export function createMeter(): Meter {
  return { steps: MOST_STEPS, text: MOST_TEXT }
}

/** Counts work at one place of a source. */
export type Charge = (meter: Meter, steps: number) => void

/** @throws AlmanacError `expression.too_costly` when nothing is left. */
export function createCharge(place: SourceLocation, span: Span): Charge {
  return (meter, steps) => {
    if ((meter.steps -= steps) < 0) throw tooCostly(place, span, 'steps')
  }
}

/** Counts a text that was created at a place. @throws AlmanacError `expression.too_costly` */
export function chargeText(meter: Meter, length: number, place: SourceLocation, span: Span): void {
  if ((meter.text -= length) < 0) throw tooCostly(place, span, 'text')
}

/** Returns the steps for reading values, by their length; at least one each. */
export function inspectionCost(a: ExprValue, b: ExprValue = null): number {
  return 1 + size(a) + size(b)
}

/** Returns the steps for a product or a remainder: each part of one number is combined with each part of the other. */
export function multiplicationCost(a: ExprValue, b: ExprValue): number {
  if (!isDecimal(a) || !isDecimal(b)) return 1
  return 1 + ((digitGroupCount(a) * digitGroupCount(b)) >> 3)
}

/** Counts the size of a result, because it is stored in full and a list can contain one part many times. */
export function chargeResult(value: ExprValue, meter: Meter, place: SourceLocation, span: Span): void {
  if ((meter.steps -= inspectionCost(value)) < 0) throw tooCostly(place, span, 'steps')
  if (typeof value === 'string') chargeText(meter, value.length, place, span)
  else for (const part of partsOfValue(value)) chargeResult(part, meter, place, span)
}

/** Of a list or an object. */
function partsOfValue(value: ExprValue): readonly ExprValue[] {
  if (value === null || typeof value !== 'object' || isDecimal(value)) return []
  if (value instanceof DateValue || value instanceof Instant) return []
  return isListValue(value) ? value : Object.values(value)
}

function size(value: ExprValue): number {
  if (typeof value === 'string') return value.length >> 5
  return isDecimal(value) ? 1 + (digitGroupCount(value) >> 3) : 0
}

/** Made when they are needed: the first number that is formatted costs the start of a process a tenth of its time. */
const limitMessages = {
  steps: () =>
    `The evaluation takes more than ${MOST_STEPS.toLocaleString('en')} steps, so it was stopped. Use shorter lists, nest fewer of them, or move a part that is called repeatedly into a separate field.`,
  text: () =>
    `The evaluation creates more than ${MOST_TEXT.toLocaleString('en')} characters of text, so it was stopped. Join fewer or shorter texts.`,
}

function tooCostly(place: SourceLocation, span: Span, what: keyof typeof limitMessages): AlmanacError {
  return locatedError('expression.too_costly', limitMessages[what](), place, span)
}
