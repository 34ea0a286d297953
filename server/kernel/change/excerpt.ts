// Shortens two long texts around their difference, so that the difference is never cut off.

/** Longer texts are truncated. */
export const maxTextLength = 80
/** Kept on each side of the difference. */
const contextLength = 24

/** Returns short texts unchanged. */
export function excerpts(before: string, after: string): { before: string; after: string } {
  if (before.length <= maxTextLength && after.length <= maxTextLength) return { before, after }
  if (before === after) return { before: truncateText(before), after: truncateText(after) }
  const start = wordStart(before, Math.max(0, commonStart(before, after) - contextLength))
  const shared = Math.min(
    commonEnd(before, after),
    Math.min(before.length, after.length) - commonStart(before, after),
  )
  const end = Math.max(0, shared - contextLength)
  return { before: part(before, start, end), after: part(after, start, end) }
}

/** Returns the start of a text that is not compared. */
export function truncateText(text: string): string {
  return text.length <= maxTextLength ? text : `${cut(text, maxTextLength - 1)}…`
}

/** Returns the text without its first `start` and last `end` characters. */
function part(text: string, start: number, end: number): string {
  const stop = Math.max(start, text.length - end)
  const middle = text.slice(start, stop)
  const most = 2 * maxTextLength
  const shown =
    middle.length > most ? `${cut(middle, most - 1)}…` : `${middle}${stop < text.length ? '…' : ''}`
  return start > 0 ? `…${shown}` : shown
}

/** Cuts without splitting a character. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

/** Returns the start of the word at a place, if it is near. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.lastIndexOf(' ', at)
  const start = space >= 0 && at - space <= contextLength ? space + 1 : at
  return /[\udc00-\udfff]/.test(text.charAt(start)) ? start - 1 : start
}

function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one[at] === other[at]) at += 1
  return at
}

function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one[one.length - 1 - at] === other[other.length - 1 - at]) at += 1
  return at
}
