// Secrets of credentials in the studio: written, staged, promoted and removed, and never shown.
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { expect, test, type Studio } from './support/test.ts'

const components = [
  {
    ...{ type: 'external_credential', key: 'bank', label: 'Bank gateway' },
    body: {
      scheme: 'basic',
      principals: [{ key: 'service', mode: 'named', grantedTo: ['administrator'] }],
    },
  },
  {
    ...{ type: 'external_credential', key: 'mail', label: 'Mail' },
    body: {
      scheme: 'api_key',
      principals: [{ key: 'person', mode: 'per_user', grantedTo: ['administrator'] }],
    },
  },
]

const deploy = ({ call }: Studio): Promise<unknown> =>
  call('POST', '/metadata/v3/apply', { components, rationale: 'Credentials' })
const table = (page: Page): Locator => page.getByRole('table', { name: /^Secrets of/ })
const row = (page: Page, state: string): Locator =>
  table(page).getByRole('row', { name: new RegExp(`^${state}`) })

async function write(page: Page, button: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill('ada')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: button }).click()
}

test('secrets are stored, staged, promoted and removed, and are never shown', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/people`)
  const tabs = page.getByRole('navigation', { name: 'Open pages' })
  await expect(tabs.getByRole('link', { name: 'Users and groups' })).toBeVisible()
  await expect(
    page.getByRole('navigation', { name: 'Activities' }).getByRole('link', { name: 'Access' }),
  ).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'Credentials', exact: true }).click()
  await expect(tabs.getByRole('link', { name: 'Credentials' })).toBeVisible()
  const list = page.getByRole('table', { name: 'Credentials' })
  await expect(list.getByRole('row', { name: /Bank gateway/ })).toContainText('service has no secrets')
  expect(await violations(page)).toEqual([])
  await list.getByRole('link', { name: 'Bank gateway' }).click()
  await expect(page.getByText('Calls with service fail until they are written.')).toBeVisible()
  const store = page.getByRole('button', { name: 'Store secrets' })
  await expect(store).toBeDisabled()
  await write(page, 'Store secrets', 'first-mark')
  await expect(row(page, 'current')).toContainText('User name, Password')
  await expect(page.getByLabel('Password')).toHaveValue('')
  await write(page, 'Stage next secrets', 'second-mark')
  await expect(row(page, 'staged')).toContainText('not used yet')
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Hours until the prior secrets are destroyed').fill('2')
  await page.getByRole('button', { name: 'Promote' }).click()
  await expect(row(page, 'prior')).toContainText('valid for others until')
  await expect(row(page, 'staged')).toHaveCount(0)
  const content = await page.content()
  for (const mark of ['first-mark', 'second-mark']) expect(content).not.toContain(mark)
  await page.getByRole('button', { name: 'Remove all secrets of service' }).click()
  await page.getByRole('button', { name: 'Remove them' }).click()
  await expect(page.getByText('Calls with service fail until they are written.')).toBeVisible()
})

test('the user of a secret is picked by name', async ({ studio }) => {
  const { page, url, call } = studio
  await deploy(studio)
  await call('POST', '/setup/v3/users', { key: 'mara', name: 'Mara Lindqvist' })
  const gone = await call<{ version: string }>('POST', '/setup/v3/users', { key: 'gone', name: 'Maria Gone' })
  await call('PUT', '/setup/v3/users/gone', { version: gone.version, active: false })
  await page.goto(`${url}/people/credentials/mail`)
  const picker = page.getByRole('combobox', { name: 'Write the secrets of a user' })
  await picker.fill('Mar')
  await expect(page.getByRole('option', { name: /Mara Lindqvist/ })).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(1)
  expect(await violations(page)).toEqual([])
  await page.getByRole('option', { name: /Mara Lindqvist/ }).click()
  await expect(page.getByRole('heading', { name: 'Mara Lindqvist' })).toBeVisible()
  await page.getByLabel('API key').fill('a-mark')
  await page.getByRole('button', { name: 'Store secrets' }).click()
  await expect(row(page, 'current')).toContainText('API key')
  // Her secrets are stored, so she is not offered again.
  const another = page.getByRole('combobox', { name: 'Write the secrets of another user' })
  await expect(another).toHaveValue('')
  await another.fill('Mar')
  await expect(page.getByText('No matches')).toBeVisible()
  await page.goto(`${url}/people/credentials/gone`)
  await expect(page.getByRole('heading', { name: 'gone does not exist' })).toBeVisible()
})

test('what is refused is named in the words of the form, and what was typed stays', async ({ studio }) => {
  const { page, url, call } = studio
  await deploy(studio)
  await page.goto(`${url}/people/credentials/bank`)
  await page.getByLabel('User name').fill('ada')
  await page.getByLabel('Password').fill('x'.repeat(70_000))
  await page.getByRole('button', { name: 'Store secrets' }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'secret' })
  await expect(refusal).toContainText('The secret “Password” has more than 64 KiB.')
  await expect(page.getByLabel('User name')).toHaveValue('ada')
  // The scheme changes while the form is open: its new fields are shown with the reason.
  const { principals } = components[0]!.body
  const changed = { ...components[0], body: { scheme: 'aws_sigv4', region: 'eu', service: 's3', principals } }
  await page.getByLabel('Password').fill('a-mark')
  await call('POST', '/metadata/v3/apply', { components: [changed], rationale: 'A different scheme' })
  await page.getByRole('button', { name: 'Store secrets' }).click()
  await expect(refusal).toContainText('“User name” is not one of the secrets.')
  await expect(refusal).toContainText('“Access key ID”, “Secret access key”, “Session token”')
  await expect(page.getByLabel('Access key ID')).toHaveAccessibleDescription(/Begins with AKIA/)
  await expect(page.getByLabel('Certificates to trust')).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('what a different user did in the meantime is shown', async ({ studio }) => {
  const { page, url, call } = studio
  await deploy(studio)
  const principal = '/setup/v3/credentials/bank/principals/service'
  for (const password of ['first', 'second'])
    await call('PUT', `${principal}/next`, { values: { username: 'ada', password } })
  await page.goto(`${url}/people/credentials/bank`)
  await expect(row(page, 'staged')).toBeVisible()
  await call('POST', `${principal}/promote`, { graceHours: 5 })
  await page.getByRole('button', { name: 'Promote' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'no staged secrets' })).toBeVisible()
  await expect(row(page, 'staged')).toHaveCount(0)
  await expect(row(page, 'prior')).toContainText('valid for others until')
  await page.getByRole('link', { name: 'All credentials' }).click()
  const list = page.getByRole('table', { name: 'Credentials' })
  await expect(list.getByRole('row', { name: /Bank gateway/ })).toContainText(
    'prior secrets of service until',
  )
  await page.getByRole('link', { name: 'Mail' }).click()
  await expect(page.getByText('No user has secrets yet.')).toBeVisible()
})

/** Each form in which the page could keep a text, in the heap of its scripts after a forced collection. */
async function isInHeap(page: Page, text: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page)
  let snapshot = ''
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => (snapshot += chunk))
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  const bytes = Buffer.from(text)
  return [text, bytes.toString('hex'), bytes.toString('base64').slice(0, -4)].some((each) =>
    snapshot.includes(each),
  )
}

test('a secret that was stored is not in the memory of the page', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/people/credentials/bank`)
  const mark = 'Zq7Canary4-renderer'
  await page.getByLabel('User name').fill('ada')
  await page.getByLabel('Password').fill(mark)
  expect(await isInHeap(page, mark)).toBe(true)
  await page.getByRole('button', { name: 'Store secrets' }).click()
  await expect(row(page, 'current')).toContainText('User name, Password')
  await page.getByRole('link', { name: 'All credentials' }).click()
  await expect(page.getByRole('table', { name: 'Credentials' })).toBeVisible()
  await expect.poll(() => isInHeap(page, mark)).toBe(false)
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toContain(mark)
})

