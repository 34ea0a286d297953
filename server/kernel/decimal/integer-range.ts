// Ranges of whole numbers, compared exactly: a double holds all whole numbers only up to 2^53.

export interface IntegerRange {
  least: bigint
  most: bigint
}

export const signedRange = (bits: bigint): IntegerRange => ({
  least: -(2n ** (bits - 1n)),
  most: 2n ** (bits - 1n) - 1n,
})

export const unsignedRange = (bits: bigint): IntegerRange => ({ least: 0n, most: 2n ** bits - 1n })

/** Continues the sentence: `must be …`. */
export const rangeInWords = ({ least, most }: IntegerRange): string =>
  `a whole number from ${least} to ${most}`

export function isInRange(numeral: string, { least, most }: IntegerRange): boolean {
  const number = wholeNumber(numeral)
  return number !== null && number >= least && number <= most
}

const mostDigits = 40

/** The number of a numeral of JSON; null if it is not whole, or has more digits than any range. */
function wholeNumber(numeral: string): bigint | null {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/.exec(numeral) ?? []
  const digits = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '')
  if (digits === '') return whole === '' ? null : 0n
  const trailing = (whole + fraction).length - (whole + fraction).replace(/0+$/, '').length
  const zeros = Number(power) - fraction.length + trailing
  if (zeros < 0 || digits.length + zeros > mostDigits) return null
  return BigInt(`${sign}${digits}${'0'.repeat(zeros)}`)
}
