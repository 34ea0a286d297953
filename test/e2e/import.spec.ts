// The import dialog with a file from an office: every question is answered in the dialog, and nothing is lost on the
// way.
import type { Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

const latin1 = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')

async function openImport(studio: Studio, lines: readonly string[]): Promise<Page> {
  const { page } = studio
  await layGround(studio)
  for (const slug of ['hr_2012_03_01', 'hr_2023_01_01'])
    await studio.call('DELETE', `/setup/v3/drafts/config_entry/vat_rate.${slug}`)
  await page.goto(`${studio.url}/c/config_set/vat_rate?import`)
  await page.getByLabel('File to import').setInputFiles({
    name: 'Sätze 2027.csv',
    mimeType: 'text/csv',
    buffer: latin1(lines),
  })
  await expect(page.getByRole('region', { name: 'Columns' })).toBeVisible()
  return page
}

const valuesOf = async ({ call }: Studio): Promise<Record<string, unknown>> => {
  const { drafts } = await call<{ drafts: { id: string; text: string }[] }>('GET', '/setup/v3/drafts')
  return Object.fromEntries(
    drafts.map(({ id, text }) => {
      const { key, effectiveFrom, effectiveTo, values } = (
        JSON.parse(text) as { body: Record<string, Record<string, string>> }
      ).body
      return [id.replace('config_entry/vat_rate.', ''), [key, effectiveFrom, effectiveTo, values!['rate']]]
    }),
  )
}

test('a Latin-1 file with a title line, semicolons and German dates is imported without leaving the dialog', async ({
  studio,
}) => {
  const page = await openImport(studio, [
    'Umsatzsteuersätze, Stand 1. November 2026;;;',
    ';;;',
    'Land;Regelsatz;gültig ab;Bemerkung',
    'DE;21,00;01.07.2027;für Österreich unverändert',
    'DE;22,00;01.01.2028;',
    'FR;20,50;01.01.2027;',
    ';;;',
  ])
  const columns = page.getByRole('region', { name: 'Columns' })
  await expect(columns).toContainText('3 rows')
  await expect(columns).toContainText('Line 3 is the header row.')
  await expect(columns.getByRole('columnheader', { name: 'gültig ab' })).toBeVisible()
  await columns.getByLabel('windows-1252', { exact: true }).check()
  await columns.getByLabel('Column for territory').selectOption('Land')
  await columns.getByLabel('Column for Rate').selectOption('Regelsatz')
  await expect(columns.getByLabel('Date format of First day')).toHaveValue('DD.MM.YYYY')
  await columns.getByLabel('each row ends where the next begins').check()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Preview' }).click()

  // 21 for 0.19: the file has per cent without a percent sign.
  const preview = page.getByRole('region', { name: 'Review' })
  const unusual = preview.getByRole('region', { name: 'Numbers that look unusual' })
  await expect(unusual).toContainText('rate is 100 times as large as the current value of the set')
  await unusual.getByRole('button', { name: 'Read them as percentages' }).click()
  await expect(unusual).toHaveCount(0)
  await preview.getByLabel(/Fix/).first().selectOption('end_earlier')
  await expect(preview).toContainText('Fixed: End')
  await page.getByRole('button', { name: /Save \d+ drafts/ }).click()
  await expect(page.locator('.sheet-foot')).toContainText('entries')
  expect(await valuesOf(studio)).toMatchObject({
    de_2027_07_01: ['DE', '2027-07-01', '2028-01-01', '0.2100'],
    de_2028_01_01: ['DE', '2028-01-01', null, '0.2200'],
    fr_2027_01_01: ['FR', '2027-01-01', null, '0.2050'],
  })
})

test('another line can be chosen as the header, or none', async ({ studio }) => {
  const page = await openImport(studio, [
    'territory;first day;rate',
    'Land;gültig ab;Satz',
    'DE;01.07.2027;0,21',
  ])
  const columns = page.getByRole('region', { name: 'Columns' })
  await expect(columns).toContainText('Line 1 is the header row.')
  await columns.getByRole('button', { name: 'Use line 2 as header row' }).click()
  await expect(columns).toContainText('Line 2 is the header row.')
  await expect(columns.getByLabel('Column for Rate')).toContainText('Satz')
  await expect(columns).toContainText('1 row')
  await columns.getByRole('button', { name: 'choose no header row' }).click()
  await expect(columns).toContainText('No header row.')
  await expect(columns.getByLabel('Column for Rate')).toContainText('Column 3')
})
