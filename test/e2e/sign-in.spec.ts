// Users sign in: clear errors, back to the requested page, no lost input, and a separate workspace each.
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeStudioPage } from '../../server/cli/studio-page.ts'
import { startStudio, type StudioServer } from './support/studio-server.ts'
import { expect, test as base } from './support/test.ts'
import { visit } from './support/visit.ts'

const password = 'correct horse battery'
const people = [
  { key: 'mara', name: 'Mara Tamm', password },
  { key: 'tom', name: 'Tom Brandt', password },
]

const test = base.extend<{ served: StudioServer }>({
  // eslint-disable-next-line no-empty-pattern
  served: async ({}, use) => {
    const served = await startStudio({ people })
    await use(served)
    await served.stop()
  },
})

async function signIn(page: Page, user: string, secret = password): Promise<void> {
  await page.getByLabel('User').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/**
 * Fills a field in one step once the session has ended: a dialog that opens in the meantime would receive the letters,
 * and hides what is behind it.
 */
async function typeWithoutSession(context: BrowserContext, field: Locator, text: string): Promise<void> {
  const input = await field.elementHandle()
  await context.clearCookies()
  await input!.evaluate((element, typed) => {
    const box = element as HTMLInputElement
    box.value = typed
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }, text)
}

test('returns to the requested URL, explains what is wrong, and signs out', async ({ served, page }) => {
  await page.goto(`${served.url}/audit?kind=applied`)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await signIn(page, 'mara', 'wrong horse')
  await expect(
    page.getByRole('alert').filter({ hasText: 'The user or the password is incorrect.' }),
  ).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await signIn(page, 'mara')
  await expect(page.getByRole('heading', { name: 'Audit' })).toBeVisible()
  expect(page.url()).toBe(`${served.url}/audit?kind=applied`)
  await page.getByRole('button', { name: 'Signed in as Mara Tamm' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  await page.goto(`${served.url}/changes`)
  await expect(page).toHaveURL(/\/sign-in\?back=/)
})

test('a private file opens the one-time link in the browser, and signing out ends that session', async ({
  served,
  page,
}) => {
  const home = mkdtempSync(join(tmpdir(), 'almanac-home-'))
  try {
    await page.goto(pathToFileURL(writeStudioPage(served.open, home)!.path).href)
    await expect(page).toHaveURL(`${served.url}/`)
    await page.getByRole('button', { name: 'Signed in as' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect((await page.request.get(`${served.url}/setup/v3/session`)).status()).toBe(401)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

test('a user signs out everywhere, and ends the sessions of another user', async ({
  served,
  page,
  browser,
}) => {
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  const status = async (): Promise<number> =>
    (await other.request.get(`${served.url}/setup/v3/session`)).status()
  await other.goto(`${served.url}/sign-in`)
  await signIn(other, 'tom')
  await expect(other.getByRole('button', { name: 'Signed in as Tom Brandt' })).toBeVisible()
  await page.goto(`${served.url}/sign-in?back=/settings`)
  await signIn(page, 'mara')
  await page.getByLabel('Show the sign-ins of all users').check()
  await page.getByLabel('User whose sessions and tokens end').selectOption('tom')
  await page.getByRole('button', { name: 'End all of this user’s sessions' }).click()
  await expect.poll(status).toBe(401)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect((await page.request.get(`${served.url}/setup/v3/session`)).status()).toBe(401)
  await elsewhere.close()
})

test('opens no page outside the studio, and shows how long a throttled user must wait', async ({
  served,
  page,
}) => {
  await page.goto(`${served.url}/sign-in?back=//evil.example/`)
  for (let guess = 0; guess < 10; guess += 1)
    await page.request.post(`${served.url}/session/password`, {
      headers: { origin: served.url },
      data: { user: 'tom', password: `guess ${guess}` },
    })
  await signIn(page, 'tom')
  await expect(page.getByRole('alert')).toHaveText(/Too many failed attempts. Try again in \d+ seconds\./)
})

test('requests the password when the session ends, and keeps what was typed in the meantime', async ({
  served,
  page,
  context,
}) => {
  await page.goto(`${served.url}/sign-in?back=/c/permission_set/administrator`)
  await signIn(page, 'mara')
  const label = page.getByRole('textbox', { name: 'Label' }).first()
  await expect(label).toBeVisible()
  await typeWithoutSession(context, label, 'Typed without a session')
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Password of Mara Tamm').fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/c\/permission_set\/administrator/)
  await expect(label).toHaveValue('Typed without a session')
  await expect
    .poll(async () => (await page.request.get(`${served.url}/setup/v3/drafts`)).text())
    .toContain('Typed without a session')
})

test('does not request the password again for what was refused before the user signed in', async ({
  served,
  page,
  context,
}) => {
  await page.goto(`${served.url}/sign-in?back=/c/permission_set/administrator`)
  await signIn(page, 'mara')
  const label = page.getByRole('textbox', { name: 'Label' }).first()
  await expect(label).toBeVisible()
  let refused = 0
  let release = (): void => undefined
  const signedIn = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/setup/v3/workspace', async (route) => {
    const response = await route.fetch()
    if (response.status() === 401) {
      refused += 1
      await signedIn
    }
    await route.fulfill({ response })
  })
  await typeWithoutSession(context, label, 'Typed without a session')
  // A page that stays open is part of the workspace, which is saved too.
  await page.evaluate(() => dispatchEvent(new Event('pagehide')))
  await expect.poll(() => refused).toBeGreaterThan(0)
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Password of Mara Tamm').fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dialog).toBeHidden()
  const late = page.waitForResponse((response) => response.status() === 401)
  release()
  await (await late).finished()
  // The next response of the new session shows that the late one has been handled.
  await page.getByRole('button', { name: 'Signed in as Mara Tamm' }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('what one user could not save is not saved for a different user who signs in here', async ({
  served,
  page,
  context,
}) => {
  await page.goto(`${served.url}/sign-in?back=/c/permission_set/administrator`)
  await signIn(page, 'mara')
  const label = page.getByRole('textbox', { name: 'Label' }).first()
  await expect(label).toBeVisible()
  await typeWithoutSession(context, label, 'Of Mara alone')
  await page.getByRole('button', { name: 'Sign in as a different user' }).click()
  await signIn(page, 'tom')
  await expect(page.getByRole('button', { name: 'Signed in as Tom Brandt' })).toBeVisible()
  await expect(label).not.toHaveValue('Of Mara alone')
  await page.getByRole('button', { name: 'Signed in as Tom Brandt' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(page, 'mara')
  await expect(page.getByRole('button', { name: 'Signed in as Mara Tamm' })).toBeVisible()
  await visit(page, `${served.url}/c/permission_set/administrator`)
  await expect(label).toHaveValue('Of Mara alone')
})

test('many rows that one user pasted and could not save do not go to another user', async ({
  served,
  page,
  context,
}) => {
  await page.goto(`${served.url}/sign-in?back=/settings`)
  await signIn(page, 'mara')
  await expect(page.getByRole('button', { name: 'Signed in as Mara Tamm' })).toBeVisible()
  const set = {
    ...{ type: 'config_set', key: 'price', label: 'Price' },
    body: {
      ...{ cardinality: 'keyed', keyedBy: { key: 'sku', type: 'text' }, scopes: ['org'] },
      fields: [{ key: 'amount', type: 'number', precision: 12, scale: 2, required: true }],
      ...{ read: { administrator: 'read' }, edit: { administrator: 'edit' } },
    },
  }
  const applied = await page.request.post(`${served.url}/metadata/v3/apply`, {
    headers: { origin: served.url },
    data: { components: [set] },
  })
  expect(applied.ok()).toBe(true)
  const foot = page.locator('.sheet-foot')
  const open = (): Promise<unknown> => page.goto(`${served.url}/c/config_set/price`)
  await open()
  await expect(foot).toContainText('0 entries')
  await context.route(/\/setup\/v3\/drafts$/, (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  const sheet = page.getByRole('grid', { name: 'Entries' })
  await sheet.focus()
  await sheet.evaluate((grid) => {
    const rows = Array.from({ length: 10_500 }, (_, at) => `S${at}\t1.50`)
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', rows.join('\n'))
    grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(foot).toContainText('10,500 entries')
  await expect(foot).toContainText('Not saved yet')
  await context.clearCookies()
  await page.goto(`${served.url}/sign-in?back=/c/config_set/price`)
  await signIn(page, 'tom')
  await expect(foot).toContainText('0 entries')
  await context.clearCookies()
  await page.goto(`${served.url}/sign-in?back=/c/config_set/price`)
  await signIn(page, 'mara')
  await expect(foot).toContainText('10,500 entries')
})
