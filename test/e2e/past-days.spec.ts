// Changes to past days are marked everywhere they are made; undo reverts the last edit; a drafted set has entries.
import type { Page } from '@playwright/test'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'
import { visit } from './support/visit.ts'

const banner = (page: Page) => page.locator('.pastdays')

async function openRates(studio: Studio): Promise<Page> {
  await layGround(studio)
  for (const slug of ['hr_2012_03_01', 'hr_2023_01_01'])
    await studio.call('DELETE', `/setup/v3/drafts/config_entry/vat_rate.${slug}`)
  await studio.page.goto(`${studio.url}/c/config_set/vat_rate`)
  await expect(studio.page.locator('[aria-rowindex="2"]')).toContainText('DE')
  return studio.page
}

test('a change to past days is marked in sheet, timeline, dialog and change list, with the stored results', async ({
  studio,
}) => {
  const page = await openRates(studio)
  await page.locator('[aria-rowindex="3"] > [aria-colindex="3"]').click()
  await expect(banner(page)).toHaveCount(0)
  const saveResponse = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().endsWith('/setup/v3/drafts'),
  )
  await page.keyboard.type('0.17')
  await page.keyboard.press('Enter')
  const words = '184 days before today: 1 Jul 2020 to 31 Dec 2020'
  await expect(banner(page)).toContainText(`DE, org, ${words}`)
  await expect(banner(page)).toContainText('1 stored result is bound to vat_rate')
  await expect(page.locator('[aria-rowindex="3"] .gut')).toHaveAttribute(
    'title',
    new RegExp(`Changes ${words}`),
  )
  await expect(page.getByRole('img', { name: `Retroactive: changes ${words}` })).toBeVisible()
  await page.getByRole('button', { name: 'New value from' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First day').fill('2019-01-01')
  await expect(dialog.getByRole('note')).toContainText('Retroactive.')
  await dialog.getByLabel('First day').fill('2099-01-01')
  await expect(dialog.getByRole('note')).toHaveCount(0)
  await page.keyboard.press('Escape')
  // What the server has not confirmed is restored by the next window, even if it was discarded in the meantime.
  await (await saveResponse).finished()
  await page.goto(`${studio.url}/changes`)
  await expect(
    page.getByText(`Retroactive: changes ${words}. 1 stored result is bound to vat_rate`),
  ).toBeVisible()
  // A change to future days is not marked.
  await studio.call('DELETE', '/setup/v3/drafts/config_entry/vat_rate.de_2020_07_01')
  await visit(page, `${studio.url}/c/config_set/vat_rate`)
  await page.locator('[aria-rowindex="2"] > [aria-colindex="6"]').click()
  await page.keyboard.type('2098-12-31')
  await page.keyboard.press('Enter')
  await expect(page.locator('[aria-rowindex="2"]')).toContainText('2098-12-31')
  await expect(banner(page)).toHaveCount(0)
})

test('Ctrl+Z in the filter undoes a drag that was done after the filter was typed', async ({ studio }) => {
  const page = await openRates(studio)
  const filter = page.getByPlaceholder('Filter entries')
  await filter.fill('DE')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  const bar = timeline.getByRole('button', { name: /^0\.1600, from 1 Jul 2020/ })
  await bar.focus()
  await page.keyboard.press('Shift+ArrowRight')
  const moved = page.locator('.sheet-foot')
  await expect(moved).toContainText('draft saved')
  await filter.focus()
  await page.keyboard.press('Control+z')
  await expect(moved).toContainText('Undone: move')
  await expect(filter).toHaveValue('DE')
  // What was typed last is undone first.
  await bar.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await filter.focus()
  await page.keyboard.type('x')
  await page.keyboard.press('Control+z')
  await expect(moved).not.toContainText('Undone')
})

test('a set that is only a draft accepts entries, and both are applied with one change list', async ({
  studio,
}) => {
  const { call, page, url } = studio
  await layGround(studio)
  const set = {
    type: 'config_set',
    key: 'fee',
    label: 'Fee',
    body: {
      read: { administrator: 'read' },
      edit: { administrator: 'edit' },
      cardinality: 'keyed',
      keyedBy: { key: 'territory', type: 'text' },
      scopes: ['org'],
      effectiveDated: true,
      asOfField: ['invoice.tax_point'],
      fields: [{ key: 'amount', type: 'number', precision: 8, scale: 2, required: true, label: 'Amount' }],
    },
  }
  await call('PUT', '/setup/v3/drafts/config_set/fee', { text: JSON.stringify(set, null, 2), version: 0 })
  await page.goto(`${url}/c/config_set/fee`)
  const grid = page.getByRole('grid', { name: 'Entries' })
  await expect(page.getByText('fee has no entries yet')).toBeVisible()
  await page.locator('[aria-rowindex="2"] > [aria-colindex="2"]').click()
  await grid.evaluate((host) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'DE\t12.50\torg\t2027-01-01\t\nFR\t14\torg\t2027-01-01\t')
    host.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(page.locator('[aria-rowindex="3"]')).toContainText('14.00')
  await expect(
    page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: /^12\.50/ }),
  ).toBeVisible()
  const draftIds = async () =>
    (await call<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')).drafts.map(({ id }) => id)
  await expect.poll(draftIds).toContain('config_entry/fee.fr_2027_01_01')
  await page.reload()
  await expect(page.locator('[aria-rowindex="2"]')).toContainText('12.50')
  // A file is imported into the draft of the set as well.
  await visit(page, `${url}/c/config_set/fee?import`)
  await page.getByLabel('File to import').setInputFiles({
    name: 'fees.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Territory,From,Amount\nIT,2027-01-01,16.00\n'),
  })
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: /^Save \d drafts?$/ }).click()
  await expect(page.locator('[aria-rowindex="4"]')).toContainText('16.00')
  // One list applies the set with its entries, and the sheet continues with the active rows.
  const drafts = (await draftIds()).filter((id) => id.includes('fee'))
  expect(drafts).toHaveLength(4)
  await call('POST', '/metadata/v3/apply', { drafts, rationale: 'Fees' })
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.locator('[aria-rowindex="2"]')).not.toContainText('new')
  await expect(page.locator('[aria-rowindex="3"]')).toContainText('14.00')
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('added by')
})
