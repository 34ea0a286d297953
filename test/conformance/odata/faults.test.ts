// What a source does wrong is noticed, and the page is shown as far as it can be trusted.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  fixtureView,
  listRequest,
  type FixtureOptions,
  type FixtureRequest,
} from '../../../server/virtual/fixture.ts'
import {
  createODataSource,
  listPage,
  type ODataSource,
  type RemotePage,
} from '../../../server/virtual/index.ts'
import { startFaultySource, type FaultySource } from './faulty-source.ts'
import { httpCall } from './http-call.ts'
import type { PeerRow } from './peer.ts'

let faulty: FaultySource
let source: ODataSource
const noDeadline = new AbortController().signal

beforeAll(async () => {
  faulty = await startFaultySource()
})
beforeEach(() => {
  faulty.rows = rowsOf(10)
  faulty.faults = {}
  faulty.requests = []
  source = createODataSource(faulty.url, httpCall(faulty.url))
})
afterAll(() => faulty.close())

const rowsOf = (count: number): PeerRow[] =>
  Array.from({ length: count }, (_, at) => ({
    Id: `r${at}`,
    Amount: at,
    Name: `Order ${at}`,
    Open: at % 2 === 0,
  }))

const page = (request: FixtureRequest = {}, options: FixtureOptions = {}, signal = noDeadline) =>
  listPage(
    source,
    listRequest(fixtureView({ source: { ...pushdown, pageSize: 4 }, ...options }), request),
    signal,
  )

const pushdown = { pushdown: { filter: true, sort: true, paging: 'server', aggregate: true } }

async function allPages(
  request: FixtureRequest = {},
  between?: (page: number) => void,
): Promise<RemotePage[]> {
  const pages: RemotePage[] = []
  do {
    between?.(pages.length)
    pages.push(await page({ ...request, place: pages.at(-1)?.next ?? null }))
  } while (pages.at(-1)!.next !== null && pages.length < 30)
  return pages
}

const ids = (pages: readonly RemotePage[]): string =>
  pages.flatMap(({ rows }) => rows.map(({ id }) => id)).join(' ')
const warnings = (pages: readonly RemotePage[]): string[] =>
  pages.flatMap((each) => each.warnings.map(({ code, message }) => `${code}: ${message}`))
const everything = 'r0 r1 r2 r3 r4 r5 r6 r7 r8 r9'

