// Bodies that no schema describes, found by hand. Each new one is a new row.
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { maxProperties } from '#kernel/components/json-issues.ts'
import { rowsAt, workbookOf } from '../support/workbook-file.ts'

export interface SpecialBody {
  name: string
  method?: 'PUT'
  path: string
  body: () => Uint8Array
  headers?: Record<string, string>
  /** What is removed before the request is sent again: it would be refused the second time. */
  resets?: string
}

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
const evaluate = (name: string, expression: string, inputs?: unknown): SpecialBody[] => [
  { name, path: '/setup/v3/evaluate', body: () => json({ expression, inputs }) },
  { name, path: '/setup/v3/evaluate/check', body: () => json({ expression }) },
  {
    name,
    path: '/setup/v3/evaluate/complete',
    body: () => json({ expression, offset: Math.floor(expression.length / 2) }),
  },
]
const many = (count: number, item: (at: number) => string, between = ','): string =>
  Array.from({ length: count }, (_, at) => item(at)).join(between)
const characters = many(9000, (at) => String.fromCharCode(0x4e00 + 2 * at), '')
const listOf = (count: number): string => `[${many(count, String)}]`

const expressions: readonly [string, string][] = [
  ['a class of 9,000 characters many times', `"${'b'.repeat(900)}".matches("(?:(?:[${characters}]?){800}){2}")`],
  ['patterns one after another', `[${many(400, () => '"a".matches("((a{16}){16}){15}")')}].exists(x, x)`],
  ['lists within lists', `${listOf(800)}.filter(a, ${listOf(800)}.exists(b, ${listOf(800)}.exists(c, a + b + c > 9999)))`],
  ['unknown names', many(2000, (at) => `nam${at}`, ' + ')],
  ['unknown fields of sets', many(500, (at) => `config.vat_rat${at}("DE").rate`, ' + ')],
  ['long numbers multiplied', `${'9'.repeat(9000)} * ${'9'.repeat(9000)}`],
  ['a long number divided', `${'9'.repeat(18_000)} / 7`],
  ['a tower of conditions', `${many(140, () => 'true ? 1 : (', '')}1${')'.repeat(140)}`],
  ['parentheses', `${'('.repeat(9000)}1${')'.repeat(9000)}`],
  ['minus signs', `${'-'.repeat(19_000)}1`],
  ['a chain of methods', `"a"${'.lower()'.repeat(2400)}`],
  ['comments', `1 ${'// \n'.repeat(4800)}`],
  ['one quote', `"${'\\'.repeat(19_000)}`],
  ['additions', many(6000, () => '1', '+')],
  ['texts joined', `${many(1500, () => '"xxxxxxxx"', '+')}`],
  ['dates', many(1000, () => 'date("2026-01-01") == date("2026-01-02")', ' || ')],
]

type Table = { csv: string } | { bytes: Uint8Array }
type File = { csv: string } | { bytes: string }

/** The file that was made last: it is sent to several routes one after another, and some take seconds to make. */
let last: { name: string; file: File } | undefined

function fileOf(name: string, make: () => Table): File {
  if (last?.name !== name) {
    const table = make()
    last = { name, file: 'csv' in table ? table : { bytes: Buffer.from(table.bytes).toString('base64') } }
  }
  return last.file
}

