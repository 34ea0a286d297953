// Response headers that prevent our pages from running or loading foreign content or leaking data.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** @param overTls whether to require TLS from browsers */
export function securityHeaders(overTls: boolean): RequestHandler {
  const headers = headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'none'"],
          'script-src': ["'self'"],
          'worker-src': ["'self'", 'blob:'],
          // Monaco positions its lines with inline styles.
          'style-src': ["'self'", "'unsafe-inline'"],
          'font-src': ["'self'", 'data:'],
          'img-src': ["'self'", 'data:'],
          'connect-src': ["'self'"],
          'frame-ancestors': ["'none'"],
          'base-uri': ["'none'"],
          'form-action': ["'self'"],
        },
      },
      strictTransportSecurity: overTls,
      xFrameOptions: { action: 'deny' },
      referrerPolicy: { policy: 'no-referrer' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
    }),
  )
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

/** What helmet sets for every response: none of it depends on the request. */
function headersOf(middleware: ReturnType<typeof helmet>): readonly [string, string][] {
  const headers: [string, string][] = []
  const response = {
    setHeader: (name: string, value: string) => void headers.push([name, value]),
    removeHeader: () => undefined,
  }
  middleware({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error as Error
  })
  return headers
}
