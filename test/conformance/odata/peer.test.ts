// Random filters and orders through a public OData server return what our evaluator selects from the same rows.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fixtureView, fixtureObject, listRequest } from '../../../server/virtual/fixture.ts'
import { createODataSource, listPage, type RemotePlace } from '../../../server/virtual/index.ts'
import { expectedIds } from './held-rows.ts'
import { httpCall } from './http-call.ts'
import { startPeer, type Peer } from './peer.ts'
import { randomFilter, randomOrder, randomRows } from './random-filters.ts'

const view = fixtureView()
const object = fixtureObject(view)
const never = new AbortController().signal
let peer: Peer

beforeAll(async () => {
  peer = await startPeer([])
})
afterAll(() => peer.close())

it('selects and sorts as our evaluator does, page by page', async () => {
  let shown = 0
  await fc.assert(
    fc.asyncProperty(
      randomRows,
      randomFilter,
      randomOrder,
      fc.integer({ min: 1, max: 7 }),
      async (rows, filter, orderBy, limit) => {
        peer.rows = rows
        const source = createODataSource(peer.url, httpCall(peer.url))
        const found: string[] = []
        let place: RemotePlace | null = null
        do {
          const page = await listPage(
            source,
            listRequest(view, { filter, orderBy, limit, place, count: true }),
            never,
          )
          expect(page.warnings.map(({ message }) => message)).toEqual([])
          found.push(...page.rows.map(({ id }) => id))
          place = page.next
        } while (place !== null)
        expect(found).toEqual(expectedIds(rows, filter, orderBy, object, view))
        shown += found.length
      },
    ),
    { numRuns: Number(process.env['ALMANAC_RUNS'] ?? 300), seed: 14 },
  )
  expect(shown).toBeGreaterThan(100)
})