/** Every route reads a file with the same function; an import itself is measured with files of the most cells. */
const importDoors = (name: string, make: () => Table): SpecialBody[] => {
  const inspected = (): Uint8Array => json(fileOf(name, make))
  const mapped = (): Uint8Array =>
    json({ ...fileOf(name, make), set: 'vat_rate', map: importMap, options: { dryRun: true } })
  return [
    { name, path: '/setup/v3/import/inspect', body: inspected },
    { name, path: '/setup/v3/import/preview', body: mapped },
    ...(imported.has(name) ? [{ name, path: '/setup/v3/import', body: mapped }] : []),
  ]
}
const imported = new Set([
  'a CSV of 1,000 columns and 4,000 rows',
  'a CSV of 500,000 rows',
  'an XLSX whose cells are in column 1,000',
])
const importMap = { key: 'territory', values: { rate: 'rate' } }
const tables: readonly [string, () => Table][] = [
  ['a CSV of 100,000 columns', () => ({ csv: `${many(100_000, (at) => `c${at}`)}\n${many(100_000, String)}\n` })],
  ['a CSV of 1,000 columns and 4,000 rows', () => ({ csv: `${many(1000, (at) => `c${at}`)}\n${`${many(1000, String)}\n`.repeat(4000)}` })],
  ['a CSV of one long line', () => ({ csv: `a\n${'x'.repeat(20_000_000)}` })],
  ['a CSV of open quotes', () => ({ csv: `a,b\n${'"x,1\n'.repeat(400_000)}` })],
  ['a CSV of doubled quotes', () => ({ csv: `a,b\n${'""""x,1\n'.repeat(400_000)}` })],
  ['a CSV of line breaks in quotes', () => ({ csv: `a,b\n"${'\n'.repeat(4_000_000)}",1\n` })],
  ['a CSV of 500,000 rows', () => ({ csv: `territory,rate\n${many(500_000, (at) => `T${at},0.1`, '\n')}` })],
  ['an XLSX whose cells are in the last column', () => ({ bytes: workbookOf(rowsAt('XFD', 40_000)) })],
  ['an XLSX whose cells are in column 1,000', () => ({ bytes: workbookOf(rowsAt('ALL', 4_900)) })],
  [
    'an XLSX with a bomb in it',
    () => ({ bytes: workbookOf(rowsAt('A', 2), [{ name: 'xl/styles.xml', content: Buffer.alloc(150_000_000, 32) }]) }),
  ],
  [
    'an XLSX bomb that declares a false size',
    () => ({
      bytes: workbookOf(rowsAt('A', 2), [
        { name: 'xl/worksheets/sheet2.xml', content: Buffer.alloc(150_000_000, 32), declaredSize: 0 },
      ]),
    }),
  ],
]

const bomb = (encoding: string, encode: (bytes: Uint8Array) => Uint8Array): SpecialBody => ({
  name: `a bomb in ${encoding}`,
  path: '/metadata/v3/validate',
  body: () => encode(Buffer.alloc(400_000_000, 32)),
  headers: { 'content-encoding': encoding },
})

const entryOf = (more: object): unknown => ({
  type: 'config_entry',
  key: 'vat_rate.x',
  label: 'X',
  body: { set: 'vat_rate', scope: { kind: 'org' }, values: { rate: '0.1' }, ...more },
})

const properties = (count: number): string => many(count, (at) => `"p${at}":1`)

const componentsOfManyFaults: readonly [string, () => string][] = [
  [
    'a component of one million unknown properties',
    () => `{"type":"app","key":"x","label":"X","body":{},${properties(1_000_000)}}`,
  ],
  [
    'a component of as many unknown properties as an object can have',
    () => `{"type":"app","key":"x","label":"X","body":{},${properties(maxProperties - 4)}}`,
  ],
  [
    'a set of one million items that are not fields',
    () => `{"type":"config_set","key":"x","label":"X","body":{"fields":[${many(1_000_000, () => '1')}]}}`,
  ],
  [
    'an app with 200,000 unpaired surrogates',
    () => `{"type":"app","key":"x","label":"X","body":{"x":[${many(200_000, () => String.raw`"\udc00"`)}]}}`,
  ],
]

