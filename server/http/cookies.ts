// Reads the cookies of a request.
import type { Request } from 'express'

export function cookiesOf(request: Request): Map<string, string> {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return new Map(
    pairs.flatMap((pair) => {
      const at = pair.indexOf('=')
      return at < 1 ? [] : [[pair.slice(0, at), pair.slice(at + 1)] as const]
    }),
  )
}
