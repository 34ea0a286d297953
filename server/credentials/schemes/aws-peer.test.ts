// Random requests, signed by us and by AWS's own library for JavaScript.
import { createHash, createHmac, type Hash } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { authenticate } from './authenticate.ts'
import { bodyOf } from './body-fixture.ts'

class Sha256 {
  readonly #hash: Hash | ReturnType<typeof createHmac>
  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key as string)
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(data as string)
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.#hash.digest()))
  }
  reset(): void {}
}

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
const text = fc.string({ unit: 'grapheme', maxLength: 8 })
const printable = fc.stringMatching(/^[!-~]([ -~]{0,8}[!-~])?$/)

describe('aws_sigv4', () => {
  it('signs as AWS does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          method: fc.constantFrom('GET', 'POST', 'PUT'),
          service: fc.constantFrom('execute-api', 's3', 'aoss'),
          segments: fc.array(text, { maxLength: 4 }),
          query: fc.array(fc.tuple(text, text), { maxLength: 4 }),
          headers: fc.dictionary(
            name.filter((each) => !/^(proxy|sec)-|^(host|__proto__)$/.test(each)),
            printable,
            { maxKeys: 4 },
          ),
          body: fc.string({ unit: 'grapheme' }),
          sessionToken: fc.option(
            printable.filter((each) => !each.includes('"')),
            { nil: undefined },
          ),
        }),
        async ({ method, service, segments, query, headers, body, sessionToken }) => {
          const keys = { accessKeyId: 'AKID', secretAccessKey: 'canary/+=', sessionToken }
          const path = `/${segments.map((each) => encodeURIComponent(each)).join('/')}`
          const search = new URLSearchParams(query).toString()
          const url = `https://a.example:8443${path}${search === '' ? '' : `?${search}`}`
          const now = '2026-03-01T10:00:00.123Z'
          const request = { method, url, headers, body }
          const ours = authenticate(
            bodyOf('aws_sigv4', { region: 'eu-central-1', service }),
            JSON.parse(JSON.stringify(keys)) as Record<string, string>,
            request,
            { credential: 'aws', now },
          )
          const sent = new URL(ours.url)
          const signer = new SignatureV4({
            region: 'eu-central-1',
            service,
            credentials: keys,
            sha256: Sha256,
            uriEscapePath: service !== 's3',
          })
          const theirs = await signer.sign(
            {
              method,
              protocol: 'https:',
              hostname: 'a.example',
              path: sent.pathname,
              query: grouped(sent),
              headers: { ...headers, host: sent.host },
              body,
            },
            { signingDate: new Date(now) },
          )
          expect(ours.headers).toEqual(theirs.headers)
        },
      ),
    )
  })
})

function grouped({ searchParams }: URL): Record<string, string[]> {
  const query: Record<string, string[]> = {}
  for (const key of new Set(searchParams.keys())) query[key] = searchParams.getAll(key)
  return query
}
