// Values as literals of an OData URL, before the URL is encoded.
import { formatDecimal, isDecimal } from '#kernel/decimal/decimal.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { DateValue, Instant, type ExprValue } from '#kernel/expr/index.ts'
import type { MappedField } from '../virtual-object.ts'

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const whole = /^(0|-?[1-9][0-9]{0,18})$/
const member = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** Null if no value of the remote type is read as this value. @throws AlmanacError `request.invalid` */
export function literalOf(
  value: Exclude<ExprValue, null>,
  { kind, remoteType }: Pick<MappedField, 'kind' | 'remoteType'>,
): string | null {
  if (typeof value === 'string') return textLiteral(value, kind, remoteType)
  if (typeof value === 'boolean') return String(value)
  if (isDecimal(value)) return formatDecimal(value)
  if (value instanceof DateValue) return value.date
  if (value instanceof Instant) return value.text
  throw new TypeError('A list has no literal.')
}

/** A literal of a value that is compared with no field itself. */
export function plainLiteral(value: Exclude<ExprValue, null>): string {
  return literalOf(value, { kind: 'string', remoteType: 'Edm.String' })!
}

function textLiteral(text: string, kind: MappedField['kind'], remoteType: string): string | null {
  switch (kind) {
    case 'guid':
      return guid.test(text) ? text : null
    case 'integer':
      return whole.test(text) ? text : null
    case 'enumeration':
      return member.test(text) ? `${remoteType}'${text}'` : null
    default:
      return quoted(text)
  }
}

function quoted(text: string): string {
  if (text.isWellFormed()) return `'${text.replaceAll("'", "''")}'`
  throw new AlmanacError(
    'request.invalid',
    'A text of the filter has half of a character pair, which no URL can contain. Correct the text.',
  )
}
