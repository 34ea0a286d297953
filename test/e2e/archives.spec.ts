// Archived values: a job archives those of a list, and the page of archives exports and removes them.
import { readFileSync } from 'node:fs'
import { verifyBundle } from '../../server/kernel/evidence/index.ts'
import { violations } from './support/axe.ts'
import { layOrders, rate } from './support/orders.ts'
import { expect, test } from './support/test.ts'

test('the values of a list are archived, their evidence is exported, and the archive is removed after a confirmation', async ({
  studio,
}) => {
  test.setTimeout(120_000)
  const { page, call } = studio
  await layOrders(studio, 3)
  await call('POST', '/metadata/v3/apply', {
    components: [rate('high', '2021-01-01', null, '0.2500')],
    rationale: 'A new rate',
  })
  await page.goto(`${studio.url}/archives`)
  await expect(page.getByText('You have no archives.')).toBeVisible()
  await page.goto(`${studio.url}/records/order`)
  await page.getByRole('button', { name: 'Recompute…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Only records with values from earlier generations' }).check()
  await dialog.getByRole('checkbox', { name: 'Archive the evidence of these values instead' }).check()
  await expect(dialog).toContainText('This cannot be undone.')
  await dialog.getByRole('button', { name: 'Archive the evidence' }).click()
  await expect(page.getByText('3 records processed: 3 archived, 0 failed.')).toBeVisible()
  await page.getByRole('link', { name: 'Show all archives' }).click()

  const archives = page.getByRole('region', { name: 'Archives' })
  await expect(archives.getByRole('row', { name: /^Order Duty 3 .* Administrator/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await expect(page.getByRole('button', { name: 'Close Archived values' })).toBeVisible()
  const download = page.waitForEvent('download')
  await archives.getByRole('link', { name: 'Export 3 values of Order' }).click()
  const bundles = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\n')
  expect(bundles.map((bundle) => verifyBundle(`${bundle}\n`).ok)).toEqual([true, true, true])

  await page.getByRole('combobox', { name: 'Object' }).selectOption({ label: 'Order' })
  await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'Duty' })
  await expect(page).toHaveURL(/\/archives\?object=order&field=duty$/)
  await page.goto(`${studio.url}/archives?object=order&field=net`)
  await expect(page.getByText('No archive matches the filter.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'All' })

  await archives.getByRole('button', { name: 'Remove 3 values of Order' }).click()
  await expect(dialog).toContainText('The evidence of 3 values of Order (Duty) is deleted.')
  await expect(dialog).toContainText('can no longer be proved')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(archives.getByRole('row')).toHaveCount(2)
  await archives.getByRole('button', { name: 'Remove 3 values of Order' }).click()
  await dialog.getByRole('button', { name: 'Remove the archive' }).click()
  await expect(page.getByText('You have no archives.')).toBeVisible()
  expect(await call('GET', '/setup/v3/archives')).toEqual({ archives: [], nextCursor: null })
})
