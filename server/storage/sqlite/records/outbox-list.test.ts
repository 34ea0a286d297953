// The plans of the statements that list the outbox.
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import type { OutboxFilter, OutboxState } from '../../../ports/outbox.ts'
import { outboxCount, outboxPage, outboxStates } from './outbox-list.ts'
import { outboxTables } from './outbox-row.ts'

const db = new Database(':memory:')
db.exec(`CREATE TABLE record_org (id INTEGER PRIMARY KEY);
CREATE TABLE record_effect (sequence INTEGER PRIMARY KEY, at TEXT NOT NULL); ${outboxTables}`)
afterAll(() => void db.close())

function planOf({ sql, parameters }: { sql: string; parameters: object }, more: object): string {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all({ ...parameters, ...more }) as {
    detail: string
  }[]
  return steps.map(({ detail }) => detail).join('; ')
}
const page = (filter: OutboxFilter): string =>
  planOf(outboxPage(filter, ['o.sequence < @before'], 'DESC'), { before: 5, limit: 10 })

describe('a list of the outbox', () => {
  it.each<[OutboxState]>([['dead'], ['resolved'], ['discarded']])(
    'reads only the %s rows of a page',
    (state) => {
      const plan = page({ states: [state] })
      expect(plan).toBe('SEARCH o USING INDEX record_outbox_closed (state=? AND sequence<?)')
    },
  )

  it.each<[string, OutboxFilter]>([
    ['no filter', {}],
    ['a credential', { credential: 'bank' }],
    ['two states', { states: ['dead', 'resolved'] }],
  ])('sorts nothing with %s, and reads no effects', (_, filter) => {
    expect(page(filter)).not.toMatch(/TEMP B-TREE|record_effect|SCAN o/)
  })

  it('reads effects only for times', () => {
    expect(page({ since: '2026-01-01T00:00:00Z' })).toMatch(/SEARCH e USING INTEGER PRIMARY KEY/)
  })

  it.each(outboxStates)('counts the %s rows in an index alone', (state) => {
    expect(planOf(outboxCount(state, {}), {})).toMatch(/^(SEARCH|SCAN) o USING COVERING INDEX /)
  })
})
