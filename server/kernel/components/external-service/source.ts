// Where a description comes from: an address, or the description itself as text or as JSON.
import type { ExternalServiceBody } from './body.ts'

export function isDescriptionAddress(source: ExternalServiceBody['spec']['source']): source is string {
  return typeof source === 'string' && /^https?:\/\/\S+$/i.test(source)
}
