// External services through the pipeline: descriptions from an address, a text or beside the list; drift; evil input.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dump } from 'js-yaml'
import type { Finding } from '../../server/kernel/errors/finding.ts'
import { changed, ledger } from '../../server/external-services/fixture.ts'
import { readDirectory, readServiceFiles } from '../../server/pipeline/index.ts'
import { signIn } from '../support/billing-org.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- descriptions are changed in any place
type Any = any

let target: Server
let base: string
let fetched: { url: string; headers: IncomingMessage['headers'] }[] = []
let served: { status?: number; type?: string; text: string; location?: string; encoding?: 'latin1' }
let test: TestServer

beforeAll(async () => {
  target = createServer((request, response) => {
    fetched.push({ url: request.url ?? '', headers: request.headers })
    const { status = 200, type = 'application/json', text, location, encoding = 'utf8' } = served
    response.writeHead(status, { 'content-type': type, ...(location === undefined ? {} : { location }) })
    response.end(text, encoding)
  })
  await new Promise<void>((ready) => target.listen(0, '127.0.0.1', ready))
  base = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
})
afterAll(() => void target.close())
beforeEach(async () => {
  fetched = []
  served = { text: JSON.stringify(ledger) }
  test = await runningServer()
})
afterEach(() => test.close())

const credentials = (url = `${base}/api`): object[] => [
  {
    type: 'permission_set',
    key: 'office',
    label: 'Office',
    body: { systemPermissions: ['metadata.author'] },
  },
  {
    ...{ type: 'external_credential', key: 'ledger_key', label: 'Key' },
    body: {
      scheme: 'api_key',
      name: 'X-Key',
      principals: [{ key: 'service', mode: 'named', grantedTo: ['administrator'] }],
    },
  },
  {
    ...{ type: 'named_credential', key: 'ledger', label: 'Ledger' },
    body: { url, externalCredential: 'ledger_key', principal: 'service' },
  },
]
const service = (spec: object, more: object = {}): object => ({
  ...{ type: 'external_service', key: 'ledger', label: 'Ledger' },
  body: { namedCredential: 'ledger', spec: { format: 'openapi_3_1', ...spec }, ...more },
})
const address = (): object => ({ source: `${base}/openapi.json?secret=hidden` })

interface Applied {
  generation: number
  findings: Finding[]
  detail?: string
  code?: string
  details?: Finding[]
}
async function apply(components: object[], more: object = {}): Promise<Applied> {
  const { body } = await test.studio<Applied>('POST', '/metadata/v3/apply', { components, ...more })
  return body
}
async function applied(components: object[], more: object = {}): Promise<Applied> {
  const result = await apply(components, more)
  expect(result.detail).toBeUndefined()
  return result
}
async function stored(key = 'ledger'): Promise<Any> {
  const { body } = await test.studio<{ component: Any }>(
    'GET',
    `/metadata/v3/components/external_service/${key}`,
  )
  return body.component.body
}
/** The errors of an apply, in words. */
const refusal = async (components: object[], more: object = {}): Promise<string[]> =>
  ((await apply(components, more)).details ?? []).map(({ code, message }) => `${code} ${message}`)

