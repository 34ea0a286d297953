// The bytes of a secret that is stored as text.
import type { SecretEncoding } from '../components/webhook-endpoint/body.ts'
import { base64Bytes, hexBytes, utf8Bytes } from './text-bytes.ts'

/** Null if the text is not written in the encoding, or is empty. */
export function secretBytes(text: string, encoding: SecretEncoding): Uint8Array | null {
  switch (encoding) {
    case 'utf8':
      return text === '' ? null : utf8Bytes(text)
    case 'hex':
      return hexBytes(text.trim())
    case 'base64':
      return base64Bytes(text.trim())
    case 'whsec':
      return base64Bytes(text.trim().replace(/^whsec_/, ''))
  }
}