describe('pages of the source', () => {
  it('are followed by their links, with the page size as a preference', async () => {
    const pages = await allPages({ limit: 4 })
    expect(ids(pages)).toBe(everything)
    expect(warnings(pages)).toEqual([])
    expect(pages.map(({ rows }) => rows.length)).toEqual([4, 4, 2])
    expect(faulty.requests.map(({ headers }) => headers['prefer'])).toEqual(
      Array(3).fill('odata.maxpagesize=4'),
    )
    expect(faulty.requests[0]!.url.searchParams.get('$select')).toBe(
      'Id,Name,City,Amount,Pieces,Weight,Placed,SentAt,Open,Status,Batch,Version',
    )
    expect(faulty.requests[0]!.url.searchParams.get('$orderby')).toBe('Id asc')
  })

  it('fill a page that is larger than theirs, and are read again from the middle', async () => {
    const pages = await allPages({ limit: 6 })
    expect(ids(pages)).toBe(everything)
    expect(pages.map(({ rows }) => rows.length)).toEqual([6, 4])
    expect(warnings(pages)).toEqual([])
  })

  it('are counted if the source aggregates', async () => {
    const filter = 'amount >= 3'
    expect((await page({ filter, count: true, limit: 2 })).count).toBe(7)
    expect((await page({ filter, limit: 2 })).count).toBeNull()
    const noCount = { source: { pushdown: { ...pushdown.pushdown, aggregate: false } } }
    expect((await page({ filter, count: true }, noCount)).count).toBeNull()
  })

  it('are cut here if the source does not page, with a row of the page before', async () => {
    faulty.faults = { ignores: ['maxpagesize'] }
    const pages = await allPages({ limit: 4 })
    expect(ids(pages)).toBe(everything)
    expect(warnings(pages)).toEqual([])
    const asked = faulty.requests.map(
      ({ url }) => `${url.searchParams.get('$skip')} ${url.searchParams.get('$top')}`,
    )
    expect(asked).toEqual(['null null', '3 6', '7 6'])
    // The source is remembered.
    await page({ limit: 4 })
    expect(faulty.requests.at(-1)!.url.searchParams.get('$top')).toBe('5')
  })

  it.each([
    ['and $top', ['maxpagesize', '$skip', '$top'] as const],
    ['only', ['maxpagesize', '$skip'] as const],
  ])('are cut from the start of the list if the source ignores $skip %s', async (_, ignores) => {
    faulty.faults = { ignores }
    for (const limit of [1, 2, 4, 7]) {
      source = createODataSource(faulty.url, httpCall(faulty.url))
      const pages = await allPages({ limit, count: true })
      expect(ids(pages)).toBe(everything)
      expect(pages.at(-1)!.next).toBeNull()
      expect(new Set(pages.flatMap((each) => each.warnings.map(({ code }) => code)))).toEqual(
        new Set(['integration.source_ignored']),
      )
      // The source is remembered.
      expect(warnings(await allPages({ limit }))).toEqual([])
    }
  })

  it('that cannot be found again end the list', async () => {
    faulty.rows = rowsOf(30)
    // Never more than the first 12 rows.
    faulty.faults = {
      ignores: ['maxpagesize', '$skip', '$top'],
      list: (payload) => ({ ...payload, value: payload.value.slice(0, 12) }),
    }
    const pages = await allPages({ limit: 4, count: true })
    expect(new Set(ids(pages).split(' ')).size).toBe(12)
    expect(pages.at(-1)!.next).toBeNull()
    expect(warnings(pages).join()).toContain('the source counted 30 rows and returned 12')
  })

  it('are those of the source again if it does not support $skip', async () => {
    source.paging.set('sales_order', 'here')
    const first = await page({ limit: 4 })
    faulty.faults = { status: { code: 501 } }
    await expect(page({ limit: 4, place: first.next })).rejects.toMatchObject({ code: 'integration.refused' })
    faulty.faults = {}
    expect(ids(await allPages({ limit: 4 }))).toBe(everything)
    expect(faulty.requests.at(-1)!.headers['prefer']).toBe('odata.maxpagesize=4')
  })

  it('are cut from then on if everything at once is too large', async () => {
    const call = httpCall(faulty.url)
    source = createODataSource(faulty.url, (request, signal) =>
      request.query.includes('$top')
        ? call(request, signal)
        : Promise.reject(new AlmanacError('integration.too_large', 'The response is too large.')),
    )
    expect(ids(await allPages({ limit: 4 }))).toBe(everything)
  })

  it('are not asked for if no row can pass', async () => {
    expect(await page({ filter: 'batch_no == "x"', count: true })).toMatchObject({
      rows: [],
      next: null,
      count: 0,
    })
    expect(faulty.requests).toEqual([])
  })
})