describe('an external service', () => {
  it('is read in the charset that its address declares', async () => {
    const titled = JSON.stringify({ ...ledger, info: { ...(ledger['info'] as object), title: 'Grüße' } })
    served = { type: 'application/json; charset=iso-8859-1', text: titled, encoding: 'latin1' }
    await applied([...credentials(), service(address())])
    const { body } = await test.studio<Any>('GET', '/setup/v3/services/ledger')
    expect(body.description.title).toBe('Grüße')
    served = { type: 'application/json; charset=latin-99', text: titled }
    const [message] = await refusal([service({ source: `${base}/other.json` })])
    expect(message).toContain('has the charset "latin-99", which is not known')
  })

  it('is fetched from its address, once, and without the credential of a different address', async () => {
    await applied([...credentials(), service(address())])
    expect(fetched.map(({ url }) => url)).toEqual(['/openapi.json?secret=hidden'])
    expect(fetched[0]!.headers['x-key']).toBeUndefined()
    const { spec } = await stored()
    expect(spec.hash).toMatch(/^oas1:sha256:[0-9a-f]{64}$/)

    // The same without its hash is the same, and is not fetched; nor are other changes of it.
    const { generation } = await applied([service(address())])
    expect((await applied([service(address())])).generation).toBe(generation)
    await applied([service(address(), { onSpecDrift: 'warn' })])
    expect(fetched).toHaveLength(1)
    expect((await stored()).spec.hash).toBe(spec.hash)

    // Other operations are imported.
    await applied([service(address(), { operations: ['createEntry'] })])
    expect(fetched).toHaveLength(2)
    expect((await stored()).spec.hash).not.toBe(spec.hash)
  })

  it('is the same from a text, an object, or YAML', async () => {
    await applied([...credentials(), service({ source: ledger })])
    const { hash } = (await stored()).spec
    for (const source of [JSON.stringify(ledger), dump(ledger)]) {
      await applied([service({ source })])
      expect((await stored()).spec.hash).toBe(hash)
    }
    expect(fetched).toEqual([])
  })

  it('is fetched with the credential below its own address, if there is a secret', async () => {
    const below = service({ source: `${base}/api/openapi.json` })
    expect(await refusal([...credentials(), below])).toEqual([
      expect.stringMatching(
        /^deploy\.secret_absent The description of ledger is fetched with the credential ledger_key, which cannot be used: /,
      ),
    ])
    expect(fetched).toEqual([])
    await applied(credentials())
    const path = '/setup/v3/credentials/ledger_key/principals/service/next'
    await test.studio('PUT', path, { values: { key: 'a-marked-key' } })
    await applied([below])
    expect(fetched.map(({ headers }) => headers['x-key'])).toEqual(['a-marked-key'])
  })

  it('is not fetched for a user who cannot apply it', async () => {
    const editor = {
      ...{ type: 'permission_set', key: 'editor', label: 'Editor' },
      body: { systemPermissions: ['config.author'] },
    }
    await applied([...credentials(), editor])
    const { eve } = await signIn(test, [{ key: 'eve', permissionSets: ['editor'] }])
    const list = { components: [service(address())] }
    const { body } = await eve!<{ denials: { permission: string }[] }>('POST', '/metadata/v3/plan', list)
    expect(body.denials.map(({ permission }) => permission)).toEqual(['metadata.author'])
    expect(fetched).toEqual([])
    await test.studio('POST', '/metadata/v3/plan', list)
    expect(fetched).toHaveLength(1)
  })

  it.each<[string, () => void, string]>([
    [
      'a redirect',
      () => (served = { status: 302, text: '', location: '/other' }),
      'redirects to a different address',
    ],
    ['a failure', () => (served = { status: 500, text: '' }), 'responded with status 500'],
    ['a page', () => (served = { text: '<html></html>', type: 'text/html' }), 'does not contain an object'],
    ['Swagger 2.0', () => (served = { text: '{"swagger":"2.0"}' }), 'is Swagger 2.0'],
    ['OpenAPI 3.2', () => (served = { text: '{"openapi":"3.2.0"}' }), '3.2'],
  ])('with %s at its address is refused', async (_name, serve, words) => {
    serve()
    const [message] = await refusal([...credentials(), service(address())])
    expect(message).toContain('service.import The description of ledger was not imported. ')
    expect(message).toContain(words)
    expect(message).not.toContain('hidden')
  })

  it('is refused if the hash names a different description', async () => {
    await applied([...credentials(), service(address())])
    const { hash } = (await stored()).spec
    const other = changed(ledger, (copy: Any) => (copy.info.version = '2.0.0'))
    expect(await refusal([service({ source: other, hash })])).toEqual([])
    await applied([service({ source: other })])
    expect(await refusal([service({ source: other, hash: `oas1:sha256:${'0'.repeat(64)}` })])).toEqual([
      expect.stringContaining('service.hash The description of ledger has the hash oas1:sha256:'),
    ])
  })
})

describe('a drafted service', () => {
  it('is not fetched, and has no fault, until it is planned', async () => {
    await applied(credentials())
    const draft = { version: 0, text: JSON.stringify(service(address())) }
    await test.studio('PUT', '/setup/v3/drafts/external_service/ledger', draft)
    const { body } = await test.studio<Any>('GET', '/setup/v3/problems')
    expect(body.findings).toEqual([])
    expect(fetched).toEqual([])
    const { body: plan } = await test.studio<Any>('POST', '/metadata/v3/plan', { drafts: true })
    expect(plan.findings).toEqual([])
    expect(fetched).toHaveLength(1)
  })
})

