// The sources of the gallery: the open org, and sources that are deliberately slow, broken, empty or long.
import { arraySource, type LookupPage, type LookupSearch } from '../../../elements/index.ts'
import { createSampleRows, rightToLeft, veryLong, type SampleRow } from './sample-rows.ts'
import type { KeyedSet } from './keyed-sets.ts'
import { componentsSource, keysSource, peopleSource } from './org-sources.ts'

export interface Source {
  id: string
  label: string
  /** Shown next to the label in lists: how many rows, or what is special. */
  note: string
  /** The label of the field. */
  noun: string
  /** Fields that suit the second line. */
  fields: string
  /** What it does, and what to try. */
  about: string
  /** Creates it with a fresh state. */
  make(): LookupSearch
  /** The script that gives a field such a source. */
  script: string
}

const rowsOf = (rows: readonly SampleRow[], page?: number): LookupSearch =>
  arraySource(rows, {
    ...{ value: 'id', label: 'name', match: ['name', 'city', 'number'] },
    ...(page === undefined ? {} : { page }),
  })
const arrayScript = (rows: string): string =>
  `// Rows of your own, as in the first.\nconst rows = ${rows}\nfield.search = arraySource(rows, {\n  value: 'id',\n  label: 'name',\n  match: ['name', 'city', 'number'],\n})`
const firstOf = ([row]: readonly SampleRow[]): string => `[${JSON.stringify(row)}]`
const delay = (ms: number): Promise<void> => new Promise((done) => window.setTimeout(done, ms))

/** Waits, and ends with the signal. */
const waitUnlessAborted = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done, gone) => {
    const timer = window.setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      window.clearTimeout(timer)
      gone(new DOMException('Aborted', 'AbortError'))
    })
  })

function slow(): LookupSearch {
  const rows = rowsOf(createSampleRows(200))
  return async (query, request) => {
    await waitUnlessAborted(1200, request.signal)
    return rows(query, request)
  }
}

function outOfOrder(): LookupSearch {
  const rows = rowsOf(createSampleRows(200))
  return async (query, request) => {
    await delay(Math.max(100, 2000 - 600 * query.length))
    return rows(query, request)
  }
}

function failing(): LookupSearch {
  const rows = rowsOf(createSampleRows(200))
  let failed: string | null = null
  return async (query, request) => {
    await waitUnlessAborted(250, request.signal)
    if (failed === query) {
      failed = null
      return rows(query, request)
    }
    failed = query
    throw new Error('The source responded with 503.')
  }
}

function endless(): LookupSearch {
  const page = 40
  return async (query, { cursor, signal }): Promise<LookupPage> => {
    const from = typeof cursor === 'number' ? cursor : 0
    await waitUnlessAborted(from === 0 ? 60 : 350, signal)
    const name = query.trim() === '' ? 'Record' : `Record about ${query.trim()},`
    const options = Array.from({ length: page }, (_, n) => ({
      value: `endless-${from + n + 1}`,
      label: `${name} ${(from + n + 1).toLocaleString('en-GB')}`,
      fields: { page: `page ${from / page + 1}` },
    }))
    return { options, next: from + page }
  }
}

