// What a sender signs: the template of an endpoint with the values of a delivery.
import { utf8Bytes } from './text-bytes.ts'

export interface SignedValues {
  timestamp: string
  id: string
  /** As it was received. */
  body: Uint8Array
}

/** The pieces of the signed bytes, in their order. The body is not copied. */
export function signedPieces(template: string, { timestamp, id, body }: SignedValues): Uint8Array[] {
  return template.split(/(\{body\}|\{timestamp\}|\{id\})/).flatMap((piece) => {
    if (piece === '{body}') return [body]
    const text = piece === '{timestamp}' ? timestamp : piece === '{id}' ? id : piece
    return text === '' ? [] : [utf8Bytes(text)]
  })
}
