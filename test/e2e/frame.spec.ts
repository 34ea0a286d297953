// The frame: two sides, tabs, the dock, settings and themes; and a window that opens in the state in which it was left.
import type { Locator, Page } from '@playwright/test'
import { chooseFormAndJson } from './support/editor-view.ts'
import { layGround } from './support/ground.ts'
import { expect, test, testInOwnPage, type Studio } from './support/test.ts'

const side = (page: Page, name: 'Left' | 'Right'): Locator =>
  page.getByRole('region', { name: `${name} pane` })
const tabsOf = (where: Page | Locator): Locator => where.locator('.tab')
const label = (where: Page | Locator): Locator =>
  where.getByRole('region', { name: 'Form of' }).getByLabel('Label').first()

/** Opens components from the tree in tabs that stay. */
async function open({ page, url }: Studio, ...keys: string[]): Promise<void> {
  await page.goto(url)
  await page.getByRole('treeitem', { name: 'value sets' }).click()
  for (const key of keys) {
    await page.getByRole('treeitem', { name: key }).dblclick()
    await expect(page.getByRole('heading', { level: 1, name: key })).toBeVisible()
    await expect(page.locator('.tab.on:not(.preview)')).toHaveText(new RegExp(key))
  }
}

/** The user's workspace on the server, once it is saved. */
const workspace = async ({ call }: Studio): Promise<string> =>
  JSON.stringify((await call<{ workspace: unknown }>('GET', '/setup/v3/workspace')).workspace)

test('two sides have separate tabs; a tab moves to the other side, and none is lost', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await open(studio, 'currency', 'split_payment')
  await page.keyboard.press('Control+\\')
  await expect(tabsOf(side(page, 'Right'))).toHaveText([/split_payment/])
  await page.getByRole('treeitem', { name: 'vat_rate' }).click()
  await expect(side(page, 'Right').getByRole('heading', { level: 1 })).toHaveText('vat_rate')
  // The URL is that of the side with the focus; the other side does not change.
  await expect(page).toHaveURL(/config_set\/vat_rate/)
  await label(side(page, 'Left')).click()
  await expect(page).toHaveURL(/feature_flag\/split_payment/)
  await expect(side(page, 'Right').getByRole('heading', { level: 1 })).toHaveText('vat_rate')

  const edge = page.getByRole('separator', { name: 'Width of the left pane' })
  await edge.focus()
  await page.keyboard.press('End')
  await expect(edge).toHaveAttribute('aria-valuenow', '80')

  await page.keyboard.press('F6')
  await expect(page).toHaveURL(/config_set\/vat_rate/)
  await page.keyboard.press('Alt+Shift+O')
  await expect(tabsOf(side(page, 'Left'))).toHaveText([/currency/, /split_payment/, /vat_rate/])
  await page.keyboard.press('Control+\\')
  await expect(page.getByRole('separator', { name: 'Width of the left pane' })).toBeHidden()
  await expect(tabsOf(page)).toHaveText([/split_payment/, /currency/, /vat_rate/])
})

test('a visited page is a preview, which the next one replaces, until a double-click or an edit keeps it', async ({
  studio,
}) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(studio.url)
  await page.getByRole('treeitem', { name: 'value sets' }).click()
  const tree = (name: string): Locator => page.getByRole('treeitem', { name })
  const preview = page.locator('.tab.preview')
  await tree('currency').click()
  await expect(preview).toHaveText(/currency/)
  await tree('split_payment').click()
  await expect(tabsOf(page)).toHaveText([/split_payment/])
  await page.reload()
  await expect(preview).toHaveText(/split_payment/)
  await preview.dblclick()
  await expect(preview).toBeHidden()
  await tree('currency').click()
  await expect(tabsOf(page)).toHaveText([/split_payment/, /currency/])
  await label(page).fill('Money')
  await expect(preview).toBeHidden()
  await page.getByRole('navigation', { name: 'Activities' }).getByRole('link', { name: 'Audit' }).click()
  await page.getByRole('navigation', { name: 'Activities' }).getByRole('link', { name: 'Flags' }).click()
  await expect(tabsOf(page)).toHaveText([/split_payment/, /currency/, /Flags/])
  // Without typing too: here a row is duplicated with keys.
  await page.keyboard.press('Alt+1')
  await tree('vat_rate').click()
  const sheet = page.getByRole('grid', { name: 'Entries' })
  await expect(preview).toHaveText(/vat_rate/)
  await sheet.focus()
  await page.keyboard.press('ControlOrMeta+Shift+d')
  await expect(preview).toBeHidden()
})