describe('evil descriptions', () => {
  const nested = (depth: number): unknown => (depth === 0 ? {} : { properties: { a: nested(depth - 1) } })
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
    .split('')
    .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`)
    .join('\n')}`
  const withSchema = (schema: unknown): string =>
    JSON.stringify(changed(ledger, (copy: Any) => (copy.components.schemas.Entry.properties.evil = schema)))

  it.each<[string, string, string]>([
    ['an alias bomb', bomb, 'aliases included'],
    ['a reference that leads nowhere', withSchema({ $ref: '#/components/schemas/None' }), 'None'],
    [
      'a reference to a different document',
      withSchema({ $ref: 'https://example.com/x.json' }),
      'example.com',
    ],
    ['a schema that is too deep', withSchema(nested(60)), 'levels deep'],
    [
      'two operations of one name',
      JSON.stringify(
        changed(ledger, (copy: Any) => (copy.paths['/entries'].post.operationId = 'listEntries')),
      ),
      'listEntries',
    ],
    ['a property that occurs twice', '{"openapi":"3.1.0","openapi":"3.1.0"}', 'openapi'],
  ])('%s is refused with its place', async (_name, text, words) => {
    const [message] = await refusal([...credentials(), service({ source: text })])
    expect(message).toContain('service.import')
    expect(message).toContain(words)
  })

  it('a circle and an evil pattern are imported', async () => {
    const text = withSchema({ type: 'string', pattern: '^(a+)+$' })
    await applied([...credentials(), service({ source: text })])
  })
})

describe('a new description', () => {
  const moved = changed(ledger, (copy: Any) => {
    copy.components.schemas.Entry.properties.amount = { type: 'string' }
    copy.info.version = '2.0.0'
  })
  const caller = {
    ...{ type: 'automation', key: 'book', label: 'Book' },
    body: {
      phase: 'invocable',
      actions: [{ type: 'callout', key: 'list', operation: 'ledger.listEntries' }],
    },
  }

  it('that changes a signature is refused, with the signatures and who uses the operation', async () => {
    await applied([...credentials(), service({ source: ledger }), caller])
    const problems = await refusal([service({ source: moved })])
    expect(problems).toHaveLength(2)
    const of = (name: string): string => problems.find((each) => each.includes(`ledger.${name} changes`))!
    expect(of('listEntries')).toMatch(/^service\.drift /)
    expect(of('listEntries')).toContain('/amount: type number → string')
    expect(of('listEntries')).toContain('It is used by automation/book.')
    expect(of('createEntry')).toContain('Nothing uses it.')
    expect(of('createEntry')).toContain('createEntry(body: Entry) → Entry')
  })

  it('is applied with warnings and recorded in the audit if its service asks for that', async () => {
    await applied([...credentials(), service({ source: ledger }, { onSpecDrift: 'warn' })])
    const { findings } = await applied([service({ source: moved }, { onSpecDrift: 'warn' })])
    expect(findings.filter(({ code }) => code === 'service.drift').map(({ severity }) => severity)).toEqual([
      'warning',
      'warning',
    ])
    const { body } = await test.studio<{ rows: { kind: string; after: Any }[] }>(
      'GET',
      '/metadata/v3/audit?component=external_service/ledger',
    )
    const row = body.rows.find(({ kind }) => kind === 'service.drift')
    expect(Object.keys(row!.after.operations).sort()).toEqual(['createEntry', 'listEntries'])
    for (const changes of Object.values<string[]>(row!.after.changes))
      expect(changes).toEqual(expect.arrayContaining([expect.stringMatching(/: .+ (→|added|removed)/)]))
    expect(Object.keys(row!.after.changes).sort()).toEqual(['createEntry', 'listEntries'])
  })

  it('whose signatures are the same is applied with a note', async () => {
    await applied([...credentials(), service({ source: ledger }), caller])
    const words = changed(ledger, (copy: Any) => (copy.info.title = 'The ledger'))
    const { findings } = await applied([service({ source: words })])
    expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['info service.changed'])
  })

  it('in another order of keys is the same', async () => {
    await applied([...credentials(), service({ source: ledger })])
    const { hash } = (await stored()).spec
    const reversed = (value: Any): Any =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, each]) => [key, reversed(each)]),
            )
          : value
    const { findings } = await applied([service({ source: JSON.stringify(reversed(ledger)) })])
    expect(findings).toEqual([])
    expect((await stored()).spec.hash).toBe(hash)
  })

  it('is undone by a rollback, which fetches nothing', async () => {
    const { generation } = await applied([...credentials(), service(address())])
    const { hash } = (await stored()).spec
    served = { text: JSON.stringify(moved) }
    await applied([service({ source: `${base}/v2.json` }, { onSpecDrift: 'warn' })])
    expect((await stored()).spec.hash).not.toBe(hash)
    fetched = []
    const { status } = await test.studio('POST', '/metadata/v3/rollback', { generation })
    expect(status).toBe(200)
    expect((await stored()).spec.hash).toBe(hash)
    expect(fetched).toEqual([])
  })
})

