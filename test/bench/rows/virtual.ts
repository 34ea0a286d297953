// A page of a virtual object over HTTP, next to the same request to its source.
import type { QueryReply } from '../../../server/wire/records.ts'
import { runningServer } from '../../support/running-server.ts'
import { virtualOrg } from '../../support/virtual-org.ts'
import { compare } from '../support/compare.ts'
import { duration, type Part } from '../support/part.ts'
import { serve } from '../support/served.ts'

const rows = 1000
const perPage = 50
const mostMs = 5
/** Requests of each side before the first that is timed: a server in use has compiled its code. */
const warm = 400

/** As Almanac sends them. */
const sentHeaders = {
  accept: 'application/json;odata.metadata=minimal;IEEE754Compatible=true',
  ...{ 'odata-version': '4.0', 'odata-maxversion': '4.01' },
}

export const virtualPart: Part = {
  name: 'virtual',
  title: 'Virtual objects',
  async run({ say, folder }) {
    say('source')
    const source = await serve('odata-server', String(rows))
    const test = await runningServer({}, folder)
    try {
      const { seller } = await virtualOrg(test, { url: source.url, source: { pageSize: perPage } })
      const fields = [
        'id_text',
        'name',
        'city',
        'amount',
        'pieces',
        'weight',
        'placed',
        'sent_at',
        'open',
        'status',
      ]
      const orderBy = [{ field: 'id_text', dir: 'asc' }]
      const body = { object: 'sales_order', fields, orderBy, limit: perPage }
      const select = 'Id,Name,City,Amount,Pieces,Weight,Placed,SentAt,Open,Status,Batch,Version'
      const direct = `${source.url}/Orders?$select=${encodeURIComponent(select)}&$orderby=${encodeURIComponent('Id asc')}&$top=${perPage + 1}`
      let page: QueryReply
      let answer: { value: { Id: string }[] }
      const isFirstPage = (ids: readonly string[]): boolean =>
        ids.length === perPage && ids.every((id, at) => id === `order-${String(at).padStart(6, '0')}`)
      // The source does not page: the first response has all rows, and then Almanac asks for parts.
      await seller('POST', '/data/v3/query', body)
      say('pages')
      const [ours, own] = await compare(
        [
          {
            name: 'Almanac',
            run: async () => void (page = (await seller<QueryReply>('POST', '/data/v3/query', body)).body),
            check: () => {
              if (!isFirstPage(page.records.map(({ id }) => id)))
                throw new Error('Almanac returned other rows.')
            },
          },
          {
            name: 'the source itself',
            run: async () => {
              const response = await fetch(direct, { headers: sentHeaders })
              answer = (await response.json()) as typeof answer
            },
            check: () => {
              if (!isFirstPage(answer.value.slice(0, perPage).map(({ Id }) => Id)))
                throw new Error('The source returned other rows.')
            },
          },
        ],
        { rounds: 101, warm },
      )
      const more = ours!.ms - own!.ms
      return {
        lines: [
          {
            ...{ what: `query, page of ${perPage} rows`, work: 'ten fields, one at a time' },
            ...{ ours: duration(ours!.ms), against: `the source itself ${duration(own!.ms)}` },
            ...{ ratio: `+${duration(Math.max(0, more))}`, aim: `≤ +${mostMs} ms`, met: more <= mostMs },
          },
        ],
        notes: [
          `The source is npm odata-v4-server over ${rows} rows, a process of its own. Both sides send it the same request; a figure is the median of 101, after ${warm} requests of each. Almanac runs in the process of the benchmark, with rights on each field, the breaker and the budget, and checks each row again.`,
        ],
      }
    } finally {
      await test.close()
      await source.stop()
    }
  },
}
