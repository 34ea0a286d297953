// Puts the business key of an entry into normal form, so that 1 and 1.0 are one key
// (docs/reference/resolution-and-dates.md).
import { explainCivilDate, parseCivilDate } from '../../dates/civil-date.ts'
import { formatDecimal, parseDecimal } from '../../decimal/decimal.ts'
import { didYouMean } from '../../errors/suggest.ts'
import type { ConfigSetBody } from '../config-set/body.ts'
import { valuesByKey } from '../value-set/members.ts'
import type { ComponentView } from '../view.ts'

type KeyedBy = NonNullable<ConfigSetBody['keyedBy']>

/** Returns the normal form of a key by its declared type; the text itself if it does not have that type. */
export function normaliseBusinessKey(keyedBy: KeyedBy, key: string): string {
  if (keyedBy.type !== 'number') return key
  const number = parseDecimal(key)
  return number === null ? key : formatDecimal(number)
}

/** Returns null if the key has its declared type; otherwise why not, and how to fix it. */
export function explainBusinessKey(keyedBy: KeyedBy, key: string, view: ComponentView): string | null {
  switch (keyedBy.type) {
    case 'number':
      return parseDecimal(key) === null
        ? `"${key}" is not a number. Write digits with a decimal point, such as 12 or 12.5.`
        : null
    case 'date':
      return parseCivilDate(key) === null ? `${explainCivilDate(key) ?? `${key} is not a date`}.` : null
    case 'boolean':
      return key === 'true' || key === 'false' ? null : `"${key}" is not true or false.`
    case 'text':
      return key === '' ? 'The business key is empty. Write the text that identifies the row.' : null
    case 'enum': {
      const valueSet = keyedBy.valueSet === undefined ? undefined : view.get('value_set', keyedBy.valueSet)
      if (valueSet === undefined || valuesByKey(valueSet).has(key)) return null
      return `"${key}" is not in the value set ${valueSet.key}.${didYouMean(key, valuesByKey(valueSet).keys())}`
    }
  }
}
