// The invoices of the sample: the VAT of a tax point, kept through edits, generations and a restart, and re-priced with it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { enginesOf } from '../../server/compose/engines.ts'
import { openOrg } from '../../server/compose/open-org.ts'
import { startServer, type RunningServer } from '../../server/index.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'almanac-sample-'))
const dir = join(folder, 'org')
let server: RunningServer
let token = ''

const start = async (): Promise<void> => {
  server = await startServer({
    ...{
      org: dir,
      root,
      host: '127.0.0.1',
      port: 0,
      studio: false,
      sample: true,
      checkReplies: true,
      warm: false,
    },
  })
}
beforeAll(async () => {
  await start()
  const org = openOrg(dir)
  const { access } = enginesOf(org)
  ;({ token } = await access.issueToken(
    { actor: 'admin', correlationId: 'c', isOperator: true } as never,
    'local',
  ))
  await org.close()
}, 120_000)
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Saved {
  id: string
  version: number
  fields: Record<string, unknown>
}

async function send(method: string, path: string, body?: object, headers: object = {}): Promise<Saved> {
  const response = await fetch(`${server.listening}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text) as Saved
}

it('computes the VAT of the tax point, keeps it, and computes it again when the tax point changes', async () => {
  const customer = await send('POST', '/data/v3/customer', { name: 'Ada', territory: 'DE', city: 'Bonn' })
  const invoice = await send('POST', '/data/v3/invoice', {
    ...{
      number: 'R-2020-1',
      customer: customer.id,
      territory: 'DE',
      tax_point: '2020-08-15',
      state: 'draft',
    },
  })
  await send('POST', '/data/v3/invoice_line', {
    ...{ invoice: invoice.id, description: 'Lens', quantity: '2', unit_price: '50' },
  })
  const path = `/data/v3/invoice/${invoice.id}`
  const read = async (): Promise<unknown[]> => {
    const { fields } = await send('GET', path)
    return [fields['net'], fields['tax'], fields['total']]
  }
  expect(await read()).toEqual(['100.00', '16.00', '116.00'])

  // A later generation changes that rate.
  const found = await send('GET', '/metadata/v3/components/config_entry/vat_rate.de_2020_07_01')
  const { component } = found as unknown as { component: { body: { values: object } } }
  const values = { ...component.body.values, rate: '0.1500' }
  await send('POST', '/metadata/v3/apply', {
    components: [{ ...component, body: { ...component.body, values } }],
    rationale: 'test',
  })
  await send('PATCH', path, { territory: 'DE' }, { 'if-match': '*' })
  expect(await read()).toEqual(['100.00', '16.00', '116.00'])

  await server.close()
  await start()
  await send('PATCH', path, { number: 'R-2020-2' }, { 'if-match': '*' })
  expect(await read()).toEqual(['100.00', '16.00', '116.00'])

  await send('PATCH', path, { tax_point: '2021-02-01' }, { 'if-match': '*' })
  expect(await read()).toEqual(['100.00', '19.00', '119.00'])
  await send('PATCH', path, { tax_point: '2020-08-15' }, { 'if-match': '*' })
  expect(await read()).toEqual(['100.00', '15.00', '115.00'])
}, 120_000)
