// Where a webhook endpoint finds a value: a header, or a named part of one, as in `Stripe-Signature#t`.

/** By their names in lower case, as the server has received them. */
export type DeliveryHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface HeaderPlace {
  /** In lower case. */
  header: string
  /** The name of a part: `v1` of `t=1,v1=abc`; null for the whole header. */
  part: string | null
}

const placePattern = /^([!$%&'*+.^_`|~0-9A-Za-z-]+)(?:#([A-Za-z0-9_-]+))?$/

/** Null if the text names no header. */
export function headerPlace(text: string): HeaderPlace | null {
  const match = placePattern.exec(text)
  return match === null ? null : { header: match[1]!.toLowerCase(), part: match[2] ?? null }
}

/** The values at a place, in their order; none if it is absent or empty. */
export function valuesAt(headers: DeliveryHeaders, place: string): string[] {
  const found = headerPlace(place)
  if (found === null) return []
  const sent = headers[found.header]
  const values = typeof sent === 'string' ? [sent] : (sent ?? [])
  if (found.part === null) return values.map((value) => value.trim()).filter((value) => value !== '')
  const name = `${found.part}=`
  return values
    .flatMap((value) => value.split(','))
    .map((part) => part.trim())
    .flatMap((part) => (part.startsWith(name) && part !== name ? [part.slice(name.length)] : []))
}
