// Integration clients: their limits and requests, and the fields that they use under which names.
import { violations } from './support/axe.ts'
import { layRecords } from './support/orders.ts'
import { expect, test, type Studio } from './support/test.ts'

/** A client that has read the amounts of orders. */
async function useFields({ call, url }: Studio): Promise<void> {
  await call('POST', '/metadata/v3/apply', {
    components: [
      {
        ...{ type: 'integration_client', key: 'shop', label: 'Web shop' },
        body: {
          ...{ authScheme: 'oauth2_client_credentials', runAs: 'admin', deprecationWindowDays: 10 },
          rateLimit: { sustained: '4%', burst: 40, concurrency: 4 },
        },
      },
    ],
    rationale: 'A shop',
  })
  const { clientId, clientSecret } = await call<{ clientId: string; clientSecret: string }>(
    'POST',
    '/setup/v3/clients/shop/secrets',
  )
  // Without the cookie of the studio.
  const token = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
    }),
  })
  const { access_token: bearer } = (await token.json()) as { access_token: string }
  const response = await fetch(`${url}/data/v3/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ object: 'order', fields: ['number', 'buyer.name'], filter: 'net > 1' }),
  })
  expect(response.status).toBe(200)
}

test('the requests of clients are shown, and each field with its last use', async ({ studio }) => {
  const { page } = studio
  await layRecords(studio)
  await useFields(studio)
  await page.goto(`${studio.url}/people`)
  await page.getByRole('link', { name: 'Integration clients' }).click()
  const row = page.getByRole('table', { name: 'Integration clients' }).getByRole('row', { name: /Web shop/ })
  await expect(row).toContainText('of 40')
  await expect(row).toContainText('0 of 4')
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Client or user').fill('no such')
  await expect(page).toHaveURL(/q=no(\+|%20)such/)
  await expect(page.getByText('No client matches. Change the filter.')).toBeVisible()
  await page.getByLabel('Client or user').fill('shop')
  await page.getByLabel('Refused only').check()
  await expect(page.getByText('No client matches. Change the filter.')).toBeVisible()
  await page.getByLabel('Refused only').uncheck()
  await row.getByRole('link', { name: 'Web shop' }).click()
  // Each client has a tab of its own.
  await expect(
    page.getByRole('navigation', { name: 'Open pages' }).getByRole('link', { name: 'shop' }),
  ).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Web shop' })).toBeVisible()
  await expect(page.getByText('20 a second · 4% of 500')).toBeVisible()
  await expect(page.getByText('platform.root')).toHaveCount(0)
  const fields = page.getByRole('table', { name: 'Fields in use' })
  await expect(fields.getByRole('row')).toHaveCount(5, { timeout: 20_000 })
  await expect(fields.getByRole('row', { name: /^order\.net/ })).toContainText(/–\s*\d+ \w+, \d\d:\d\d/)
  await expect(fields.getByRole('row', { name: /^order\.net/ })).not.toContainText('can be removed')
  await page.getByRole('searchbox', { name: 'Filter fields' }).fill('buyer.')
  await expect(fields.getByRole('row')).toHaveCount(2)
  expect(await violations(page)).toEqual([])

  for (const path of ['/people/clients', '/people/clients/shop']) {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(studio.url + path)
    await expect(page.getByText('Web shop').first()).toBeVisible()
    expect.soft(await violations(page), path).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(overflow, path).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${studio.url}/people/clients`)
  await expect(row).toBeVisible()
  await page.goto(`${studio.url}/people/clients/nobody`)
  await expect(page.getByRole('heading', { name: 'nobody does not exist' })).toBeVisible()
})

test('a secret of a client is created, shown once, works, and is ended after a confirmation', async ({
  studio,
}) => {
  const { page, url, call } = studio
  const client = {
    ...{ type: 'integration_client', key: 'shop', label: 'Web shop' },
    body: { authScheme: 'oauth2_client_credentials', runAs: 'admin' },
  }
  await call('POST', '/metadata/v3/apply', { components: [client], rationale: 'A shop' })
  await page.goto(`${url}/people/clients/shop`)
  const secrets = page.getByRole('region', { name: 'Secrets' })
  await expect(secrets).toContainText('None yet.')
  await secrets.getByRole('spinbutton', { name: /^Days until it expires/ }).fill('30')
  await secrets.getByRole('button', { name: 'Create secret' }).click()
  const secret = await secrets.locator('.token').innerText()
  expect(await violations(page)).toEqual([])
  const signIn = async (): Promise<number> => {
    const form = { grant_type: 'client_credentials', client_id: 'shop', client_secret: secret }
    return (await fetch(`${url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })).status
  }
  expect(await signIn()).toBe(200)
  const row = secrets.getByRole('row', { name: /Administrator/ })
  await expect(row).toBeVisible()
  await page.reload()
  await expect(row).toBeVisible()
  await expect(page.getByText(secret)).toHaveCount(0)

  await row.getByRole('button', { name: /^End/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
  await expect(secrets).toContainText('None yet.')
  await expect(secrets.getByRole('heading', { name: 'Secrets' })).toBeFocused()
  expect(await signIn()).toBe(401)
})

test('a client whose user bypasses all access checks is marked, in the list and on its page', async ({
  studio,
}) => {
  const { page, url, call } = studio
  await call('POST', '/setup/v3/users', { key: 'robot', name: 'Robot' })
  const components = [
    {
      ...{ type: 'integration_client', key: 'shop', label: 'Web shop' },
      body: { authScheme: 'api_key', runAs: 'robot' },
    },
    {
      ...{ type: 'permission_set', key: 'everything', label: 'Everything' },
      body: { systemPermissions: ['platform.root'] },
    },
  ]
  await call('POST', '/metadata/v3/apply', { components, rationale: 'A shop' })
  await call('PUT', '/setup/v3/users/robot/permission-sets', { permissionSets: ['everything'] })
  await page.goto(`${url}/people/clients`)
  const row = page.getByRole('table', { name: 'Integration clients' }).getByRole('row', { name: /Web shop/ })
  await expect(row.getByText('platform.root')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await row.getByRole('link', { name: 'Web shop' }).click()
  await expect(page.getByTitle(/this client bypasses all access checks/)).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('a secret that a different user has ended leaves the list', async ({ studio }) => {
  const { page, url, call } = studio
  await layRecords(studio)
  await useFields(studio)
  const secrets = '/setup/v3/clients/shop/secrets'
  await page.goto(`${url}/people/clients/shop`)
  const section = page.getByRole('region', { name: 'Secrets' })
  await expect(section.getByRole('button', { name: /^End/ })).toHaveCount(1)
  const [secret] = (await call<{ secrets: { id: string }[] }>('GET', secrets)).secrets
  await call('DELETE', `${secrets}/${secret!.id}`)
  await section.getByRole('button', { name: /^End/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
  await expect(section.getByRole('alert')).toContainText('has no valid secret')
  await expect(section.getByRole('button', { name: /^End/ })).toHaveCount(0)
})
