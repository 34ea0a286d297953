// Options of the filters of lists.
interface FilterOption {
  value: string
  words: string
}

export const times = [
  { value: '', words: 'all' },
  { value: '1', words: '1 h' },
  { value: '24', words: '24 h' },
  { value: '168', words: '7 d' },
  { value: '720', words: '30 d' },
] as const

/** ` last 7 d`; empty for all times. */
export const timeFilterWords = (hours: string): string =>
  hours === '' ? '' : `last ${times.find(({ value }) => value === hours)!.words}`

/** @param now milliseconds since 1970 */
export const sinceOf = (hours: string, now: number): string | undefined =>
  hours === '' ? undefined : new Date(now - Number(hours) * 3_600_000).toISOString()

/** All, and each key. The chosen one is among them although it may have been removed: it can still have items. */
export function keyOptions(keys: readonly string[], chosen: string): FilterOption[] {
  const all = chosen === '' || keys.includes(chosen) ? keys : [...keys, chosen]
  return [{ value: '', words: 'all' }, ...all.map((key) => ({ value: key, words: key }))]
}
