// A value of a component as text for people.

/** Returns the text of a value: a flag is on or off, other booleans are yes or no. */
export function formatValue(value: unknown, isFlag: boolean): string {
  if (typeof value !== 'boolean') return String(value)
  if (isFlag) return value ? 'on' : 'off'
  return value ? 'yes' : 'no'
}
