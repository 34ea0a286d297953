// Values that a delivery has for fields and parameters, by their pointers into its body.
import type { JsonValue } from '#kernel/change/canonical.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { valueAt, type DeliveredBody } from '#kernel/webhooks/index.ts'

/** Only names for which the body has a value: the others keep what they have. */
export function deliveredValues(
  body: DeliveredBody,
  places: Readonly<Record<string, string>>,
): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(places).flatMap(([name, place]) => {
      const value = valueAt(body, place)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** @throws AlmanacError `webhook.body` without a value */
export function requireValue(body: DeliveredBody, name: string, place: string): void {
  if (valueAt(body, place) == null)
    throw new AlmanacError(
      'webhook.body',
      `The body has no value at ${place}, which identifies the record by ${name}.`,
    )
}
