// An external service between two orgs: its description goes along with a push, a take and a directory, and is never
// fetched a second time, even if its address has a different one by then.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changed, ledger } from '../../server/external-services/fixture.ts'
import { largeServiceDraft } from '../../server/pipeline/index.ts'
import { almanacBeside } from '../cli/almanac.ts'
import type { Ask } from '../support/running-server.ts'
import { done } from '../support/remote-requests.ts'
import { finished, twoOrgs, type TwoOrgs } from '../support/two-orgs.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- descriptions are changed in any place
type Any = any

const moved = changed(ledger, (copy: Any) => {
  copy.components.schemas.Entry.properties.amount = { type: 'string' }
  copy.info.version = '2.0.0'
})
const id = 'external_service/ledger'

let source: Server
let address: string
let served: Any
let fetched: number
let two: TwoOrgs
beforeEach(async () => {
  served = ledger
  fetched = 0
  source = createServer((_request, response) => {
    fetched += 1
    response.end(JSON.stringify(served))
  })
  await new Promise<void>((ready) => source.listen(0, '127.0.0.1', ready))
  address = `http://127.0.0.1:${(source.address() as AddressInfo).port}/openapi.json`
  two = await twoOrgs()
})
afterEach(async () => {
  await two.close()
  source.close()
})

const credentials = [
  {
    ...{ type: 'external_credential', key: 'none', label: 'None' },
    body: {
      scheme: 'api_key',
      principals: [{ key: 'service', mode: 'named', grantedTo: ['administrator'] }],
    },
  },
  {
    ...{ type: 'named_credential', key: 'none', label: 'None' },
    body: { url: 'https://api.example.com', externalCredential: 'none', principal: 'service' },
  },
]
const service = (spec: object = { source: address }): object => ({
  ...{ type: 'external_service', key: 'ledger', label: 'Ledger' },
  body: {
    ...{ namedCredential: 'none', grantedTo: ['administrator'], onSpecDrift: 'warn' },
    spec: { format: 'openapi_3_1', ...spec },
  },
})
const apply = async (ask: Ask, components: object[]): Promise<void> =>
  void done(await ask('POST', '/metadata/v3/apply', { components, rationale: 'test' }))
const hashIn = async (ask: Ask): Promise<string> => {
  const { body } = await ask<Any>('GET', `/metadata/v3/components/${id}`)
  return body.component.body.spec.hash
}
const versionIn = async (ask: Ask): Promise<string | undefined> => {
  const { body } = await ask<Any>('GET', '/setup/v3/services/ledger')
  return body.description?.version
}
const push = async (body: object = {}): Promise<void> => {
  const job = await finished(two.ask, two.path, 'push', { rationale: 'test', ...body })
  expect([job.state, job.problem]).toEqual(['done', null])
}