describe('unstable pages', () => {
  it('that lose a row are noticed by the count of the source', async () => {
    const pages = await allPages({ limit: 4, count: true }, (at) => {
      if (at === 1) faulty.rows.shift()
    })
    expect(ids(pages)).toBe('r0 r1 r2 r3 r5 r6 r7 r8 r9')
    expect(warnings(pages).join()).toMatch(/integration.page_unstable.*counted/)
  })

  it('with a row twice show it once', async () => {
    const pages = await allPages({ limit: 4 }, (at) => {
      if (at === 1) faulty.rows.unshift({ Id: 'a', Amount: 0 })
    })
    expect(ids(pages)).toBe(everything)
    expect(warnings(pages)).toEqual([expect.stringContaining('integration.page_unstable')])
    expect(warnings(pages)[0]).toContain('a row came twice')
  })

  it.each([
    ['a removed row', () => void faulty.rows.splice(0, 1), 'no longer where it was'],
    [
      'an added row',
      () => void faulty.rows.unshift({ Id: 'a', Amount: 0 }),
      'rows were added before the page',
    ],
  ])('that are cut here notice %s', async (_, change, reason) => {
    faulty.faults = { ignores: ['maxpagesize'] }
    const pages = await allPages({ limit: 4 }, (at) => {
      if (at === 1) change()
    })
    expect(warnings(pages).join()).toContain(reason)
    expect(new Set(ids(pages).split(' ')).size).toBe(ids(pages).split(' ').length)
  })

  it('notice that the count has changed, and that the order went back', async () => {
    const pages = await allPages(
      { limit: 4, count: true, orderBy: [{ field: 'amount', dir: 'asc' }] },
      (at) => {
        if (at === 1) faulty.rows = [...rowsOf(4), { Id: 'x', Amount: 1 }, { Id: 'y', Amount: 2 }]
      },
    )
    expect(warnings(pages).join()).toContain('the source counted 10 rows before and 6 now')
    faulty.rows = rowsOf(10)
    const back = await allPages({ limit: 4, orderBy: [{ field: 'amount', dir: 'asc' }] }, (at) => {
      if (at === 1) for (const row of faulty.rows) row['Amount'] = -Number(row['Amount'])
    })
    expect(warnings(back).join()).toContain('began before the end of the previous one')
  })

  it('end if a link leads back', async () => {
    faulty.faults = { list: (payload) => ({ ...payload, '@odata.nextLink': link(1) }) }
    const found = await page({ limit: 50 })
    expect(found.next).toBeNull()
    expect(warnings([found]).join()).toContain('leads back to an earlier page')
  })

  it('without rows and without end stop, and can be continued', async () => {
    let n = 0
    faulty.faults = { list: (payload) => ({ ...payload, value: [], '@odata.nextLink': link(++n) }) }
    const found = await page()
    expect(found.rows).toEqual([])
    expect(found.next).toMatchObject({ cursor: { kind: 'link' } })
    expect(warnings([found])).toEqual([expect.stringContaining('limit.list_incomplete')])
    expect(faulty.requests).toHaveLength(50)
  })
})

const link = (used: number): string =>
  `Orders?$skiptoken=${Buffer.from(JSON.stringify({ page: 1, used, query: '' })).toString('base64url')}`

describe('a source that ignores', () => {
  it('$filter: rows that do not match are left out, and the count too', async () => {
    faulty.faults = { ignores: ['$filter'] }
    const pages = await allPages({ filter: 'amount > 6', count: true })
    expect(ids(pages)).toBe('r7 r8 r9')
    expect(pages[0]!.count).toBeNull()
    expect(warnings(pages)).toEqual([
      'integration.source_ignored: erp, the source of sales_order, returned 7 rows that the filter excludes. They are left out, and others can be missing.',
    ])
  })

  it('$orderby', async () => {
    faulty.faults = { ignores: ['$orderby'] }
    expect(warnings(await allPages({ orderBy: [{ field: 'amount', dir: 'desc' }] })).join()).toContain(
      'did not sort the rows',
    )
  })

  it('where absent values belong', async () => {
    faulty.rows = rowsOf(4)
    faulty.rows[3]!['Amount'] = null
    faulty.faults = {
      list: (payload) => ({ ...payload, value: [payload.value[3], ...payload.value.slice(0, 3)] }),
    }
    expect(
      warnings([await page({ orderBy: [{ field: 'amount', dir: 'desc' }], limit: 4 })]).join(),
    ).toContain('without a value at the other end')
  })

  it('$top', async () => {
    faulty.faults = { ignores: ['maxpagesize', '$top'] }
    const pages = await allPages({ limit: 4 })
    expect(ids(pages)).toBe(everything)
    expect(warnings(pages).join()).toContain('more rows than it was asked for')
  })

  it('the owner: rows of others are never shown', async () => {
    const object = { ownerColumn: 'Name' }
    faulty.faults = { ignores: ['$filter'] }
    const found = await page({ owner: 'Order 3' }, { object })
    expect(faulty.requests[0]!.url.searchParams.get('$filter')).toBe("Name eq 'Order 3'")
    expect(ids([found])).toBe('r3')
    expect(warnings([found]).join()).toContain('9 rows of a different owner')
    faulty.faults = {}
    expect(ids([await page({ owner: 'Order 3', filter: 'amount > 3' }, { object })])).toBe('')
    expect(faulty.requests.at(-1)!.url.searchParams.get('$filter')).toBe(
      "(Amount ne null and Amount gt 3) and (Name eq 'Order 3')",
    )
    expect(ids([await page({ owner: null, filter: 'amount > 8' }, { object })])).toBe('r9')
  })
})