test('tabs are dragged, moved with keys, closed and reopened', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await open(studio, 'currency', 'split_payment', 'vat_rate')
  await tabsOf(page)
    .nth(2)
    .dragTo(tabsOf(page).nth(0), { targetPosition: { x: 4, y: 10 } })
  await expect(tabsOf(page)).toHaveText([/vat_rate/, /currency/, /split_payment/])
  await page.keyboard.press('Alt+Shift+PageDown')
  await expect(tabsOf(page)).toHaveText([/currency/, /vat_rate/, /split_payment/])
  await page.keyboard.press('Alt+PageDown')
  await expect(page).toHaveURL(/split_payment/)
  await page.keyboard.press('Alt+w')
  await expect(page).toHaveURL(/vat_rate/)
  await page.keyboard.press('Alt+Shift+W')
  await expect(page).toHaveURL(/split_payment/)
  await expect(tabsOf(page)).toHaveCount(3)
})

test('one history per component: form and text are undone in turn, even after visiting other tabs', async ({
  studio,
}) => {
  const { page } = studio
  await chooseFormAndJson(page)
  await layGround(studio)
  await open(studio, 'split_payment', 'currency')
  const tab = (name: string): Locator => tabsOf(page).getByRole('link', { name })
  const text = page.locator('.view-lines')
  await text.waitFor()
  await label(page).fill('Money')
  await text.getByText('"label": "Money"').click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('s')
  await expect(label(page)).toHaveValue('Moneys')
  await tab('split_payment').click()
  await expect(page.getByRole('heading', { level: 1, name: 'split_payment' })).toBeVisible()
  await tab('currency').click()
  await text.getByText('"label": "Moneys"').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(label(page)).toHaveValue('Money')
  await label(page).press('Control+z')
  await expect(label(page)).toHaveValue('Currency')
  await label(page).press('Control+Shift+z')
  await label(page).press('Control+Shift+z')
  await expect(label(page)).toHaveValue('Moneys')
})

test('text that equals the active content again is not a draft', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await open(studio, 'currency')
  await label(page).fill('Money')
  await expect(page.getByRole('link', { name: 'currency edited' })).toBeVisible()
  await label(page).fill('Currency')
  await expect(page.getByRole('link', { name: 'currency edited' })).toBeHidden()
  await expect
    .poll(async () => (await studio.call<{ drafts: object[] }>('GET', '/setup/v3/drafts')).drafts.length)
    .toBe(2)
})

testInOwnPage(
  'a window that is killed at any moment is restored: tabs, sides, dock, cursor, drafts',
  async ({ studio }) => {
    const { page } = studio
    await chooseFormAndJson(page)
    await layGround(studio)
    await open(studio, 'currency', 'split_payment')
    await page.keyboard.press('Control+\\')
    await page.getByRole('treeitem', { name: 'currency' }).click()
    const text = side(page, 'Right').locator('.view-lines')
    await text.getByText('"key": "currency"').click()
    await page.keyboard.press('End')
    await page.keyboard.type('x')
    await page.getByRole('tab', { name: 'Events' }).click()
    await text.getByText('"key": "currency"').click()
    await page.keyboard.press('End')
    await expect
      .poll(() => workspace(studio))
      .toMatch(
        /"panel":"events".*"path":"\/c\/value_set\/currency","line":\d+,"column":2\d[^}]*"typing":true/,
      )
    const savedTexts = async (): Promise<string> => {
      const { drafts } = await studio.call<{ drafts: { text: string }[] }>('GET', '/setup/v3/drafts')
      return drafts.map(({ text }) => text).join()
    }
    await expect.poll(savedTexts).toContain('"key": "currency",x')
    // Another window, with only the workspace on the server.
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()))
    const context = page.context()
    // Before the other one opens, which would take the focus out of the editor.
    await page.close({ runBeforeUnload: false })
    const other = await context.newPage()
    await other.goto(studio.url)
    await expect(tabsOf(side(other, 'Left'))).toHaveText([/currency/, /split_payment/])
    await expect(tabsOf(side(other, 'Right'))).toHaveText([/split_payment/, /currency/])
    await expect(other).toHaveURL(/value_set\/currency/)
    await expect(other.getByRole('tab', { name: 'Events' })).toHaveAttribute('aria-selected', 'true')
    // The focus was in it.
    await expect(other.locator('.monaco-editor.focused')).toBeVisible()
    await other.keyboard.type('!')
    await expect(side(other, 'Right').locator('.view-lines')).toContainText('"key": "currency",x!')
  },
)

