// The schemes that send a secret as it is: api_key, and the headers and parameters of custom.
import { explainHeaderName } from '#kernel/components/external-credential/header-name.ts'
import { explainHeaderText } from '#kernel/components/external-credential/header-text.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { setQueryParameter } from './query-parameter.ts'
import type { SlotValues } from './slot-values.ts'

export interface SentParameter {
  in: 'header' | 'query'
  name: string
  slot: string
  prefix?: string
}

/** What is sent so far. */
export interface Sending {
  url: string
  headers: Record<string, string>
}

export function sendParameter(
  { in: place, name, slot, prefix = '' }: SentParameter,
  slots: SlotValues,
  { url, headers }: Sending,
): Sending {
  if (place === 'query') {
    const value = slots.required(slot)
    if (value === '') throw slots.invalid(slot, 'is empty')
    if (!value.isWellFormed()) throw slots.invalid(slot, 'contains half of a character')
    return { url: setQueryParameter(url, name, `${prefix}${value}`), headers }
  }
  // Validated at deploy too; checked again because an injected header would be sent with the secret.
  const reason = explainHeaderName(name) ?? explainPrefix(prefix)
  if (reason !== null) throw new AlmanacError('component.invalid', reason)
  return { url, headers: { ...headers, [name.toLowerCase()]: `${prefix}${slots.forHeader(slot)}` } }
}

function explainPrefix(prefix: string): string | null {
  const fault = explainHeaderText(prefix)
  return fault === null ? null : `The prefix ${fault}. Remove it.`
}