describe('values of a different type', () => {
  it('are absent with a reason, and the page is shown', async () => {
    Object.assign(faulty.rows[0]!, { Amount: 'twelve', Open: 'yes' })
    Object.assign(faulty.rows[1]!, {
      Amount: 1.234,
      Placed: '2026-02-30',
      SentAt: '2026-01-01',
      Status: 'Lost',
    })
    Object.assign(faulty.rows[2]!, { Name: 7, Pieces: { a: 1 }, Batch: 'nobody', Version: [1] })
    const found = await page()
    expect(found.rows.map(({ errors }) => Object.fromEntries(errors)).slice(0, 4)).toEqual([
      { amount: 'is a text, not a number', open: 'is a text, not true or false' },
      {
        amount: 'is a number, which does not fit numeric(12, 2)',
        placed: 'is a text, not a date',
        sent_at: 'is a text, not a datetime',
        status: 'is a text, not a value of status',
      },
      {
        name: 'is a number, not a text',
        pieces: 'is an object, not a number',
        version_no: 'is a list, not a number',
      },
      {},
    ])
    expect(found.rows).toHaveLength(10)
    expect(found.rows[0]!.fields.get('amount')).toBeNull()
    expect(warnings([found])).toEqual([
      'integration.wrong_type: In 2 rows of erp, the source of sales_order, amount is a text, not a number; it is shown as absent. 7 other fields have such values too.',
    ])
  })

  it('do not remove a row from a filter that cannot be checked', async () => {
    faulty.faults = {
      list: (payload) => ({ ...payload, value: payload.value.map((row) => ({ ...row, Amount: 'x' })) }),
    }
    expect(ids([await page({ filter: 'amount > 7' })])).toBe('r8 r9')
  })

  it('in the key leave the row out', async () => {
    faulty.faults = {
      list: () => ({ value: [{ Id: null }, 'row', { Id: 7 }, { Id: 'ok' }] }),
    }
    const found = await page()
    expect(ids([found])).toBe('ok')
    expect(warnings([found]).join()).toContain('3 rows without a readable Id')
  })

  it('keep long numbers exact, as texts and as JSON numbers', async () => {
    const digits = '123456789012345678'
    const value = `[{"Id":"a","Version":${digits},"Amount":1e2},{"Id":"b","Version":"${digits}","Amount":0.10}]`
    const text = `{"value":${value}}`
    const call = () => Promise.resolve({ status: 200, headers: {}, text })
    const found = await listPage(createODataSource(faulty.url, call), listRequest(fixtureView()), noDeadline)
    expect(found.rows.map(({ fields }) => [fields.get('version_no'), fields.get('amount')])).toEqual([
      [digits, '100.00'],
      [digits, '0.10'],
    ])
  })
})

