// Deliveries on their way to another thread: one text and the bytes of all bodies are copied faster than many objects.
import type { NewDelivery } from '../ports/deliveries.ts'

export interface PackedDeliveries {
  /** JSON of a list of `PackedDelivery`. */
  text: string
  /** The bodies, one after another. */
  bodies: Uint8Array
}

interface PackedDelivery extends Omit<NewDelivery, 'body'> {
  /** Of its body. */
  bytes: number
}

export function packDeliveries(list: readonly NewDelivery[]): PackedDeliveries {
  const packed = list.map(({ body, ...rest }): PackedDelivery => ({ ...rest, bytes: body.byteLength }))
  return { text: JSON.stringify(packed), bodies: Buffer.concat(list.map(({ body }) => body)) }
}

export function unpackDeliveries({ text, bodies }: PackedDeliveries): NewDelivery[] {
  let at = 0
  return (JSON.parse(text) as PackedDelivery[]).map(({ bytes, ...rest }) => {
    const body = bodies.subarray(at, at + bytes)
    at += bytes
    return { ...rest, body }
  })
}
