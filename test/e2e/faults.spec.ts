// Regression tests for bugs at the edges of the studio: deleted components, the system's theme, small windows, repeated
// messages.
import type { Locator } from '@playwright/test'
import { chooseFormAndJson } from './support/editor-view.ts'
import { layGround } from './support/ground.ts'
import { expect, test } from './support/test.ts'
import { visit } from './support/visit.ts'

const small = { width: 1024, height: 700 }
const money = JSON.stringify({ type: 'value_set', key: 'money', label: 'Money', body: { values: [] } })

test('tabs of deleted components close with a reload, and are marked until then', async ({ studio }) => {
  const { page, call } = studio
  await layGround(studio)
  await call('PUT', '/setup/v3/drafts/value_set/money', { text: money, version: 0 })
  await page.goto(`${studio.url}/c/value_set/money`)
  await expect(page.getByRole('heading', { level: 1, name: 'money' })).toBeVisible()
  await page.locator('.tab.on').dblclick()
  await expect(page.locator('.tab.preview')).toBeHidden()
  await visit(page, `${studio.url}/c/value_set/currency`)
  const tabs = page.getByRole('navigation', { name: 'Open pages' })
  await expect(tabs.getByRole('link')).toHaveText([/money/, /currency/])
  await call('DELETE', '/setup/v3/drafts/value_set/money')
  await expect(tabs.getByRole('link', { name: 'money no longer exists' })).toBeVisible()
  await page.reload()
  await expect(tabs.getByRole('link')).toHaveText([/currency/])
  await page.locator('.tab.on').dblclick()
  await expect(page.locator('.tab.preview')).toBeHidden()
  // The active page explains that the component does not exist, and its tab can be closed.
  await visit(page, `${studio.url}/c/value_set/nothing`)
  await expect(page.getByRole('heading', { name: 'nothing does not exist' })).toBeVisible()
  await expect(tabs.getByRole('link', { name: 'nothing does not exist' })).toBeVisible()
  await page.getByRole('button', { name: 'Close nothing' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'currency' })).toBeVisible()
})

test('a change between the first reads and a slow stream of events is not missed', async ({ studio }) => {
  const { page, call } = studio
  await layGround(studio)
  await call('PUT', '/setup/v3/drafts/value_set/money', { text: money, version: 0 })
  let open = (): void => undefined
  const opened = new Promise<void>((done) => (open = done))
  await page.route('**/setup/v3/events', async (route) => {
    await opened
    await route.continue()
  })
  await page.goto(`${studio.url}/c/value_set/money`)
  await expect(page.getByRole('heading', { level: 1, name: 'money' })).toBeVisible()
  await page.locator('.tab.on').dblclick()
  await call('DELETE', '/setup/v3/drafts/value_set/money')
  open()
  const tabs = page.getByRole('navigation', { name: 'Open pages' })
  await expect(tabs.getByRole('link', { name: 'money no longer exists' })).toBeVisible()
  await expect(page.getByText('Connected again.')).toBeHidden()
})

test('the explorer opens by app in an org without apps', async ({ studio }) => {
  const { page, url } = studio
  await page.goto(url)
  const outside = page.getByRole('treeitem', { name: 'not in an app' })
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/setup/v3/workspace') && response.request().method() === 'PUT',
  )
  await page.getByRole('button', { name: 'App', exact: true }).click()
  await expect(outside).toHaveCount(1)
  await saved
  await page.reload()
  await expect(outside).toHaveCount(1)
})

test('the explorer reports that component types cannot be read, and reads them with the next change', async ({
  studio,
}) => {
  const { page, url, call } = studio
  await page.route('**/setup/v3/rooms', (route) => route.fulfill({ status: 503, body: '{}' }))
  await page.goto(url)
  const explorer = page.getByRole('complementary', { name: 'Explorer' })
  await expect(explorer.locator('.err')).toHaveCount(1)
  await page.unroute('**/setup/v3/rooms')
  await call('PUT', '/setup/v3/drafts/value_set/money', { text: money, version: 0 })
  await expect(explorer.getByRole('treeitem', { name: 'value sets' })).toHaveCount(1)
  await expect(explorer.locator('.err')).toHaveCount(0)
})