describe('a source that dies', () => {
  it('in the first response fails the page', async () => {
    faulty.faults = { diesAfter: 90 }
    await expect(page()).rejects.toMatchObject({ code: 'integration.connection_lost' })
  })

  it('in a later response shows the rows before, and can be continued', async () => {
    faulty.faults = { diesAfter: 90, diesOnPage: 1 }
    const found = await page()
    expect(ids([found])).toBe('r0 r1 r2 r3')
    expect(warnings([found]).join()).toContain('integration.connection_lost')
    faulty.faults = {}
    expect(ids([await page({ place: found.next })])).toBe('r4 r5 r6 r7 r8 r9')
  })

  it.each([
    ['ends too early', '{"value":[{"Id":"a"}'],
    ['is not valid JSON', 'hello'],
    [
      'is nested more than 200 levels',
      `{"value":${'['.repeat(20_000)}1234567890.1234567890${']'.repeat(20_000)}}`,
    ],
    ['is not a list', '{"value":{}}'],
    ['is not a JSON object', '[]'],
    ['next link is not a text', '{"value":[],"@odata.nextLink":7}'],
    ['ends with an error', '{"value":[],"@odata.error":{"code":"x"}}'],
  ])('with a response that %s', async (reason, body) => {
    faulty.faults = { status: { code: 200, body } }
    await expect(page()).rejects.toThrow(reason)
  })

  it('after the deadline shows the rows that arrived, with a warning', async () => {
    const deadline = new AbortController()
    faulty.faults = {
      before: (at) => {
        if (at === 1) deadline.abort()
        return at === 1 ? new Promise(() => undefined) : undefined
      },
    }
    const found = await page({}, {}, deadline.signal)
    expect(ids([found])).toBe('r0 r1 r2 r3')
    expect(found.warnings).toMatchObject([{ code: 'limit.list_incomplete', kind: { class: 'limit' } }])
    faulty.faults = {}
    expect(ids([await page({ place: found.next })])).toBe('r4 r5 r6 r7 r8 r9')
  })

  it('ends at the deadline even if the call does not', async () => {
    const deadline = new AbortController()
    const call = () => {
      queueMicrotask(() => deadline.abort())
      return new Promise<never>(() => undefined)
    }
    const found = await listPage(
      createODataSource(faulty.url, call),
      listRequest(fixtureView()),
      deadline.signal,
    )
    expect(found).toMatchObject({ rows: [], next: { cursor: { kind: 'skip', rows: 0 } } })
  })

  it('once does not change how the next list is paged; twice, its pages are cut here', async () => {
    const late = async (): Promise<void> => {
      const deadline = new AbortController()
      faulty.faults = {
        before: () => {
          deadline.abort()
          return new Promise(() => undefined)
        },
      }
      const found = await page({}, {}, deadline.signal)
      expect(found.warnings).toMatchObject([{ code: 'limit.list_incomplete' }])
      faulty.faults = {}
    }
    const isCut = async (): Promise<boolean> => {
      faulty.requests = []
      await page()
      return faulty.requests[0]!.url.searchParams.has('$top')
    }
    await late()
    expect(source.paging.get('sales_order')).toBe('slow')
    await late()
    expect(await isCut()).toBe(true)
    source.paging.clear()
    await late()
    expect(await isCut()).toBe(false)
    expect(source.paging.get('sales_order')).toBe('source')
  })
})

describe('a next link', () => {
  it.each([
    ['to a different server', 'http://127.0.0.1:9/service/Orders', 'leads to a different server'],
    ['to a different scheme', 'https://127.0.0.1/service/Orders', 'leads to a different server'],
    ['without a scheme', '//evil.example/service/Orders', 'leads to a different server'],
    ['above the service', '../admin', 'leaves /service/'],
    ['to a service with a similar name', '/service2/Orders', 'leaves /service/'],
    ['with an encoded step upwards', 'Orders/%2e%2e/%2e%2e/admin', 'leaves /service/'],
    ['with an encoded slash', '..%2fadmin', 'leaves /service/'],
    ['that is not a URL', 'http://', 'is not a URL'],
    ['with a password', 'HOST', 'contains a user name'],
    ['that is very long', `Orders?${'x'.repeat(8001)}`, 'more than 8000'],
  ])('%s is refused by name', async (_, href, reason) => {
    const target = href === 'HOST' ? faulty.url.replace('//', '//user:secret@') : href
    faulty.faults = { list: (payload) => ({ ...payload, '@odata.nextLink': target }) }
    const failed = page()
    await expect(failed).rejects.toMatchObject({ code: 'integration.foreign_link' })
    await expect(failed).rejects.toThrow(reason)
    expect(faulty.requests).toHaveLength(1)
  })

  it.each([
    ['relative', 'Orders?$skiptoken=abc'],
    ['absolute', 'SELF/Orders?$skiptoken=abc'],
    ['of version 4.01, without "odata."', 'Orders?$skiptoken=abc'],
  ])('that is %s is followed', async (form, href) => {
    const next = href.replace('SELF', faulty.url)
    const text = JSON.stringify({
      value: [{ Id: 'a' }],
      [form.includes('4.01') ? '@nextLink' : '@odata.nextLink']: next,
    })
    const paths: string[] = []
    const call = ({ path, query }: { path: string; query: string }) => {
      paths.push(`${path}?${query}`)
      return Promise.resolve({ status: 200, headers: {}, text: paths.length === 1 ? text : '{"value":[]}' })
    }
    await listPage(createODataSource(faulty.url, call), listRequest(fixtureView()), noDeadline)
    expect(paths[1]).toBe('/Orders?$skiptoken=abc')
  })

  it('that has expired is reported', async () => {
    const found = await page({ limit: 4 })
    faulty.faults = { status: { code: 410 } }
    await expect(page({ place: found.next })).rejects.toMatchObject({ code: 'integration.page_unstable' })
  })
})