const sampleSources: readonly Source[] = [
  {
    ...{ id: 'slow', label: 'Slow', note: '1.2 s', noun: 'Customer', fields: 'city,number', make: slow },
    about:
      'Responds after 1.2 seconds. Keep typing while it searches: requests that are no longer needed are cancelled.',
    script:
      "// The signal ends the request once it is no longer needed.\nfield.search = fetchSource('/api/customers')",
  },
  {
    ...{ id: 'out-of-order', label: 'Out of order', note: 'late', noun: 'Customer', fields: 'city,number' },
    make: outOfOrder,
    about:
      'The shorter the query, the slower the response. The source ignores the abort signal. Type three letters quickly: responses to the first two come last and are not shown.',
    script: 'field.search = async (query) => (await ask(query)).rows',
  },
  {
    ...{
      id: 'failing',
      label: 'Failing',
      note: 'then fine',
      noun: 'Customer',
      fields: 'city,number',
      make: failing,
    },
    about: 'Fails on the first request for a text and succeeds on the second. Choose “Try again”.',
    script:
      "// The list shows an error that is thrown, with “Try again”.\nfield.search = fetchSource('/api/customers')",
  },
  {
    ...{ id: 'empty', label: 'Empty', note: '0', noun: 'Customer', fields: '', make: () => () => [] },
    about: 'Returns no rows for any query. The list shows a “no matches” message instead.',
    script: 'field.search = () => []',
  },
  {
    ...{ id: 'endless', label: 'Endless', note: 'paged', noun: 'Record', fields: 'page', make: endless },
    about: 'Returns forty rows at a time and always has more. Scroll, or hold the arrow down.',
    script:
      'field.search = async (query, { cursor, signal }) => {\n  const { rows, next } = await page(query, cursor, signal)\n  return { options: rows, next }\n}',
  },
  {
    ...{ id: 'large', label: 'Large', note: '10,000', noun: 'Customer', fields: 'city,number' },
    make: () => rowsOf(createSampleRows(10_000), 10_000),
    about: 'Ten thousand rows in one response. Only the visible ones are in the document; press Page Down.',
    script: arrayScript(firstOf(createSampleRows(1))),
  },
  {
    ...{ id: 'rtl', label: 'Right to left', note: 'عربي', noun: 'عميل', fields: 'city,number' },
    make: () => rowsOf(rightToLeft),
    about: 'Arabic, Hebrew and Persian names. The field is mirrored; every name keeps its own direction.',
    script: arrayScript(firstOf(rightToLeft)),
  },
  {
    ...{ id: 'long', label: 'Very long text', note: '4', noun: 'Customer', fields: 'city,number' },
    make: () => rowsOf(veryLong),
    about:
      'Names longer than the field, one of them without a space. The list truncates them; nothing grows.',
    script: arrayScript(firstOf(veryLong)),
  },
]

function orgSources(keyed: readonly KeyedSet[]): Source[] {
  return [
    {
      ...{ id: 'components', label: 'Components', note: '', noun: 'Component', fields: 'label,type' },
      make: componentsSource,
      about: 'Every component of the open org that you can see, including drafts.',
      script: "field.search = fetchSource('/api/components')",
    },
    {
      ...{ id: 'people', label: 'Users and groups', note: '', noun: 'Approver', fields: 'key,state' },
      make: peopleSource,
      about: 'The people of the open org, found by the start of a key or of any word in a name.',
      script: "field.search = fetchSource('/api/people')",
    },
    ...keyed.map(({ key, label, keyedBy }) => ({
      ...{ id: `keys:${key}`, label: `${key}, by ${keyedBy}`, note: '' },
      noun: `${keyedBy.charAt(0).toUpperCase()}${keyedBy.slice(1)}`.replaceAll('_', ' '),
      fields: 'value,since,entries',
      make: () => keysSource(key),
      about: `${label}: the business keys that its entries have, with the latest value of each.`,
      script: `field.search = fetchSource('/api/${key}/keys')`,
    })),
  ]
}

/** All of them; those of the org first. `keyed`: the keyed sets of the org. */
export const sourcesOver = (keyed: readonly KeyedSet[]): { org: Source[]; samples: readonly Source[] } => ({
  org: orgSources(keyed),
  samples: sampleSources,
})

/** Shown for an unknown source in a URL, so that no other source is shown instead. */
export const noSource = (id: string): Source => ({
  ...{ id, label: id, note: '', noun: 'Record', fields: '', script: 'field.search = null' },
  about: 'This source does not exist yet, or you cannot see it. Pick another.',
  make: () => () => Promise.reject(new Error(`The source ${id} does not exist.`)),
})
