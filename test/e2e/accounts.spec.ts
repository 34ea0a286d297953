// A user connects an account at another system in a real browser, against a certified authorisation server.
import { startAuthorisationServer, type AuthorisationServer } from '../support/authorisation-server.ts'
import { violations } from './support/axe.ts'
import { expect, test, type Studio } from './support/test.ts'

const secret = 'a-client-secret'
let provider: AuthorisationServer

async function deploy({ call, url }: Studio): Promise<void> {
  provider = await startAuthorisationServer([
    {
      ...{ client_id: 'almanac', client_secret: secret, application_type: 'native' },
      ...{ grant_types: ['authorization_code', 'refresh_token'] },
      redirect_uris: [`${url}/oauth2/callback`],
    },
  ])
  const component = {
    ...{ type: 'external_credential', key: 'calendar', label: 'Team calendar' },
    body: {
      ...{ scheme: 'oauth2_authorization_code', issuer: provider.issuer },
      ...{ tokenUrl: provider.tokenUrl, authorizationUrl: provider.authorizationUrl },
      ...{ scopes: ['openid', 'offline_access'], authorizationParameters: { prompt: 'consent' } },
      principals: [{ key: 'person', mode: 'per_user', grantedTo: ['administrator'] }],
    },
  }
  await call('POST', '/metadata/v3/apply', { components: [component], rationale: 'Accounts' })
}
test.afterEach(() => provider?.close())

test('an account is connected, refused, connected again and disconnected', async ({ studio }) => {
  const { page, url, call } = studio
  await deploy(studio)
  await page.goto(url)
  await page.getByRole('button', { name: /^Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Connected accounts' }).click()
  const row = page.getByRole('row', { name: /Team calendar/ })
  await expect(page.getByRole('link', { name: 'Connected accounts' })).toBeVisible()
  await expect(row).toContainText('the client has no secrets yet')
  await expect(row.getByRole('button', { name: 'Connect Team calendar' })).toBeDisabled()
  const values = { clientId: 'almanac', clientSecret: secret }
  await call('PUT', '/setup/v3/credentials/calendar/principals/person/next', { values })
  await page.reload()
  await expect(row).toContainText('needs your consent')
  expect(await violations(page)).toEqual([])

  await row.getByRole('button', { name: 'Connect Team calendar' }).click()
  await page.getByRole('link', { name: /cancel/i }).click()
  await expect(page).toHaveURL(`${url}/accounts`)
  await expect(row).toContainText('the user or the server refused')
  await expect(row).toContainText('needs your consent')

  await row.getByRole('button', { name: 'Connect Team calendar' }).click()
  await page.locator('input[name=login]').fill('mara')
  await page.locator('input[name=password]').fill('x')
  await page.getByRole('button', { name: /sign-in/i }).click()
  await page.getByRole('button', { name: /continue/i }).click()
  await expect(page).toHaveURL(`${url}/accounts`)
  await expect(row).toContainText('connected')
  await expect(row.getByRole('button', { name: 'Reconnect Team calendar' })).toBeEnabled()
  expect(await page.context().cookies()).not.toContainEqual(
    expect.objectContaining({ name: expect.stringContaining('almanac_consent') }),
  )
  expect(await violations(page)).toEqual([])

  // Those who manage credentials see who has given consent.
  await page.goto(`${url}/people/credentials`)
  await expect(page.getByRole('row', { name: /Team calendar/ })).toContainText('1 user connected')
  await page.goto(`${url}/people/credentials/calendar`)
  const accounts = page.getByRole('table', { name: 'Accounts of person' })
  await expect(accounts.getByRole('row', { name: /Administrator/ })).toContainText('connected')
  expect(await violations(page)).toEqual([])
  await accounts.getByRole('button', { name: 'Disconnect Administrator' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('No user has connected an account yet.').or(accounts)).not.toContainText(
    'connected to',
  )
  await page.goto(`${url}/accounts`)
  await expect(row).toContainText('needs your consent')
})

test('a response that no consent waits for leads back to the accounts', async ({ studio }) => {
  const { page, url } = studio
  await page.goto(`${url}/oauth2/callback?code=x&state=y`)
  await expect(page.getByRole('heading', { name: 'Your account is not connected' })).toBeVisible()
  await page.getByRole('link', { name: 'Connected accounts' }).click()
  await expect(page).toHaveURL(`${url}/accounts`)
  await expect(page.getByText('No system asks for your consent.')).toBeVisible()
})

test('an account is disconnected by its user', async ({ studio }) => {
  const { page, url, call } = studio
  await deploy(studio)
  const values = { clientId: 'almanac', clientSecret: secret }
  await call('PUT', '/setup/v3/credentials/calendar/principals/person/next', { values })
  await page.goto(`${url}/accounts`)
  const row = page.getByRole('row', { name: /Team calendar/ })
  await row.getByRole('button', { name: 'Connect Team calendar' }).click()
  await page.locator('input[name=login]').fill('mara')
  await page.locator('input[name=password]').fill('x')
  await page.getByRole('button', { name: /sign-in/i }).click()
  await page.getByRole('button', { name: /continue/i }).click()
  await expect(row).toContainText('connected')
  await row.getByRole('button', { name: 'Disconnect Team calendar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(row).toContainText('needs your consent')
})

test('the page follows a consent that is given in a different browser', async ({ studio }) => {
  const { page, url, call } = studio
  await deploy(studio)
  const values = { clientId: 'almanac', clientSecret: secret }
  const principal = '/setup/v3/credentials/calendar/principals/person'
  await call('PUT', `${principal}/next`, { values })
  const started = await call<{ url: string }>('POST', `${principal}/consent`, { browser: 'system' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${url}/accounts`)
  const row = page.getByRole('row', { name: /Team calendar/ })
  await expect(row).toContainText('waiting for your consent')
  await expect(row.getByRole('button', { name: 'Connect Team calendar' })).toBeInViewport({ ratio: 1 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  const opened = await fetch(started.url, { redirect: 'manual' })
  const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
  const back = await provider.visit(opened.headers.get('location')!)
  expect((await fetch(back, { headers: { cookie } })).status).toBe(200)
  await expect(row).toContainText('connected')
})