describe('an error of the source', () => {
  it.each([
    [401, undefined, 'integration.sign_in', 'Orders of erp responded with status 401.'],
    [403, undefined, 'integration.forbidden', 'status 403'],
    [404, '<html>', 'integration.refused', 'status 404.'],
    [
      400,
      '{"error":{"code":"Syntax","message":"Bad filter."}}',
      'integration.refused',
      'status 400: Syntax, Bad filter.',
    ],
    [
      500,
      '{"error":{"code":"1","message":{"lang":"en","value":"Broken"}}}',
      'integration.refused',
      ': 1, Broken.',
    ],
    [
      500,
      '{"error":{"message":"token: abcdef12 at https://user:pw@host/x?key=1"}}',
      'integration.refused',
      ': token … at (URL).',
    ],
    [500, `{"error":{"message":"${'eyJhbGciOiJIUzI1NiJ9'.repeat(3)}"}}`, 'integration.refused', ': ….'],
    [
      500,
      '{"error":{"message":"a\\u0000b\\u202ec","innererror":{"stacktrace":"x"}}}',
      'integration.refused',
      ': a b c.',
    ],
  ])('%s %s', async (code, body, expected, words) => {
    faulty.faults = { status: { code, body } }
    const failed = page()
    await expect(failed).rejects.toMatchObject({ code: expected })
    await expect(failed).rejects.toThrow(words)
  })

  it('contains the time of the next try', async () => {
    faulty.faults = { status: { code: 429, headers: { 'retry-after': '7' } } }
    await expect(page()).rejects.toMatchObject({ code: 'integration.refused', retryAfter: 7 })
  })

  it('does not come from a URL that is too long', async () => {
    const items = Array.from({ length: 1000 }, (_, at) => at).join(', ')
    await expect(page({ filter: `amount in [${items}]` })).rejects.toThrow('Shorten the filter')
    expect(faulty.requests).toEqual([])
  })
})

describe('random sizes of pages', () => {
  it.each([
    ['that the source cuts', []],
    ['that are cut here', ['maxpagesize' as const]],
  ])('%s return each row once, in order', async (_, ignores) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (count, pageSize, limits, isFiltered) => {
          faulty.rows = rowsOf(count).map((row, at) => ({ ...row, Id: `r${String(at).padStart(2, '0')}` }))
          faulty.faults = { ignores }
          source = createODataSource(faulty.url, httpCall(faulty.url))
          const options = { source: { ...pushdown, pageSize } }
          const filter = isFiltered ? 'open' : '1 == 1'
          const pages: RemotePage[] = []
          do {
            const limit = limits[pages.length % limits.length]!
            const place = JSON.parse(JSON.stringify(pages.at(-1)?.next ?? null)) as RemotePage['next']
            pages.push(await page({ filter, limit, place }, options))
            expect(pages.at(-1)!.rows.length).toBeLessThanOrEqual(limit)
          } while (pages.at(-1)!.next !== null && pages.length < 100)
          const expected = faulty.rows.filter((row) => !isFiltered || row['Open'] === true)
          expect(ids(pages)).toBe(expected.map(({ Id }) => Id).join(' '))
          expect(warnings(pages)).toEqual([])
        },
      ),
      { numRuns: Number(process.env['ALMANAC_RUNS'] ?? 60), seed: 8 },
    )
  })
})
