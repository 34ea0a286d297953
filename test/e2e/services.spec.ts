// External services in the studio: operations, a new import with its drift, and calls of operations.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { changed, ledger } from '../../server/external-services/fixture.ts'
import { violations } from './support/axe.ts'
import { expect, test, type Studio } from './support/test.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- descriptions are changed in any place
type Any = any

let target: Server
let described: unknown
let received: { url: string; text: string }[] = []

test.beforeEach(async () => {
  described = ledger
  received = []
  target = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const send = (status: number, body: unknown): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (request.url === '/openapi.json') return send(200, described)
      received.push({ url: request.url ?? '', text: Buffer.concat(pieces).toString() })
      if (request.url?.startsWith('/v1/accounts/') === true) return send(404, {})
      send(request.method === 'POST' ? 201 : 200, { id: '1', amount: 12.5, currency: 'EUR' })
    })
  })
  await new Promise<void>((ready) => target.listen(0, '127.0.0.1', ready))
})
test.afterEach(() => void target.close())

async function deploy({ call }: Studio): Promise<void> {
  const base = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
  await call('POST', '/metadata/v3/apply', {
    rationale: 'A service',
    components: [
      {
        ...{ type: 'external_credential', key: 'ledger_key', label: 'Key' },
        body: {
          ...{ scheme: 'api_key', name: 'X-Key' },
          principals: [{ key: 'service', mode: 'named', grantedTo: ['administrator'] }],
        },
      },
      {
        ...{ type: 'named_credential', key: 'ledger', label: 'Ledger' },
        body: {
          ...{ url: `${base}/v1`, externalCredential: 'ledger_key', principal: 'service' },
          retry: { attempts: 1 },
        },
      },
      {
        ...{ type: 'external_service', key: 'ledger', label: 'Ledger' },
        body: {
          ...{ namedCredential: 'ledger', grantedTo: ['administrator'] },
          spec: { format: 'openapi_3_1', source: `${base}/openapi.json` },
        },
      },
      {
        ...{ type: 'automation', key: 'report', label: 'Report' },
        body: {
          phase: 'invocable',
          actions: [{ type: 'callout', key: 'list', operation: 'ledger.listEntries' }],
        },
      },
    ],
  })
  const path = '/setup/v3/credentials/ledger_key/principals/service/next'
  await call('PUT', path, { values: { key: 'a-marked-key' } })
}