describe('a push', () => {
  it.each<[string, () => object]>([
    ['an address', () => service()],
    ['a text', () => service({ source: JSON.stringify(ledger) })],
  ])('of a service whose description is %s brings the description along', async (_name, component) => {
    await apply(two.here.studio, [...credentials, component()])
    const before = fetched
    served = moved
    await push()
    expect(fetched).toBe(before)
    expect(await hashIn(two.there.studio)).toBe(await hashIn(two.here.studio))
    expect(await versionIn(two.there.studio)).toBe('1.0.0')
    const { body } = await two.ask<Any>('GET', `${two.path}/comparison?limit=100`)
    expect(body.rows.find((row: Any) => row.id === id)?.state ?? 'same').toBe('same')
  })

  it('of a new description is undone there by a rollback, which fetches nothing', async () => {
    await apply(two.here.studio, [...credentials, service()])
    await push()
    const first = await hashIn(two.there.studio)
    const { body } = await two.there.studio<Any>('GET', '/metadata/v3/generations?limit=1')
    served = moved
    // A different address is imported again.
    await apply(two.here.studio, [service({ source: `${address}?v=2` })])
    await push()
    expect(await versionIn(two.there.studio)).toBe('2.0.0')
    const before = fetched
    served = ledger
    const job = await finished(two.ask, two.path, 'rollback', {
      ...{ generation: body.generations[0].generation, rationale: 'back' },
    })
    expect(job.state).toBe('done')
    expect(await hashIn(two.there.studio)).toBe(first)
    expect(await versionIn(two.there.studio)).toBe('1.0.0')
    // The other way round again: this org still has the newer one.
    await push({ ids: [id] })
    expect(await versionIn(two.there.studio)).toBe('2.0.0')
    expect(fetched).toBe(before)
  })

  it('of a draft whose description is not imported imports it there', async () => {
    await apply(two.here.studio, credentials)
    const draft = { version: 0, text: JSON.stringify(service()) }
    done(await two.ask('PUT', `/setup/v3/drafts/${id}`, draft))
    await push({ local: 'drafts' })
    expect(await versionIn(two.there.studio)).toBe('1.0.0')
  })

  it('of a draft that contains a long description sends the description', async () => {
    await apply(two.here.studio, credentials)
    const notes = Array.from({ length: 2000 }, (_, at) => [
      `x-note-${at}`,
      { text: 'A note without meaning.' },
    ])
    const long = changed(ledger, (copy: Any) => Object.assign(copy.info, Object.fromEntries(notes)))
    const draft = { version: 0, text: JSON.stringify(service({ source: long })) }
    expect(draft.text.length).toBeGreaterThan(largeServiceDraft)
    done(await two.ask('PUT', `/setup/v3/drafts/${id}`, draft))
    await finished(two.ask, two.path, 'compare')
    const { body } = await two.ask<Any>('GET', `${two.path}/comparison?local=drafts&limit=100`)
    expect(body.rows.find((row: Any) => row.id === id)).toMatchObject({ state: 'only_local', draft: true })
    await push({ local: 'drafts' })
    expect(await versionIn(two.there.studio)).toBe('1.0.0')
  })

  it('as a change request brings it along, even if it is applied later', async () => {
    await apply(two.here.studio, [...credentials, service()])
    const before = fetched
    served = moved
    done(await two.there.studio('PUT', '/setup/v3/approvals', { required: 1 }))
    const job = await finished(two.ask, two.path, 'push', { rationale: 'test', title: 'Ledger' })
    expect([job.state, job.problem]).toEqual(['waiting', null])
    expect(fetched).toBe(before)
  })
})

describe('taking a service from a remote', () => {
  it('brings its description along, and the apply here fetches nothing', async () => {
    await apply(two.there.studio, [...credentials, service()])
    const before = fetched
    served = moved
    await finished(two.ask, two.path, 'compare')
    const ids = ['external_credential/none', 'named_credential/none', id]
    expect(done(await two.ask('POST', `${two.path}/take`, { ids })).body).toEqual({ drafts: ids })
    const { body: plan } = await two.ask<Any>('POST', '/metadata/v3/plan', { drafts: true })
    expect(plan.findings).toEqual([])
    done(await two.ask('POST', '/metadata/v3/apply', { drafts: true, rationale: 'taken' }))
    expect(fetched).toBe(before)
    expect(await versionIn(two.here.studio)).toBe('1.0.0')
    expect(await hashIn(two.here.studio)).toBe(await hashIn(two.there.studio))
  })
})

describe('a directory', () => {
  let dir: string
  beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'almanac-pushed-'))))
  afterEach(() => rmSync(dir, { recursive: true, force: true }))
  const run = async (...args: string[]): Promise<Any> => {
    const { code, err, json } = await almanacBeside([...args, '--json'])
    expect([code, err]).toEqual([0, ''])
    return json()
  }

  it('that was retrieved is pushed, compared and retrieved again without fetching', async () => {
    await apply(two.here.studio, [...credentials, service()])
    const before = fetched
    served = moved
    const [from, to] = [join(dir, 'from'), join(dir, 'to')]
    await run('retrieve', '--out', from, '--org', two.here.dir)
    expect((await run('diff', from, '--org', two.here.dir)).changes).toEqual([])
    await push({ ids: ['external_credential/none', 'named_credential/none'] })
    await run('push', from, '--remote', 'there', '--rationale', 'test', '--org', two.here.dir)
    expect(await versionIn(two.there.studio)).toBe('1.0.0')
    await run('retrieve', '--out', to, '--org', two.there.dir)
    expect((await run('diff', to, '--org', two.here.dir)).changes).toEqual([])
    expect((await run('push', to, '--remote', 'there', '--org', two.here.dir)).changes).toEqual([])
    expect(fetched).toBe(before)
  })
})
