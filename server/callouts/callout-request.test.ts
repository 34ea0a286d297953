// The URL of a request is the one that a parser of URLs reads.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Callout } from './callout.ts'
import { buildRequest } from './callout-request.ts'

const origin = 'https://target.example'

function urlOf(path: string): string | null {
  const call = {
    credential: { key: 'target', body: { url: origin } },
    ...{ actor: 'ada', correlationId: 'c', method: 'GET', path },
  } as unknown as Callout
  const request = buildRequest(call)
  return 'reason' in request ? null : request.url
}

const piece = fc.constantFrom(
  ...[
    'a',
    'Z',
    '0',
    '-',
    '_',
    '~',
    '.',
    '..',
    '/',
    ':',
    '@',
    '!',
    '$',
    '&',
    '(',
    ')',
    '*',
    '+',
    ',',
    ';',
    '=',
  ],
  ...["'", '%', '%2e', '%2F', '%41', '%C3%A4', '\\', ' ', '?', '#', '^', '|', 'ä', '\t'],
)

it('is never read differently from how it is written', () => {
  let sent = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const url = urlOf(`/${pieces.join('')}`)
      if (url === null) return
      sent += 1
      expect(new URL(url).href).toBe(url)
      expect(url.startsWith(`${origin}/`)).toBe(true)
    }),
    { numRuns: 2000 },
  )
  expect(sent).toBeGreaterThan(300)
})
