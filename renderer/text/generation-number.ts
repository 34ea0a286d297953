/** Reads a generation that was typed, or that is in a URL; null if it is not a whole number. */
export function parseGenerationNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}
