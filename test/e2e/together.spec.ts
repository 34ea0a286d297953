// Two users on one org, and a server that stops and starts: everyone sees every change immediately, and nothing is
// lost.
import type { Browser, Locator, Page } from '@playwright/test'
import { chooseFormAndJson } from './support/editor-view.ts'
import { layGround } from './support/ground.ts'
import { startStudio, type StudioServer } from './support/studio-server.ts'
import { expect, test as base } from './support/test.ts'

const password = 'correct horse battery'
const test = base.extend<{ served: StudioServer; mara: Page; tom: Page }>({
  // eslint-disable-next-line no-empty-pattern
  served: async ({}, use) => {
    const people = [
      { key: 'mara', name: 'Mara Tamm', password },
      { key: 'tom', name: 'Tom Brandt', password },
    ]
    const served = await startStudio({ people, ownProcess: true })
    await use(served)
    await served.stop()
  },
  mara: async ({ browser, served }, use) => {
    const page = await signedIn(browser, served, 'mara')
    await layGround({ call: callOf(page, served) })
    await use(page)
    await page.context().close()
  },
  tom: async ({ browser, served, mara }, use) => {
    expect(mara).toBeDefined()
    const page = await signedIn(browser, served, 'tom')
    await use(page)
    await page.context().close()
  },
})

/** A separate browser for a user. */
async function signedIn(browser: Browser, { url }: StudioServer, user: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await chooseFormAndJson(page, user)
  await page.request.post(`${url}/session/password`, { headers: { origin: url }, data: { user, password } })
  return page
}

const callOf =
  (page: Page, { url }: StudioServer) =>
  async <T>(method: string, path: string, data?: unknown): Promise<T> => {
    const response = await page.request.fetch(url + path, { method, headers: { origin: url }, data })
    expect([path, response.ok()]).toEqual([path, true])
    return (await response.json()) as T
  }

const label = (page: Page): Locator =>
  page.getByRole('region', { name: 'Form of' }).getByLabel('Label').first()
const text = (page: Page): Locator => page.locator('.view-lines')
const state = (page: Page): Locator => page.locator('.phead .state')
const currency = '/c/value_set/currency'

async function bothOpen(served: StudioServer, ...pages: Page[]): Promise<void> {
  for (const page of pages) {
    await page.goto(served.url + currency)
    await text(page).waitFor()
  }
}

test('drafts and generations of one are visible to the other immediately', async ({ served, mara, tom }) => {
  await bothOpen(served, mara, tom)
  await label(mara).fill('Money')
  await expect(label(tom)).toHaveValue('Money')
  await tom.getByRole('tab', { name: 'Events' }).click()
  await callOf(mara, served)('POST', '/metadata/v3/apply', {
    components: [
      { type: 'value_set', key: 'colour', label: 'Colour', body: { values: [{ key: 'red', label: 'Red' }] } },
    ],
  })
  await expect(tom.getByRole('list', { name: 'Events' })).toContainText('generation 3 is active')
  await expect(tom.getByText('Generation 3', { exact: false }).first()).toBeVisible()
})

test('what two users type in one draft is merged, or the second chooses place by place', async ({
  served,
  mara,
  tom,
}) => {
  await bothOpen(served, mara, tom)
  // Tom's saves are delayed, so Mara's arrive first.
  let release: () => void = () => undefined
  const gate = new Promise<void>((done) => (release = done))
  await tom.route('**/setup/v3/drafts/**', async (route) => {
    await gate
    await route.continue()
  })
  await text(tom).getByText('"label": "Euro"').click()
  await tom.keyboard.press('End')
  await tom.keyboard.press('ArrowLeft')
  await tom.keyboard.type('s')
  await label(mara).fill('Money')
  await expect(state(mara)).toHaveText('draft')
  release()
  await expect(text(tom)).toContainText('"Euros"')
  await expect(label(tom)).toHaveValue('Money')
  await expect(text(mara)).toContainText('"Euros"')
  await expect(state(tom)).toHaveText('draft')
  await tom.unroute('**/setup/v3/drafts/**')

  const second = new Promise<void>((done) => (release = done))
  await tom.route('**/setup/v3/drafts/**', async (route) => {
    await second
    await route.continue()
  })
  await label(tom).fill('Coins')
  await label(mara).fill('Notes')
  await expect(state(mara)).toHaveText('draft')
  release()
  const chosen = tom.getByRole('region', { name: 'Resolve value_set/currency' })
  await expect(chosen).toBeVisible()
  await chosen.getByRole('radio', { name: 'Label, Mine: Coins' }).check()
  await chosen.getByRole('button', { name: 'Keep the chosen versions' }).click()
  await expect(label(mara)).toHaveValue('Coins')
  await expect(text(mara)).toContainText('"Euros"')
})