const wideService = {
  ...{ type: 'external_service', key: 'wide', label: 'Wide' },
  body: {
    namedCredential: 'absent',
    spec: {
      format: 'openapi_3_1',
      source: {
        openapi: '3.1.0',
        info: { title: 'Wide', version: '1' },
        paths: {
          '/wide': {
            get: {
              operationId: 'wide',
              responses: {
                200: {
                  description: 'Wide',
                  content: {
                    'application/json': { schema: { type: 'object', properties: Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`p${at}`, { type: 'string' }])) } },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
}

export const specialBodies: readonly SpecialBody[] = [
  ...expressions.flatMap(([name, expression]) => evaluate(name, expression)),
  ...tables.flatMap(([name, table]) => importDoors(name, table)),
  bomb('gzip', gzipSync),
  bomb('deflate', deflateSync),
  bomb('br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })),
  {
    name: 'twenty million ones in 39 KiB',
    path: '/metadata/v3/validate',
    body: () => gzipSync(Buffer.from(`{"components":[${'1,'.repeat(20_000_000)}1]}`)),
    headers: { 'content-encoding': 'gzip' },
  },
  ...['validate', 'plan', 'diff', 'impact', 'review-document'].flatMap((verb): SpecialBody[] => [
    {
      name: '200,000 values that are not components',
      path: `/metadata/v3/${verb}`,
      body: () => Buffer.from(`{"components":[${'1,'.repeat(199_999)}1]}`),
    },
    {
      name: '20,000 entries of unknown sets',
      path: `/metadata/v3/${verb}`,
      body: () =>
        json({
          components: Array.from({ length: 20_000 }, (_, at) => ({
            ...(entryOf({ set: `vat_rat${at}` }) as object),
            key: `vat_rat${at}.x`,
          })),
        }),
    },
    {
      name: 'the same component 2,000 times',
      path: `/metadata/v3/${verb}`,
      body: () => json({ components: Array(2000).fill(entryOf({})) }),
    },
    {
      name: '3,000 overlapping entries of one key',
      path: `/metadata/v3/${verb}`,
      body: () =>
        json({
          components: Array.from({ length: 3000 }, (_, at) => ({
            ...(entryOf({ key: 'DE', effectiveFrom: '2020-01-01' }) as object),
            key: `vat_rate.x${at}`,
          })),
        }),
    },
    {
      name: 'a set of 5,000 fields',
      path: `/metadata/v3/${verb}`,
      body: () =>
        json({
          components: [
            {
              type: 'config_set',
              key: 'wide',
              label: 'Wide',
              body: {
                cardinality: 'singleton',
                fields: Array.from({ length: 5000 }, (_, at) => ({ key: `f${at}`, type: 'text' })),
              },
            },
          ],
        }),
    },
    {
      name: '1,000 calc functions that call each other',
      path: `/metadata/v3/${verb}`,
      body: () =>
        json({
          components: Array.from({ length: 1000 }, (_, at) => ({
            type: 'calc_function',
            key: `f${at}`,
            label: 'F',
            body: { params: [], returns: 'number', expression: `f${(at + 1) % 1000}() + f${(at + 2) % 1000}()` },
          })),
        }),
    },
    {
      name: 'removal of 100,000 components that do not exist',
      path: `/metadata/v3/${verb}`,
      body: () => json({ removals: Array.from({ length: 100_000 }, (_, at) => `app/a${at}`) }),
    },
  ]),
  {
    name: 'a draft of 4 MB of brackets',
    method: 'PUT',
    path: '/setup/v3/drafts/config_set/vat_rate',
    body: () => json({ text: '['.repeat(4_000_000), version: 0 }),
  },
  {
    name: 'a draft of the wrong version, with one million properties, over the one of brackets',
    method: 'PUT',
    path: '/setup/v3/drafts/config_set/vat_rate',
    body: () => json({ text: `{${properties(1_000_000)}}`, version: 0 }),
  },
  {
    name: 'a draft of 200,000 unknown properties',
    method: 'PUT',
    path: '/setup/v3/drafts/config_set/wide',
    body: () => json({ text: `{${properties(200_000)}}`, version: 0 }),
  },
  {
    name: 'a draft of as many unknown properties as an object can have',
    method: 'PUT',
    path: '/setup/v3/drafts/config_set/widest',
    body: () => json({ text: `{${properties(maxProperties)}}`, version: 0 }),
  },
  {
    name: 'a draft of a service whose description has 90,000 properties',
    method: 'PUT',
    path: '/setup/v3/drafts/external_service/wide',
    resets: '/setup/v3/drafts/external_service/wide',
    body: () => json({ text: JSON.stringify(wideService), version: 0 }),
  },
  {
    name: 'drafts, one of them of a service whose description has 90,000 properties',
    path: '/metadata/v3/apply',
    body: () => json({ drafts: ['external_service/wide'] }),
  },
  ...componentsOfManyFaults.map(
    ([name, component]): SpecialBody => ({
      name,
      path: '/metadata/v3/validate',
      body: () => Buffer.from(`{"components":[${component()}]}`),
    }),
  ),
  {
    name: '5,000 drafts of the wrong version',
    method: 'PUT',
    path: '/setup/v3/drafts',
    body: () => json({ drafts: Array.from({ length: 5000 }, (_, at) => ({ id: `app/a${at}`, version: 7, text: '{' })) }),
  },
  {
    name: 'a repair of a very long component',
    path: '/setup/v3/repair',
    body: () => json({ findings: { code: 'x', component: `config_entry/${'a.'.repeat(200_000)}` }, choice: 'set_value', value: 'a='.repeat(100_000) }),
  },
]
