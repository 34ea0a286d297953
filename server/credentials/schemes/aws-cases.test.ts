// The published cases of AWS Signature Version 4. All are run, in their header form: what Almanac sends.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { signAwsRequest } from './aws-signature.ts'

const file = new URL('../../../../shared/data/sigv4/cases.json', import.meta.url)
const here = existsSync(file)

interface Context {
  credentials: { access_key_id: string; secret_access_key: string; token?: string }
  normalize: boolean
  omit_session_token?: boolean
  region: string
  service: string
  sign_body: boolean
  timestamp: string
}

type Case = Record<'context.json' | 'request.txt' | `header-${string}`, string>

const cases = here ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Case>) : {}

describe.skipIf(!here)(`the cases of AWS${here ? '' : ' (skipped: ../shared/data is not there)'}`, () => {
  it('are all there', () => {
    expect(Object.keys(cases)).toHaveLength(38)
  })

  it.each(Object.entries(cases))('%s', (_, each) => {
    const context = JSON.parse(each['context.json']) as Context
    const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, token } = context.credentials
    const signature = signAwsRequest(
      parse(each['request.txt']),
      // A token that is not signed is added to the request afterwards.
      { accessKeyId, secretAccessKey, sessionToken: context.omit_session_token ? undefined : token },
      {
        region: context.region,
        service: context.service,
        now: context.timestamp,
        sendBodyHash: context.sign_body,
        normalisePath: context.normalize,
      },
    )
    expect(signature.canonicalRequest).toBe(each['header-canonical-request.txt'])
    expect(signature.stringToSign).toBe(each['header-string-to-sign.txt'])
    const authorization = /^Authorization:(.*)$/m.exec(each['header-signed-request.txt']!)![1]
    expect(signature.headers.authorization).toBe(authorization)
    expect(authorization).toContain(each['header-signature.txt'])
  })
})

/** The request as it is written in a case: folded headers belong to the line before. */
function parse(text: string) {
  const [head = '', ...rest] = text.split('\n\n')
  const [line = '', ...lines] = head.replace(/\n +/g, ' ').trimEnd().split('\n')
  const [method = ''] = line.split(' ', 1)
  const target = line.slice(method.length + 1, line.lastIndexOf(' '))
  const mark = target.indexOf('?')
  return {
    method,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    headers: lines.map((each): [string, string] => {
      const at = each.indexOf(':')
      return [each.slice(0, at), each.slice(at + 1)]
    }),
    body: rest.join('\n\n'),
  }
}
