// Response headers that prevent our pages from running or loading foreign content or leaking data.
import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import { EdgeResponse } from './edge-messages.ts'
import type { RequestStep } from './request-step.ts'

/** @param overTls whether to require TLS from browsers */
export function securityHeaders(overTls: boolean): RequestStep {
  const headers = recordedHeaders(overTls)
  const text = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return (_request, response) => {
    if (response instanceof EdgeResponse) response.fixedHeaders = text
    else for (const [name, value] of headers) response.setHeader(name, value)
  }
}

/** They are the same for every response, so they are computed once. */
function recordedHeaders(overTls: boolean): [string, string][] {
  const headers: [string, string][] = []
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  }
  const record = helmet({
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
  })
  record({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined)
  return headers
}