test('the frame has the columns of the first page before the code of that page is loaded', async ({
  studio,
}) => {
  const { page, url } = studio
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/assets\/changes-.*js/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${url}/changes`, { waitUntil: 'commit' })
  const main = page.getByRole('main')
  await main.waitFor()
  const before = await main.boundingBox()
  release()
  await expect(page.getByRole('heading', { level: 1, name: 'Changes' })).toBeVisible()
  expect(await main.boundingBox()).toEqual(before)
})

test('the dock shows what was done and what happens, and is moved and folded', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await open(studio, 'currency')
  await page.getByRole('tab', { name: 'Output' }).click()
  await label(page).fill('Money')
  await expect(page.getByRole('list', { name: 'Output' })).toContainText('Draft of value_set/currency saved')
  await page.getByRole('tab', { name: 'Events' }).click()
  await expect(page.getByRole('list', { name: 'Events' })).toContainText(
    'draft of value_set/currency saved, version 1',
  )
  const edge = page.getByRole('separator', { name: 'Height of the dock' })
  const before = Number(await edge.getAttribute('aria-valuenow'))
  await edge.focus()
  await page.keyboard.press('ArrowUp')
  expect(Number(await edge.getAttribute('aria-valuenow'))).toBeGreaterThan(before)
  await page.keyboard.press('Control+j')
  await expect(page.getByRole('list', { name: 'Events' })).toBeHidden()
  await page.setViewportSize({ width: 1024, height: 700 })
  await expect(page.getByRole('button', { name: 'Expand the dock' })).toBeVisible()
})

test('the explorer shows components by app', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await studio.call('POST', '/metadata/v3/apply', {
    components: [
      { type: 'app', key: 'shop', label: 'Shop', body: { objects: ['invoice'], pages: [], flows: [] } },
    ],
  })
  await page.goto(studio.url)
  await page.getByRole('group', { name: 'Components by' }).getByRole('button', { name: 'App' }).click()
  await page.getByRole('treeitem', { name: 'Shop' }).click()
  await expect(page.getByRole('treeitem', { name: 'vat_rate' })).toBeVisible()
  await expect(page.getByRole('treeitem', { name: 'split_payment' })).toBeHidden()
  await page.getByRole('treeitem', { name: 'not in an app' }).click()
  await expect(page.getByRole('treeitem', { name: 'split_payment' })).toBeVisible()
})

test('settings: theme, density, text size, approvals, tokens', async ({ studio }) => {
  const { page } = studio
  await page.goto(`${studio.url}/settings`)
  const root = page.locator('html')
  await page.getByRole('radio', { name: 'high contrast' }).check()
  await expect(root).toHaveAttribute('data-theme', 'contrast')
  await page.getByRole('radio', { name: 'compact' }).check()
  await page.getByLabel('Editor text size').fill('16')
  for (const wrong of ['1.5', '999']) {
    await page.getByLabel('Approvals needed').fill(wrong)
    await expect(page.getByRole('button', { name: /^Require/ })).toBeDisabled()
  }
  await expect(page.getByText('Enter a whole number from 0 to 20.')).toBeVisible()
  await page.getByLabel('Approvals needed').fill('1')
  await page.getByRole('button', { name: 'Require 1' }).click()
  await expect(page.getByRole('status').filter({ hasText: '1 approval required' })).toBeVisible()
  await page.getByLabel('New token').fill('Nightly export')
  let minted = 0
  await page.route('**/setup/v3/tokens', async (route) => {
    minted += 1
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await page.getByRole('button', { name: 'Create token' }).dblclick()
  const token = await page.locator('.token').innerText()
  expect(minted).toBe(1)
  const options = { headers: { authorization: `Bearer ${token}` } }
  expect((await page.request.get(`${studio.url}/setup/v3/org`, options)).status()).toBe(200)
  await page.getByRole('button', { name: 'End token Nightly export' }).click()
  await expect(page.getByRole('button', { name: 'End token Nightly export' })).toBeHidden()
  expect((await page.request.get(`${studio.url}/setup/v3/org`, options)).status()).toBe(401)

  await page.reload()
  await expect(root).toHaveAttribute('data-theme', 'contrast')
  await expect(root).toHaveAttribute('data-density', 'compact')
  await expect(page.getByLabel('Editor text size')).toHaveValue('16')
  expect(await studio.call('GET', '/setup/v3/approvals')).toEqual({ required: 1 })
})
