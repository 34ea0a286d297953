// Client rate limits are stored but not enforced. Nothing that a user reads promises them: neither the OpenAPI
// document, nor the form and its help, nor the documentation.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { integrationClientDoc } from '#kernel/components/integration-client/doc.ts'
import { integrationClientForm } from '#kernel/components/integration-client/form.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

const by = { actor: 'admin', correlationId: 'c', isOperator: true }
const root = join(import.meta.dirname, '../..')
const isLimitHeader = (name: string): boolean => /^(x-)?ratelimit/i.test(name)

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  const body = {
    ...{ authScheme: 'oauth2_client_credentials', runAs: 'admin' },
    rateLimit: { sustained: 1, burst: 1, concurrency: 1 },
  }
  const components = [{ type: 'integration_client', key: 'slow', label: 'Slow', body }]
  expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
})
afterAll(() => test.close())

describe('the rate limit of a client', () => {
  it('is not enforced, and no header states that it is', async () => {
    const { token } = await test.beside(({ access }) => access.issueToken(by, 'slow'))
    const ask = test.bearer(token)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('GET', '/setup/v3/session')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.flatMap(({ headers }) => [...headers.keys()]).filter(isLimitHeader)).toEqual([])
  })

  it('is not promised by the OpenAPI document', async () => {
    const document = (await test.plain('GET', '/openapi.json')).body
    const names: string[] = []
    JSON.stringify(document, (name, value: unknown) => {
      names.push(name)
      return value
    })
    // The field of the component is the only one.
    expect(new Set(names.filter(isLimitHeader))).toEqual(new Set(['rateLimit']))
    expect(JSON.stringify((document as { info?: unknown }).info)).not.toMatch(/rate limit/i)
    const throttled = Object.entries(document['paths'] as Record<string, Record<string, object>>).flatMap(
      ([path, methods]) =>
        Object.values(methods).flatMap((operation) =>
          '429' in ((operation as { responses?: object }).responses ?? {}) ? [path] : [],
        ),
    )
    // Attempts to authenticate and open event streams are counted; requests of a client are not.
    expect([...new Set(throttled)].sort()).toEqual([
      '/oauth2/token',
      '/session',
      '/session/invitation',
      '/session/password',
      '/session/token',
      '/setup/v3/events',
      '/setup/v3/password',
    ])
  })

  it('is described as not enforced in the form and its help', () => {
    const limits = integrationClientForm.sections.flatMap(({ fields }) => fields)
    expect(limits.find(({ path }) => path === 'rateLimit')?.help).toContain('not enforced yet')
    expect(integrationClientDoc.text).toContain('does not enforce it yet')
  })

  it('is not promised by the documentation', () => {
    // The page that is generated from the forms and the help contains their statement that it is not enforced.
    const generated = 'docs/reference/component-types.md'
    const promises = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).filter(
      (file) => file !== generated && /rate[ -]limit|ratelimit/i.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(promises).toEqual([])
    const lines = readFileSync(join(root, generated), 'utf8').split('\n')
    expect(lines.filter((line) => line.includes('does not enforce it yet'))).toHaveLength(1)
    expect(lines.filter((line) => /^\| `rateLimit` .*not enforced yet/.test(line))).toHaveLength(1)
  })
})