test('a new draft requests nothing that does not exist, and leaves no tab when it is discarded', async ({
  studio,
}) => {
  const { page } = studio
  await chooseFormAndJson(page)
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  for (const time of ['first', 'second']) {
    await page.goto(`${studio.url}/new/value_set`)
    await page.getByRole('textbox', { name: 'Key' }).fill('money')
    await page.getByRole('textbox', { name: 'Label' }).fill(time)
    await page.getByRole('button', { name: 'Create draft' }).click()
    await expect(page.locator('.phead .state')).toHaveText('new draft')
    await page.locator('.view-line').first().waitFor()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Discard draft' }).click()
    await expect(page.getByRole('region', { name: 'Home' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Open pages' }).getByRole('link')).toHaveCount(0)
  }
  expect(refused).toEqual([])
})

test('the theme follows the system until the user chooses another one', async ({ studio }) => {
  const { page } = studio
  const html = page.locator('html')
  await page.goto(studio.url)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'Switch to high contrast' }).click()
  await expect(html).toHaveAttribute('data-theme', 'contrast')
  await page.getByRole('button', { name: 'Switch to light' }).click()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.reload()
  await expect(html).toHaveAttribute('data-theme', 'light')
  // Back to the system's theme, which is followed again.
  await page.getByRole('button', { name: 'Switch to dark' }).click()
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(html).toHaveAttribute('data-theme', 'light')
})

test('an invalid date is reported once', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/c/config_entry/vat_rate.de_2021_01_01`)
  const form = page.getByRole('region', { name: 'Form' })
  await form.getByLabel('First day').fill('2021-02-30')
  await expect(page.locator('.phead .state')).toHaveText('draft')
  await expect(form.getByText('February 2021 has 28 days')).toHaveCount(1)
  // Once the field is left, its finding reports the date, still once.
  await page.keyboard.press('Tab')
  await expect(form.locator('.said-by')).toContainText('February 2021 has 28 days')
  await expect(form.getByText('February 2021 has 28 days')).toHaveCount(1)
})

test('in a small window the active tab and both answers of the playground are visible', async ({
  studio,
}) => {
  test.setTimeout(120_000)
  const { page } = studio
  await page.setViewportSize(small)
  await layGround(studio)
  const pages = ['object/invoice', 'value_set/currency', 'config_set/vat_rate', 'feature_flag/split_payment']
  for (const each of [
    ...pages,
    'config_entry/vat_rate.de_2007_01_01',
    'config_entry/vat_rate.de_2020_07_01',
  ]) {
    await visit(page, `${studio.url}/c/${each}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.tab.on').dblclick()
    await expect(page.locator('.tab.preview')).toBeHidden()
  }
  const strip = page.getByRole('navigation', { name: 'Open pages' })
  const at = strip.locator('[aria-current=page]')
  await visit(page, `${studio.url}/c/config_entry/vat_rate.de_2021_01_01`)
  await inside(at, strip)
  // It grows with the mark of an edit.
  await page.getByRole('region', { name: 'Form' }).getByLabel('Label').first().fill('Germany')
  await expect(at).toContainText('edited')
  await inside(at, strip)
  await strip.getByRole('link', { name: 'invoice' }).click()
  await inside(at, strip)

  // A text for screen readers far down in a list does not make the window scroll.
  await page.setViewportSize({ width: 1024, height: 420 })
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(420)
  await page.setViewportSize(small)

  await visit(page, `${studio.url}/playground?set=vat_rate&key=DE&asOf=2020-08-01`)
  await page.getByRole('region', { name: 'Expression' }).locator('.view-lines').click()
  await page.keyboard.type('amount * config.vat_rate("DE").rate')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click()
  const window = page.locator('.page')
  for (const name of ['Resolution', 'Expression'])
    await inside(
      page.getByRole('region', { name, exact: true }).getByRole('status').locator('.big, dl'),
      window,
    )
  await expect(page.getByLabel('As of')).toBeInViewport({ ratio: 1 })
})

/** Completely inside its container. */
async function inside(part: Locator, whole: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const [inner, outer] = [(await part.boundingBox())!, (await whole.boundingBox())!]
      return (
        inner.x >= outer.x - 1 &&
        inner.y >= outer.y - 1 &&
        inner.x + inner.width <= outer.x + outer.width + 1 &&
        inner.y + inner.height <= outer.y + outer.height + 1
      )
    })
    .toBe(true)
}
