// A response without its compression.
import { CalloutFault, type TransportResponse } from '../ports/callout-transport.ts'
import { decompress } from './decompress.ts'

/** @throws CalloutFault */
export async function decompressResponse(
  response: TransportResponse & { body: Buffer },
  maxBytes: number,
): Promise<TransportResponse> {
  const { 'content-encoding': encoding, ...others } = response.headers
  const body = await decompress(response.body, encoding, maxBytes)
  if (body === 'too_large') throw new CalloutFault('too_large', sizeReason(maxBytes), true, response.status)
  if (body === 'damaged')
    throw new CalloutFault('unreadable', 'the compression of the response is damaged', true, response.status)
  const { 'content-length': _, ...headers } = others
  return { status: response.status, headers, body }
}

export function sizeReason(maxBytes: number): string {
  return `more than ${maxBytes >= 1024 ? `${Math.floor(maxBytes / 1024)} KiB` : `${maxBytes} bytes`}`
}
