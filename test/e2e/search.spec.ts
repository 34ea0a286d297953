// The search over everything: reached with keys and from the palette, narrowed by type and app, opened at the place.
import type { Page } from '@playwright/test'
import { layGround } from './support/ground.ts'
import { expect, test } from './support/test.ts'
import { visit } from './support/visit.ts'

const box = (page: Page) =>
  page.getByRole('searchbox', { name: 'Search keys, labels, values and expressions' })
const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test.beforeEach(() => test.setTimeout(120_000))

test('words are found with keys alone, and open at their place', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(studio.url)
  await page.keyboard.press('Control+Shift+F')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('vat rate')
  const place = group(page, 'objects').getByRole('link', { name: /config\.vat_rate/ })
  await expect(place).toContainText('fields, 4, formula, expression')
  await expect(place.locator('mark')).toHaveText(['vat', 'rate', 'rate'])
  await expect(page).toHaveURL(/\/search\?q=vat(\+|%20)rate/)
  await expect(group(page, 'configuration entries').getByRole('link').first()).toBeVisible()
  // From the field through the hits, and back.
  await page.keyboard.press('ArrowDown')
  await expect(
    group(page, 'configuration sets')
      .getByRole('link', { name: /vat_rate/ })
      .first(),
  ).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(box(page)).toBeFocused()
  await place.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/c\/object\/invoice\?at=\/body\/fields\/3\/formula\/expression/)
})

test('a search is narrowed by type and by app, and reports if nothing is found', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  const shop = {
    type: 'app',
    key: 'shop',
    label: 'Shop',
    body: { objects: ['invoice'], pages: [], flows: [] },
  }
  await studio.call('POST', '/metadata/v3/apply', { components: [shop], rationale: 'A shop' })
  // Drafts are found too, and marked as such.
  await page.goto(`${studio.url}/search?q=HR`)
  await expect(page.getByRole('link', { name: /vat_rate\.hr_2012_03_01.*draft/ })).toBeVisible()
  await visit(page, `${studio.url}/search?q=currency`)
  await expect(group(page, 'value sets')).toBeVisible()
  await page.getByRole('combobox', { name: 'App' }).fill('shop')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing that you can see contains “currency” here.')).toBeVisible()
  await page.getByRole('link', { name: 'Search everywhere' }).click()
  await expect(group(page, 'value sets')).toBeVisible()
  await visit(page, `${studio.url}/search?q=vat&app=shop`)
  await expect(group(page, 'objects')).toBeVisible()
  await expect(group(page, 'configuration entries')).toBeVisible()
  await group(page, 'objects').getByRole('link', { name: 'Only these' }).click()
  await expect(group(page, 'configuration entries')).toHaveCount(0)
  await expect(group(page, 'objects')).toBeVisible()
})

test("the palette passes words that are not a component's name to the search", async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(studio.url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('bank adapter')
  await expect(page.getByRole('option', { name: /Search everything for “bank adapter”/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(group(page, 'feature flags').getByRole('link', { name: /bank.*adapter/ })).toBeVisible()
})

test('a page that is chosen while a text is typed opens, however long it takes to load', async ({
  studio,
}) => {
  const { page } = studio
  await page.goto(`${studio.url}/search`)
  await box(page).fill('vat')
  // Longer than the delay before the text is in the URL.
  await page.route('**/assets/audit-page-*.js', async (route) => {
    await new Promise((after) => setTimeout(after, 800))
    await route.continue()
  })
  await page.getByRole('link', { name: 'Audit' }).click()
  await expect(page.getByRole('heading', { name: 'Audit' })).toBeVisible()
})