test('the operations are listed, and a new import is compared before it is drafted', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/c/external_service/ledger`)
  const list = page.getByRole('table', { name: 'Operations of ledger' })
  await expect(list.getByRole('row', { name: /createEntry/ })).toContainText(
    'createEntry(body: Entry) → Entry',
  )
  await expect(page.getByText(/version 1\.0\.0 · .* · 3 operations/)).toBeVisible()
  expect(await violations(page)).toEqual([])

  await page.getByLabel('Find an operation').fill('accounts')
  await expect(list.getByRole('row')).toHaveCount(2)
  await page.getByLabel('Find an operation').fill('')

  const again = page.getByRole('region', { name: 'Import again' })
  await again.getByRole('button', { name: 'Import again' }).click()
  await expect(again.getByRole('status')).toHaveText('The description is the same as the one in use.')

  described = changed(ledger, (copy: Any) => {
    copy.info.version = '2.0.0'
    copy.components.schemas.Entry.properties.amount = { type: 'string' }
  })
  await again.getByRole('button', { name: 'Import again' }).click()
  const drift = again.getByRole('table', { name: 'Changed operations' })
  await expect(drift.getByRole('row', { name: /listEntries/ })).toContainText('type number → string')
  await expect(drift.getByRole('link', { name: 'automation/report' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await again.getByRole('button', { name: 'Draft the new description' }).click()
  await expect(again.getByRole('button', { name: 'Drafted' })).toBeVisible()

  const codes = async (): Promise<string[]> =>
    (await studio.call<Any>('POST', '/metadata/v3/plan', { drafts: true })).findings.map(
      ({ code }: Any) => code,
    )
  await expect.poll(codes).toContain('service.drift')
})

test('a new service takes an address, a text or a file, and its operations are chosen before the apply', async ({
  studio,
}) => {
  const { page, url, call } = studio
  await deploy(studio)
  await page.goto(`${url}/new/external_service`)
  await page.locator('#new-key').fill('postings')
  await page.getByRole('button', { name: 'Create draft' }).click()
  const views = page.getByRole('group', { name: 'View' })
  await views.getByRole('button', { name: 'Operations' }).click()
  const read = page.getByRole('region', { name: 'Read the description' })
  await expect(read.getByRole('button')).toBeDisabled()
  await expect(read).toContainText('Fill in the endpoint and the source under Form first.')
  await views.getByRole('button', { name: 'Form', exact: true }).click()
  await page.getByRole('combobox', { name: 'Endpoint' }).fill('ledger')
  await page.keyboard.press('Enter')
  const source = page.getByRole('textbox', { name: /^Source/ })
  const draft = async (): Promise<Any> => {
    const detail = await call<Any>('GET', '/metadata/v3/components/external_service/postings')
    return JSON.parse(detail.draft.text).body
  }
  const base = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
  await source.fill(`${base}/openapi.json`)
  await expect.poll(draft).toMatchObject({ spec: { source: `${base}/openapi.json` } })
  const yaml = 'openapi: 3.1.0\ninfo: { title: Small, version: "1" }\npaths: {}\n'
  await page.getByLabel('File for Source').setInputFiles({
    ...{ name: 'small.yaml', mimeType: 'application/yaml', buffer: Buffer.from(yaml) },
  })
  await expect(page.getByText('small.yaml, 62 B')).toBeVisible()
  await expect.poll(draft).toMatchObject({ spec: { source: yaml } })
  await page.getByLabel('File for Source').setInputFiles({
    ...{ name: 'small.zip', mimeType: 'application/zip', buffer: Buffer.from([0x50, 0x4b, 0xff]) },
  })
  await expect(page.getByRole('alert').filter({ hasText: 'small.zip is not a text' })).toBeVisible()
  await source.fill(JSON.stringify(ledger))
  await views.getByRole('button', { name: 'Operations' }).click()
  await read.getByRole('button', { name: 'Read the description' }).click()
  await expect(read).toContainText('3 operations.')
  expect(await violations(page)).toEqual([])
  await read.getByLabel('Find an operation to choose').fill('entr')
  await read.getByRole('button', { name: 'Take only the 2 found' }).click()
  await read.getByRole('checkbox', { name: 'listEntries' }).uncheck()
  await expect(read).toContainText('1 of 3 operations')
  await page.keyboard.press('Control+s')
  await expect.poll(draft).toMatchObject({ operations: ['createEntry'] })
  await call('POST', '/metadata/v3/apply', { drafts: true, rationale: 'Postings' })
  await page.reload()
  const list = page.getByRole('table', { name: 'Operations of postings' })
  await expect(list.getByRole('row')).toHaveCount(2)
})

test('an operation is called with a form that is made from its types', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/c/external_service/ledger`)
  await page.getByRole('button', { name: 'Try it: createEntry' }).click()
  const call = page.getByRole('button', { name: 'Call', exact: true })
  await expect(call).toBeDisabled()
  await expect(page.getByText('POST can change something at the target.')).toBeVisible()
  // What is refused is shown at its field, in the words of the form.
  await page.getByLabel('amount', { exact: false }).first().fill('many')
  await call.click()
  await expect(page.getByRole('alert').filter({ hasText: 'amount must be a number.' })).toBeVisible()
  await expect(page.getByText('The call was not made. Correct the marked fields.')).toBeVisible()
  await expect(page.getByText('/params')).toHaveCount(0)
  expect(received).toEqual([])
  await page.getByLabel('amount', { exact: false }).first().fill('12.50')
  await page.getByLabel('currency').selectOption('EUR')
  await page.getByLabel('account.name').fill('Cash')
  expect(await violations(page)).toEqual([])
  await call.click()
  const response = page.getByRole('region', { name: 'Response' })
  await expect(response).toContainText('201')
  await expect(response).toContainText('"amount": "12.5"')
  await expect(response).toContainText(/\d+ ms/)
  expect(received).toEqual([
    { url: '/v1/entries', text: '{"account":{"name":"Cash"},"amount":12.5,"currency":"EUR"}' },
  ])
  expect(await page.content()).not.toContain('a-marked-key')
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'All operations' }).click()
  await page.getByRole('button', { name: 'Try it: GET /accounts/{id}' }).click()
  await page.getByRole('textbox', { name: /^id/ }).fill('7')
  await call.click()
  await expect(page.getByRole('alert').filter({ hasText: 'it returned 404' })).toBeVisible()
})

test('the pages fit small windows, and both themes', async ({ studio }, info) => {
  const { page, url } = studio
  await deploy(studio)
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, height] of [
      [1440, 900],
      [1024, 700],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      await page.goto(`${url}/c/external_service/ledger`)
      await expect(page.getByRole('table', { name: 'Operations of ledger' })).toBeVisible()
      await page.getByRole('button', { name: 'Import again' }).click()
      await expect(page.getByText('The description is the same')).toBeVisible()
      await page.screenshot({ path: info.outputPath(`operations-${colorScheme}-${width}.png`) })
      await page.getByRole('button', { name: 'Try it: createEntry' }).click()
      await page.getByLabel('currency').selectOption('EUR')
      await page.screenshot({ path: info.outputPath(`try-${colorScheme}-${width}.png`) })
      expect(await violations(page)).toEqual([])
    }
})
