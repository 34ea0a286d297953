// X-Almanac-Position: a request that sends it back reads at least the state that it names, in any process of the org.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOf } from '../../server/compose/engines.ts'
import { openOrg } from '../../server/compose/open-org.ts'
import { createCursorSeal } from '../../server/records/index.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { fee, feeSet } from '../support/fees.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const header = 'x-almanac-position'

let test: TestServer
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk(), feeSet()])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
})
afterAll(() => test.close())

const positionAt = (key: () => Buffer, org: number, records: number): string =>
  createCursorSeal(key, { isStable: true }).seal('position', [org, records])
const positionOf = async (ask: Ask, method: string, path: string, body?: unknown): Promise<string> =>
  (await ask(method, path, body)).headers.get(header)!

describe('the position', () => {
  it('changes with writes of records and of the org, and only with those', async () => {
    const first = await positionOf(ada, 'GET', '/data/v3')
    const again = await positionOf(ada, 'GET', '/data/v3')
    const saved = await positionOf(ada, 'POST', '/data/v3/customer', { name: 'Ada', country: 'DE' })
    const applied = await positionOf(test.studio, 'POST', '/metadata/v3/apply', {
      components: [fee('a', '1')],
      rationale: 'a fee',
    })
    expect(first).toMatch(/^[\w-]+$/)
    expect(again).toBe(first)
    expect(new Set([first, saved, applied]).size).toBe(3)
  })

  it('is that of the state that a query in a worker has read', async () => {
    const saved = await positionOf(ada, 'POST', '/data/v3/customer', { name: 'Bo', country: 'DE' })
    const query = { object: 'customer', fields: ['name'] }
    expect(await positionOf(ada, 'POST', '/data/v3/query', query)).toBe(saved)
  })

  it('is part of refusals too', async () => {
    const { status, headers } = await ada('GET', '/data/v3/customer/unknown')
    expect([status, headers.get(header)]).toEqual([404, expect.stringMatching(/^[\w-]+$/)])
  })

  it('can be sent back, also after a write in a different process', async () => {
    const org = openOrg(test.dir)
    await org.apply({ source: { kind: 'components', components: [fee('b', '2')] as never }, actor: 'admin' })
    const { records, cursorKey } = enginesOf(org)
    const { results } = await records.save({
      ...{ generation: org.activeGeneration(), user: 'ada', correlationId: 'c', scopePath: {} },
      items: [{ op: 'insert', object: 'customer', fields: { name: 'Cy', country: 'DE' } }],
      ...{ allOrNone: false, reply: 'ids' },
    })
    const [result] = results
    const sent = positionAt(cursorKey, org.position(), await records.position())
    await org.close()
    const { status, body } = await ada(
      'GET',
      `/data/v3/customer/${result!.ok ? result!.id : ''}`,
      undefined,
      {
        [header]: sent,
      },
    )
    expect([status, body['fields']]).toEqual([200, expect.objectContaining({ name: 'Cy' })])
  })

  it('is refused if this server has not reached it, or if it is not one', async () => {
    const org = openOrg(test.dir)
    const { records, cursorKey } = enginesOf(org)
    const [atOrg, atRecords] = [org.position(), await records.position()]
    // Follows from a key that is compared with the org.
    cursorKey()
    await org.close()
    const codeOf = async (sent: string): Promise<unknown[]> => {
      const { status, body, headers } = await ada('GET', '/data/v3', undefined, { [header]: sent })
      return [status, body['code'], headers.get('retry-after')]
    }
    const behind = [503, 'storage.behind', '1']
    expect(await codeOf(positionAt(cursorKey, atOrg + 1, atRecords))).toEqual(behind)
    expect(await codeOf(positionAt(cursorKey, atOrg, atRecords + 1))).toEqual(behind)
    const malformed = [400, 'request.malformed', null]
    expect(await codeOf(positionAt(() => Buffer.alloc(32), atOrg, atRecords))).toEqual(malformed)
    expect(await codeOf('x')).toEqual(malformed)
    expect(await codeOf(positionAt(cursorKey, atOrg, atRecords))).toEqual([200, undefined, null])
  })
})
