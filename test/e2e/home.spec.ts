// Home: what takes effect soon, what waits, what was applied; the first tasks disappear; nothing scrolls sideways at
// 390 px.
import type { Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

async function openHome(studio: Studio): Promise<Page> {
  await layGround(studio)
  const { generation } = await studio.call<{ generation: { generation: number } }>('GET', '/setup/v3/org')
  const row = (slug: string, from: string, to: string | null, rate: string): object => ({
    type: 'config_entry',
    key: `vat_rate.${slug}`,
    label: slug,
    body: {
      set: 'vat_rate',
      key: 'LT',
      scope: { kind: 'org' },
      effectiveFrom: from,
      effectiveTo: to,
      values: { rate },
    },
  })
  await studio.call('POST', '/metadata/v3/apply', {
    base: generation.generation,
    rationale: 'Lithuania lowers its rate',
    components: [row('lt_1', '2020-01-01', day(40), '0.09'), row('lt_2', day(40), null, '0.05')],
  })
  await studio.page.goto(`${studio.url}/`)
  await expect(studio.page.getByRole('region', { name: 'Home' })).toContainText('Next 90 days')
  return studio.page
}

test('shows what takes effect, what waits and what was applied, each with a link to its place', async ({
  studio,
}) => {
  const page = await openHome(studio)
  const entries = page.getByRole('region', { name: 'Entries that begin or end' })
  await expect(entries.getByRole('link', { name: /vat_rate, LT 0\.0900 → 0\.0500/ })).toBeVisible()
  const waiting = page.getByRole('region', { name: /Waiting for you/ })
  await expect(waiting).toContainText('Your drafts')
  await expect(
    waiting.getByRole('listitem').filter({ hasText: 'vat_rate.hr_2012_03_01' }).first(),
  ).toBeVisible()
  await expect(waiting).toContainText('Findings')
  const applied = page.getByRole('region', { name: /Recently applied/ })
  await expect(applied).toContainText('0.0900')
  await expect(applied).toContainText('Lithuania lowers its rate')
  expect(await violations(page)).toEqual([])

  await page
    .getByRole('group', { name: 'How many days are shown' })
    .getByRole('button', { name: '30' })
    .click()
  await expect(entries).toContainText('No value begins or ends in this period.')
  await page.getByRole('button', { name: '90', exact: true }).click()
  await entries.getByRole('link', { name: /LT/ }).click()
  await expect(page).toHaveURL(/config_set\/vat_rate/)
})

test('the names of months are not cut off', async ({ studio }) => {
  const { page, url } = studio
  for (const [today, until] of [
    ['2026-08-20', '2026-11-18'],
    ['2026-11-20', '2027-02-18'],
  ]) {
    await page.route(/setup\/v3\/home/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), today, until } })
    })
    await page.goto(url)
    const names = page.locator('.monthname')
    await expect(names).toHaveCount(3)
    const cut = (elements: Element[]): string[] =>
      elements.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)
    expect(await names.evaluateAll(cut)).toEqual([])
    await page.unrouteAll()
  }
})

test('first tasks are checked off as they are done, and can be hidden permanently', async ({ studio }) => {
  const page = await openHome(studio)
  const tasks = page.getByRole('region', { name: 'Getting started' })
  await expect(tasks).toContainText('1 of 3')
  await tasks.getByRole('link', { name: 'Explain a value' }).click()
  await expect(page).toHaveURL(/playground/)
  await page.getByRole('navigation', { name: 'Activities' }).getByRole('link', { name: 'Home' }).click()
  await expect(tasks).toContainText('2 of 3')
  await tasks.getByRole('button', { name: 'Hide' }).click()
  await expect(tasks).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Home' })).toContainText('Next 90 days')
  await expect(tasks).toHaveCount(0)
})

test('at 390 px the explorer is folded, opens over the page, and nothing is wider than the window', async ({
  studio,
}) => {
  const page = await openHome(studio)
  await page.setViewportSize({ width: 390, height: 800 })
  const explorer = page.getByRole('complementary', { name: 'Explorer' })
  await expect(explorer).toBeHidden()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Explorer' }).click()
  await expect(explorer).toBeVisible()
  await explorer.getByText('vat_rate', { exact: true }).first().click()
  await expect(page).toHaveURL(/config_set\/vat_rate/)
  await expect(explorer).toBeHidden()
})