test('a server that is killed is reported; what is typed in the meantime waits, and is sent after the restart', async ({
  served,
  mara,
}) => {
  await bothOpen(served, mara)
  await label(mara).fill('Money')
  await expect(state(mara)).toHaveText('draft')
  await served.kill()
  await expect(mara.getByRole('alert').filter({ hasText: 'No connection to the server' })).toBeVisible()
  await label(mara).fill('Money and more')
  await expect(state(mara)).toHaveText('not saved yet')
  await served.start()
  await expect(mara.getByRole('status').filter({ hasText: 'Connected again.' })).toBeVisible()
  await expect(state(mara)).toHaveText('draft')
  const { drafts } = await callOf(mara, served)<{ drafts: { id: string; text: string }[] }>(
    'GET',
    '/setup/v3/drafts',
  )
  expect(drafts.find(({ id }) => id === 'value_set/currency')?.text).toContain('"Money and more"')
})

test('a window that closes while the server is down keeps what was typed', async ({ served, mara }) => {
  await bothOpen(served, mara)
  await served.kill()
  await label(mara).fill('Money')
  await expect(state(mara)).toHaveText('not saved yet')
  const other = await mara.context().newPage()
  await mara.close({ runBeforeUnload: false })
  await served.start()
  await other.goto(served.url)
  await expect(label(other)).toHaveValue('Money')
  await expect(state(other)).toHaveText('draft')
})

// ---- two users in one sheet ----

const sheetCell = (page: Page, slug: string, column: number): Locator =>
  page.getByRole('row', { name: slug }).locator(`[aria-colindex="${column}"]`)
const rates = '/c/config_set/vat_rate'

async function typeRate(page: Page, row: string, text: string): Promise<void> {
  await sheetCell(page, row, 3).click()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

test('an edit that another user overwrites is reported with the name and both values, and is restored', async ({
  served,
  mara,
  tom,
}) => {
  for (const page of [mara, tom]) {
    await page.goto(served.url + rates)
    await expect(sheetCell(page, '2021-01-01', 3)).toHaveText('0.1900')
  }
  await typeRate(mara, '2021-01-01', '0.21')
  await expect(sheetCell(tom, '2021-01-01', 3)).toHaveText('0.2100')
  await typeRate(tom, '2021-01-01', '0.22')
  await expect(sheetCell(mara, '2021-01-01', 3)).toHaveText('0.2200')
  const notice = mara.getByRole('alert')
  await expect(notice).toContainText('Tom Brandt changed Rate of DE, 1 Jan 2021: your 0.2100 is now 0.2200.')
  // It survives a reload, and is resolved once the value is restored.
  await mara.reload()
  await expect(notice).toContainText('your 0.2100 is now 0.2200')
  await notice.getByRole('button', { name: 'Restore mine' }).click()
  await expect(notice).toHaveCount(0)
  await expect(sheetCell(tom, '2021-01-01', 3)).toHaveText('0.2100')
  await expect(tom.getByRole('alert')).toContainText('Mara Tamm changed Rate of DE, 1 Jan 2021')
})

test('an apply leaves no conflict in an open sheet, and a discarded row of another user disappears', async ({
  served,
  mara,
  tom,
}) => {
  const call = callOf(tom, served)
  await mara.goto(served.url + rates)
  await expect(sheetCell(mara, '2021-01-01', 3)).toHaveText('0.1900')
  await typeRate(mara, '2021-01-01', '0.21')
  const id = 'config_entry/vat_rate.de_2021_01_01'
  await expect
    .poll(async () =>
      (await call<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')).drafts.map((d) => d.id),
    )
    .toContain(id)
  // The event of the apply reaches Mara after her next edit of the same row.
  let release: () => void = () => undefined
  const gate = new Promise<void>((done) => (release = done))
  await mara.route('**/entries', async (route) => {
    await gate
    await route.continue()
  })
  await call('POST', '/metadata/v3/apply', { drafts: [id], rationale: 'The rate of Germany' })
  await typeRate(mara, '2021-01-01', '0.23')
  release()
  await expect(sheetCell(mara, '2021-01-01', 3)).toHaveText('0.2300')
  await expect
    .poll(async () =>
      (await call<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')).drafts.map((d) => d.id),
    )
    .toContain(id)
  await expect(mara.locator('.sheet-conflict')).toHaveCount(0)
  // A row that another user added and discarded.
  const hr = 'config_entry/vat_rate.hr_2023_01_01'
  await expect(mara.getByRole('row', { name: 'HR 0.2500 org 2023-01-01' })).toBeVisible()
  await tom.request.delete(`${served.url}/setup/v3/drafts/${hr}`, { headers: { origin: served.url } })
  await expect(mara.getByRole('row', { name: 'HR 0.2500 org 2023-01-01' })).toHaveCount(0)
  await mara.reload()
  await expect(sheetCell(mara, '2021-01-01', 3)).toHaveText('0.2300')
  await expect(mara.getByRole('row', { name: 'HR 0.2500 org 2023-01-01' })).toHaveCount(0)
})
