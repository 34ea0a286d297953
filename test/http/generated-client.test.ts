// A client that a public generator makes from /openapi.json: it compiles, refuses what the API refuses, and works.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const program = `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

const client = createClient<paths>({
  baseUrl: process.env['ALMANAC_URL']!,
  headers: { authorization: \`Bearer \${process.env['ALMANAC_TOKEN']!}\` },
})
function requireData<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const customer = requireData(
  await client.POST('/data/v3/customer', { body: { name: 'Ada', country: 'DE' } }),
)
const added = requireData(
  await client.POST('/data/v3/invoice', {
    body: { number: 'C-1', customer: customer.id, tax_point: '2020-08-15', net: '100' },
  }),
)
const tax: string | null = added.fields.tax
const changed = requireData(
  await client.PATCH('/data/v3/invoice/{id}', {
    params: { path: { id: added.id }, header: { 'If-Match': '*' } },
    body: { tax_point: '2022-01-01' },
  }),
)
const read = requireData(
  await client.GET('/data/v3/invoice/{id}', { params: { path: { id: added.id } } }),
)
const page = requireData(
  await client.POST('/data/v3/query', {
    body: { object: 'invoice', fields: ['number', 'customer.name'], filter: 'net > 50' },
  }),
)
const found = requireData(
  await client.POST('/data/v3/customer/search', { body: { text: 'ad', fields: ['name'] } }),
)
const { error, response } = await client.POST('/data/v3/invoice', {
  body: { number: 'C-2', tax_point: '2022-01-01', net: '-1' },
})
console.log(
  JSON.stringify({
    ...{ tax, changed: changed.fields.tax, read: read.fields.number, page: page.records, found: found.records },
    ...{ status: response.status, code: (error as { code?: string } | undefined)?.code },
  }),
)
`
const mistakes = `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'
const client = createClient<paths>({})
// @ts-expect-error the object does not exist
void client.GET('/data/v3/unknown/{id}', { params: { path: { id: 'a' } } })
// @ts-expect-error a number is sent as text
void client.POST('/data/v3/invoice', { body: { number: 'C-1', tax_point: '2022-01-01', net: 100 } })
// @ts-expect-error the value is not one of its set
void client.POST('/data/v3/invoice', { body: { number: 'C-1', tax_point: '2022-01-01', state: 'lost' } })
`

let test: TestServer
let ada: Ask
let token: string
const dir = mkdtempSync(join(tmpdir(), 'almanac-client-'))
const root = resolve(import.meta.dirname, '../..')
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk()])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
  ;({ token } = await test.beside(({ access }) =>
    access.issueToken({ actor: 'admin', correlationId: 'c', isOperator: true } as never, 'ada'),
  ))
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
  const { body } = await ada('GET', '/openapi.json')
  writeFileSync(join(dir, 'api.ts'), astToString(await openapiTS(body as never)))
  writeFileSync(join(dir, 'program.ts'), program)
  writeFileSync(join(dir, 'mistakes.ts'), mistakes)
}, 60_000)
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
  await test.close()
})

it('compiles, and refuses what the API would refuse', () => {
  const compiled = ts.createProgram([join(dir, 'program.ts'), join(dir, 'mistakes.ts')], {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
  })
  const problems = ts
    .getPreEmitDiagnostics(compiled)
    .map(
      ({ messageText, file, start = 0 }) =>
        `${file?.fileName ?? ''}:${file?.getLineAndCharacterOfPosition(start).line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  expect(problems).toEqual([])
}, 60_000)

it('saves, reads, queries and searches records', async () => {
  // The server is in this process, which must not wait for the client.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program.ts'], {
    cwd: dir,
    env: { ...process.env, ALMANAC_URL: test.url, ALMANAC_TOKEN: token },
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ tax: '16.00', changed: '19.00', read: 'C-1', status: 422, code: 'record.invalid' },
    page: [{ fields: { number: 'C-1', 'customer.name': 'Ada' } }],
    found: [{ fields: { name: 'Ada' } }],
  })
})
