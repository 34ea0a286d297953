/** Normalises the text of a number field to its declared scale before it is digested. */
import { numberHint, precisionHint, scaleHint } from './number-hint.ts'

export type NormalisedNumber =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: 'syntax' | 'precision' | 'scale'; readonly hint: string }

const ZERO = 48
const NINE = 57
const POINT = 46
const MINUS = 45

/**
 * Returns the text with exactly `scale` digits after the point (`0.19` becomes `0.1900` at scale 4), no leading zeros
 * and no `-0`; or why it does not fit numeric(precision, scale), with a hint in full sentences. Nothing is rounded.
 * Called for every number of a generation, so it reads characters and does not create decimals.
 */
export function normaliseNumber(text: string, precision: number, scale: number): NormalisedNumber {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  const point = endOfDigits(text, start)
  const hasFraction = text.charCodeAt(point) === POINT
  const end = hasFraction ? endOfDigits(text, point + 1) : point
  if (end !== text.length || point === start || (hasFraction && end === point + 1)) {
    return { ok: false, reason: 'syntax', hint: numberHint(text) }
  }

  const first = skipZeros(text, start, point)
  if (point - first > precision - scale) {
    return { ok: false, reason: 'precision', hint: precisionHint(text, point - first, precision, scale) }
  }
  const last = hasFraction ? beforeTrailingZeros(text, point + 1, end) : point
  const fraction = hasFraction ? text.slice(point + 1, last) : ''
  if (fraction.length > scale)
    return { ok: false, reason: 'scale', hint: scaleHint(text, fraction.length, precision, scale) }

  const whole = first === point ? '0' : text.slice(first, point)
  const isZero = first === point && fraction === ''
  const sign = start === 1 && !isZero ? '-' : ''
  return { ok: true, text: scale === 0 ? sign + whole : `${sign}${whole}.${fraction.padEnd(scale, '0')}` }
}

function endOfDigits(text: string, from: number): number {
  let i = from
  for (let code = text.charCodeAt(i); code >= ZERO && code <= NINE; code = text.charCodeAt(i)) i++
  return i
}

function skipZeros(text: string, from: number, to: number): number {
  let i = from
  while (i < to && text.charCodeAt(i) === ZERO) i++
  return i
}

function beforeTrailingZeros(text: string, from: number, to: number): number {
  let i = to
  while (i > from && text.charCodeAt(i - 1) === ZERO) i--
  return i
}
