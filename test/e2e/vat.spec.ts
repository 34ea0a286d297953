// The whole task on the real table, with clicks: import, see what is wrong, fix it, review, apply, push, have it
// approved there by another user, apply it there, roll back.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { done } from '../support/remote-requests.ts'
import { activeOf, apply, expect as sees, known, password, test } from './support/two-studios.ts'

/** 331 drafts, each processed by every part of the studio: long timeouts for a small machine. */
const expect = sees.configure({ timeout: 20_000 })

const table = resolve(import.meta.dirname, '../../../shared/data/vat_rates.csv')
const here = existsSync(table)

const grants = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
const components = [
  {
    type: 'object',
    key: 'invoice',
    label: 'Invoice',
    body: { fields: [{ key: 'tax_point', type: 'date', label: 'Tax point', required: true }] },
  },
  {
    type: 'config_set',
    key: 'vat_rate',
    label: 'VAT rate by territory',
    body: {
      cardinality: 'keyed',
      keyedBy: { key: 'territory', type: 'text' },
      scopes: ['org'],
      effectiveDated: true,
      asOfField: 'invoice.tax_point',
      fields: [
        { key: 'rate', type: 'number', precision: 6, scale: 4, required: true, label: 'Rate' },
        { key: 'currency', type: 'text', label: 'Currency' },
      ],
      ...grants,
    },
  },
]

const column = (page: Page, of: string): Locator => page.getByLabel(`Column for ${of}`)

test.use({ actionTimeout: 20_000 })

test('the VAT table goes from a file to production', async ({ ground, browser }) => {
  test.skip(!here, 'the VAT table is not beside the checkout, at ../shared/data/vat_rates.csv')
  test.setTimeout(180_000)
  const { page, here: studio, there, go } = ground
  await apply(studio.studio, components)
  await known(ground)
  done(await there.studio('PUT', '/setup/v3/approvals', { required: 1 }))

  await test.step('import', async () => {
    await go('/c/config_set/vat_rate?import')
    await page.getByLabel('File to import').setInputFiles(table)
    await column(page, 'territory').selectOption('territory_codes')
    await page.getByLabel('Number of keys in a cell').selectOption({ label: 'several, one per line' })
    await column(page, 'Currency').selectOption('currency_code')
    await column(page, 'End').selectOption('stop_date')
    await page.getByLabel('it is the first day on which the row no longer applies').check()
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect(page.getByRole('status').filter({ hasText: '331 added' })).toBeVisible()
    await page.getByRole('button', { name: 'Save 331 drafts' }).click()
    await expect(page.getByRole('grid', { name: 'Entries' })).toBeVisible()
  })

  await test.step('27 findings, fixed with clicks on the timeline', async () => {
    const problems = page.getByText('27 errors')
    await expect(problems).toBeVisible()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    const filter = page.getByPlaceholder('Filter entries')
    const look = async (key: string): Promise<void> => {
      await filter.fill(key)
      await page.getByRole('gridcell', { name: key, exact: true }).first().click()
    }
    await look('CH')
    await expect(timeline.getByText('No value on 31 Dec 2017')).toBeVisible()
    await timeline.getByRole('button', { name: /^Extend 0.0800 to 31 Dec 2017/ }).click()
    await expect(page.getByText('26 errors')).toBeVisible()
    await look('HR')
    await timeline.getByRole('button', { name: 'Fix all like this, 3 keys' }).click()
    await expect(page.getByText('22 errors')).toBeVisible()
    await look('GR-81')
    await timeline.getByRole('button', { name: 'Fix all like this, 22 keys' }).click()
    await expect(page.getByText('No findings in the active generation')).toBeVisible()
    await expect(page.locator('.sheet-foot')).not.toContainText('Not saved yet')
  })

  await test.step('reviewed in words, and applied', async () => {
    await go('/changes')
    const austria = page.locator('.chg', { hasText: 'VAT rate by territory, AT, org' })
    await expect(austria.first()).toContainText(/0\.1600, EUR.*from 1 Jan 1973/)
    await page.getByRole('textbox', { name: 'Rationale' }).fill('The VAT table')
    await page.getByRole('button', { name: 'Apply 331 changes' }).click()
    await expect(page.getByText(/Generation 3 is active/)).toBeVisible()
  })

  const link = await test.step('pushed to the remote, which requires an approval', async () => {
    await go('/deploy/there')
    await expect(
      page.getByText('333 of 333 rows ticked').or(page.getByText('300 of 333 rows ticked')),
    ).toBeVisible()
    await page.getByLabel('Title of the change request').fill('The VAT table')
    await page.getByRole('button', { name: 'Validate on the remote' }).click()
    await page.getByRole('button', { name: 'Ask for approval' }).click()
    await expect(page.getByText('0 of 1 approval on the remote.')).toBeVisible()
    const found = page.getByRole('link', { name: 'Open the change request on the remote' })
    return (await found.getAttribute('href'))!
  })

  await test.step('approved there by another user', async () => {
    const context = await browser.newContext()
    const other = await context.newPage()
    const address = new URL(link)
    // The relay is only between the servers; a user there uses the URL of the server.
    await other.goto(there.url + address.pathname)
    await other.getByLabel('User').fill('ben')
    await other.getByLabel('Password', { exact: true }).fill(password)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await expect(other.getByRole('heading', { name: 'The VAT table' })).toBeVisible()
    await other.getByRole('button', { name: /^Approve$/ }).click()
    await expect(other.getByRole('button', { name: 'Approved by you' })).toBeVisible()
    await context.close()
  })

  await test.step('applied there, and rolled back', async () => {
    await page.getByRole('button', { name: 'Apply on the remote' }).click()
    await expect(page.getByText('Generation 2 is active on the remote: 333 changes.')).toBeVisible()
    const resolved = await there.studio<{ values: { rate: string } }>('POST', '/setup/v3/resolve', {
      set: 'vat_rate',
      key: 'DE',
      asOf: '2020-08-01',
    })
    expect(resolved.body.values.rate).toBe('0.1600')
    // Removes the required approval, as if the users there had approved the rollback.
    await there.beside(({ org }) =>
      org.write((transactor) => transactor.settings.put('approvals', { required: 0 })),
    )
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Restore 1…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Review the restore' }).click()
    await page.getByRole('button', { name: 'Restore, with 333 changes' }).click()
    await expect(page.getByText('Generation 3 is active on the remote: 333 changes.')).toBeVisible()
    expect(await activeOf(there.studio)).toBe(3)
  })
})