describe('a retrieve', () => {
  let dir: string
  beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'services-'))))
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  /** Writes what the server retrieves, and returns the paths. */
  async function retrieve(): Promise<string[]> {
    const { body } = await test.studio<{ files: Record<string, string> }>('GET', '/metadata/v3/retrieve')
    for (const [path, text] of Object.entries(body.files)) {
      mkdirSync(join(dir, path, '..'), { recursive: true })
      writeFileSync(join(dir, path), text)
    }
    return Object.keys(body.files).filter((path) => path.startsWith('external_service/'))
  }

  it('takes the description of an address along, which another org applies without fetching', async () => {
    await applied([...credentials(), service(address())])
    const { hash } = (await stored()).spec
    expect(await retrieve()).toEqual(['external_service/ledger.json', 'external_service/ledger.openapi.json'])
    const { components, findings } = readDirectory(dir)
    expect(findings).toEqual([])
    const { descriptions } = readServiceFiles(dir)
    const list = components.map(({ component }) => component)
    fetched = []

    const other = await runningServer()
    try {
      const send = { components: list, descriptions }
      const { body } = await other.studio<Applied>('POST', '/metadata/v3/apply', send)
      expect(body.detail).toBeUndefined()
      const found = await other.studio<Any>('GET', '/metadata/v3/components/external_service/ledger')
      expect(found.body.component.body.spec.hash).toBe(hash)
    } finally {
      await other.close()
    }
    // Here it changes nothing.
    const { generation } = await applied(list, { descriptions })
    expect((await applied(list, { descriptions })).generation).toBe(generation)
    expect(fetched).toEqual([])

    // An edited description is not the one that the hash names.
    const path = join(dir, 'external_service/ledger.openapi.json')
    const edited = readFileSync(path, 'utf8').replace('1.0.0', '1.0.1')
    expect(await refusal(list, { descriptions: { ledger: edited } })).toEqual([
      expect.stringContaining('service.hash'),
    ])
  })

  it('refuses a description of a service that is not in the list', async () => {
    const { code, detail } = await apply(credentials(), { descriptions: { legder: '{}' } })
    expect([code, detail]).toEqual(['request.malformed', expect.stringContaining('"legder"')])
  })

  it.each(['yaml', 'yml'])('reports a description as %s, which it would not read', async (ending) => {
    await applied([...credentials(), service(address())])
    await retrieve()
    writeFileSync(join(dir, `external_service/ledger.openapi.${ending}`), dump(ledger))
    const [finding, ...others] = readDirectory(dir).findings
    expect(finding).toMatchObject({
      ...{ severity: 'error', code: 'files.place', component: 'external_service/ledger' },
      message: expect.stringContaining('is read from external_service/ledger.openapi.json') as string,
    })
    expect(others).toEqual([])
  })

  it('reports a description without its service', async () => {
    await applied([...credentials(), service(address())])
    await retrieve()
    rmSync(join(dir, 'external_service/ledger.json'))
    expect(readDirectory(dir).findings).toMatchObject([
      { code: 'files.place', component: 'external_service/ledger' },
    ])
  })
})
