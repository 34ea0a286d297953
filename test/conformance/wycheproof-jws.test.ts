// Wycheproof's signatures (JWS), tried as assertions: with the public keys of each group as those of a client.
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signingKey } from '../../server/kernel/components/integration-client/signing-key.ts'
import { verifySignature } from '../../server/clients/assertion-signature.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

const file = new URL('../../../shared/data/jws/json_web_signature_test.json', import.meta.url)
const here = existsSync(file)

interface Group {
  comment: string
  /** Absent for a shared secret. */
  public?: Record<string, unknown>
  private?: Record<string, unknown>
  tests: { tcId: number; comment: string; jws: unknown; result: 'valid' | 'invalid' | 'acceptable' }[]
}

const groups = here ? (JSON.parse(readFileSync(file, 'utf8')) as { testGroups: Group[] }).testGroups : []
const cases = groups.flatMap(({ tests, comment: group, ...keys }) =>
  tests.map((each) => ({ ...each, group, key: keys.public ?? keys.private! })),
)
/** Keys that this server does not register, although their signatures are right. */
const isRefusedKey = (key: Record<string, unknown>): boolean => 'problem' in signingKey(key)

describe.skipIf(!here)(`Wycheproof${here ? '' : ' (skipped: ../shared/data is not there)'}`, () => {
  it('has cases for every type of key', () => {
    expect(cases.length).toBeGreaterThan(400)
    const tried = cases.filter(({ key, result }) => result === 'valid' && !isRefusedKey(key))
    expect(tried.length).toBeGreaterThan(20)
    expect(new Set(tried.map(({ key }) => key['alg']))).toEqual(
      new Set(['ES256', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']),
    )
  })

  it('finds no valid signature that is refused, and no other one that is accepted', async () => {
    const wrong: string[] = []
    for (const { tcId, group, comment, key, jws, result } of cases) {
      const verified = typeof jws === 'string' ? await verifySignature(jws, [key]) : null
      const expected = result === 'valid' && !isRefusedKey(key)
      if ((verified !== null) !== expected && !ofHeaders.has(tcId)) wrong.push(`${tcId} ${group}: ${comment}`)
    }
    expect(wrong).toEqual([])
  })

  it('registers no shared secret, no key for encryption and no name that is not an algorithm', () => {
    const refused = new Set(
      cases.filter(({ key }) => isRefusedKey(key)).map(({ key }) => String(key['kty'] ?? key['alg'])),
    )
    expect(refused).toEqual(new Set(['oct', 'EC', 'RSA']))
    const problems = cases.flatMap(({ key }) => {
      const found = signingKey(key)
      return 'problem' in found && key['kty'] !== 'oct' ? [found.problem] : []
    })
    for (const problem of new Set(problems)) expect(problem).toMatch(/"(use|key_ops|alg)"/)
  })
})

/** Signed with PS384 and a key for PS256: their authors leave the algorithm to the header. */
const ofHeaders: ReadonlySet<number> = new Set([346, 350])

describe.skipIf(!here)('the token endpoint', () => {
  let test: TestServer
  beforeAll(async () => (test = await runningServer()))
  afterAll(() => test.close())

  it('refuses each of them as an assertion, in the words of OAuth', async () => {
    const statuses = new Set<unknown>()
    for (const { jws } of cases) {
      const assertion = typeof jws === 'string' ? jws : JSON.stringify(jws)
      const form = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
      })
      const { status, body } = await test.plain('POST', '/oauth2/token', form.toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      })
      statuses.add(`${status} ${String(body['error'])}`)
    }
    // After ten failures from one address, the others are not looked at.
    expect([...statuses].sort()).toEqual(['400 invalid_grant', '429 temporarily_unavailable'])
  })
})