test('the pages fit a telephone, with the longest names', async ({ studio }) => {
  const { page, url, call } = studio
  await deploy(studio)
  const key = `bank_${'very_long_'.repeat(6)}x`
  const label = 'A credential whose label is as long as the labels of components can be in practice'
  const { body } = components[0]!
  const principals = [{ key, mode: 'named', grantedTo: ['administrator'] }]
  await call('POST', '/metadata/v3/apply', {
    components: [
      { ...components[0], key, label, body: { ...body, principals } },
      {
        ...{ type: 'named_credential', key, label },
        body: { url: 'https://example.com', externalCredential: key, principal: key },
      },
      {
        ...{ type: 'integration_client', key, label },
        body: { authScheme: 'api_key', runAs: 'admin' },
      },
    ],
    rationale: 'Long names',
  })
  await page.setViewportSize({ width: 390, height: 844 })
  const lists = ['/people/credentials', '/people/clients', '/operate/breakers']
  for (const path of ['/people/credentials/bank', ...lists, ...lists.map((list) => `${list}/${key}`)]) {
    await page.goto(url + path)
    const region = page.locator('.listpage')
    await expect(region).toBeVisible()
    expect.soft(await violations(page), path).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(overflow, path).toBeLessThanOrEqual(0)
    // Nothing is beside what can be seen.
    const hidden = await region.evaluate((element) => element.scrollWidth - element.clientWidth)
    expect.soft(hidden, path).toBeLessThanOrEqual(0)
  }
})
