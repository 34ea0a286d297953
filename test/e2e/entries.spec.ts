// The sheet of entries and its timeline: typed, pasted, filled, undone, fixed and saved, with keys alone and with the
// mouse.
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

const sheet = (page: Page): Locator => page.getByRole('grid', { name: 'Entries' })
/** A cell by the position of its row and the title of its column. */
async function cell(page: Page, row: number, title: string): Promise<Locator> {
  const column = await page.getByRole('columnheader', { name: title }).getAttribute('aria-colindex')
  return page.locator(`[aria-rowindex="${row + 1}"] > [aria-colindex="${column}"]`)
}
const foot = (page: Page): Locator => page.locator('.sheet-foot')
const expectSaved = (page: Page): Promise<void> =>
  expect(page.locator('.sheet-foot')).not.toContainText('Not saved yet')

interface DraftRow {
  id: string
  text: string | null
  version: number
}
const drafts = async ({ call }: Studio): Promise<Map<string, string | null>> => {
  const { drafts: rows } = await call<{ drafts: DraftRow[] }>('GET', '/setup/v3/drafts')
  return new Map(rows.map(({ id, text }) => [id.replace('config_entry/vat_rate.', ''), text]))
}
const bodyOf = (text: string | null | undefined): Record<string, unknown> =>
  (JSON.parse(text ?? '{}') as { body: Record<string, unknown> }).body

async function openRates(studio: Studio): Promise<Page> {
  await layGround(studio)
  // Croatia's two rows are drafts of the fixture; here only Germany is needed.
  for (const slug of ['hr_2012_03_01', 'hr_2023_01_01'])
    await studio.call('DELETE', `/setup/v3/drafts/config_entry/vat_rate.${slug}`)
  await studio.page.goto(`${studio.url}/c/config_set/vat_rate`)
  await expect(sheet(studio.page).getByRole('row')).toHaveCount(6)
  await sheet(studio.page).focus()
  return studio.page
}

async function paste(page: Page, text: string): Promise<void> {
  await sheet(page).evaluate((grid, block) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', block)
    grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

/** What Ctrl+C puts on the clipboard. */
const copied = (page: Page): Promise<string> =>
  sheet(page).evaluate((grid) => {
    const clipboardData = new DataTransfer()
    grid.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return clipboardData.getData('text/plain')
  })

test('cells are typed as in a spreadsheet, saved as typed, and undone', async ({ studio }) => {
  const page = await openRates(studio)
  // From territory to rate; a decimal comma is accepted, with a notice.
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('0,21')
  await expect(page.getByRole('textbox', { name: 'Rate, row 1' })).toHaveValue('0,21')
  await page.keyboard.press('Enter')
  await expect(await cell(page, 1, 'Rate')).toHaveText('0.2100')
  await expect(foot(page)).toContainText('0,21 read as 0.21')
  await expect(page.locator('[aria-rowindex="2"]')).toContainText('was 0.1900')
  // Enter moved one row down. A percent sign is not a number: it stays as typed, and the cell reports it.
  await page.keyboard.type('16 %')
  await page.keyboard.press('Tab')
  const wrong = await cell(page, 2, 'Rate')
  await expect(wrong).toHaveText('16 %')
  await expect(wrong).toHaveAttribute('aria-invalid', 'true')
  await expect(wrong).toHaveAttribute('title', /Write 0.16 instead/)
  await expect
    .poll(async () => bodyOf((await drafts(studio)).get('de_2020_07_01')))
    .toMatchObject({ values: { rate: '16 %' } })
  // F2 opens the current text, Escape leaves it.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('F2')
  await expect(page.getByRole('textbox', { name: 'Rate, row 2' })).toHaveValue('16 %')
  await page.keyboard.type('99')
  await page.keyboard.press('Escape')
  await expect(wrong).toHaveText('16 %')
  // Each step is undone separately, and redone.
  await page.keyboard.press('Control+z')
  await expect(wrong).toHaveText('0.1600')
  await page.keyboard.press('Control+z')
  await expect(await cell(page, 1, 'Rate')).toHaveText('0.1900')
  await expect.poll(async () => (await drafts(studio)).size).toBe(0)
  await page.keyboard.press('Control+y')
  await expect
    .poll(async () => bodyOf((await drafts(studio)).get('de_2021_01_01')))
    .toMatchObject({ values: { rate: '0.21' } })
  // The window that opens next has the same cell selected, over the same drafts.
  await page.reload()
  await expect(await cell(page, 1, 'Rate')).toHaveText('0.2100')
  await expect(page.locator('.sheet-foot')).toContainText('Row 1, rate')
})

test('a block from a spreadsheet is one step; invalid cells are marked and reported, the others saved', async ({
  studio,
}) => {
  const page = await openRates(studio)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await paste(
    page,
    'HR\t0,25\torg\t01.01.2023\t\r\nHR\t25 %\torg\t2012-03-01\t2022-12-31\r\n"HR"\t0.23\torg\t2009-08-01\t2012-02-29\r\n',
  )
  await expect(foot(page)).toContainText(
    '3 × 5 pasted; 3 rows added; “25 %” is not valid in Rate: kept as typed and marked',
  )
  await expect(await cell(page, 5, 'From')).toHaveText('2023-01-01')
  await expect(await cell(page, 6, 'Rate')).toHaveAttribute('aria-invalid', 'true')
  await expect
    .poll(async () => [...(await drafts(studio)).keys()].sort())
    .toEqual(['hr_2009_08_01', 'hr_2012_03_01', 'hr_2023_01_01'])
  expect(bodyOf((await drafts(studio)).get('hr_2012_03_01'))).toEqual({
    set: 'vat_rate',
    key: 'HR',
    scope: { kind: 'org' },
    effectiveFrom: '2012-03-01',
    effectiveTo: '2023-01-01',
    values: { rate: '25 %' },
  })
  // The pasted block is selected, and is copied as it was pasted, with an empty end for an open row.
  expect(await copied(page)).toBe(
    'HR\t0.2500\torg\t2023-01-01\t\nHR\t25 %\torg\t2012-03-01\t2022-12-31\nHR\t0.2300\torg\t2009-08-01\t2012-02-29',
  )
  await page.getByRole('button', { name: 'Undo paste' }).click()
  await expect(sheet(page).getByRole('row')).toHaveCount(6)
  await expect.poll(async () => (await drafts(studio)).size).toBe(0)
})

test('rows are filled, changed, duplicated, added and removed with keys alone', async ({ studio }) => {
  const page = await openRates(studio)
  const rate = (row: number): Promise<Locator> => cell(page, row, 'Rate')
  // Fill down over a range selected with Shift.
  await page.keyboard.press('ArrowRight')
  for (const _ of [1, 2]) await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Control+d')
  await expect(await rate(3)).toHaveText('0.1900')
  await expect(foot(page)).toContainText('1 cell filled')
  // A change to all selected cells: two per cent more, exactly, each rounded to the field's scale.
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Change selected cells' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change selected cells' })
  await dialog.getByLabel('Percentage').fill('2.5')
  await expect(dialog.getByRole('status')).toContainText('3 cells will change; 3 rounded')
  await expect(dialog.getByRole('table')).toContainText('0.1948')
  await dialog.getByLabel('Percentage').press('Enter')
  await expect(await rate(1)).toHaveText('0.1948')
  // Cleared: the cell of a required value reports that it is missing.
  await sheet(page).focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Delete')
  await expect(await rate(1)).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Control+z')
  // A duplicated row gets a new name; a removed row is struck through until it is applied.
  await page.keyboard.press('Control+Shift+d')
  await expect(sheet(page).getByRole('row')).toHaveCount(7)
  await expect.poll(async () => [...(await drafts(studio)).keys()]).toContain('de_2021_01_01_2')
  await page.keyboard.press('Control+-')
  await expect(sheet(page).getByRole('row')).toHaveCount(6)
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Control+-')
  await expect(page.locator('[aria-rowindex="2"]')).toContainText('to be removed')
  await expect.poll(async () => (await drafts(studio)).get('de_2021_01_01')).toBeNull()
  // Typing in the last line starts a row, which gets its name from the typed values.
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('FR')
  await page.keyboard.press('Tab')
  await page.keyboard.type('0.2')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2014-01-01')
  await page.keyboard.press('Enter')
  await expect.poll(async () => [...(await drafts(studio)).keys()]).toContain('fr_2014_01_01')
  expect([...(await drafts(studio)).keys()].filter((slug) => slug.startsWith('fr'))).toEqual([
    'fr_2014_01_01',
  ])
})

test('rows are sorted, filtered and found', async ({ studio }) => {
  const page = await openRates(studio)
  const first = (): Promise<Locator> => cell(page, 1, 'From')
  // From the first row up to the headings, with keys.
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('columnheader', { name: 'territory' })).toBeFocused()
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('columnheader', { name: 'From' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(await first()).toHaveText('1998-04-01')
  await page.keyboard.press('Enter')
  await expect(await first()).toHaveText('2021-01-01')
  await page.keyboard.press('Alt+ArrowDown')
  const filter = page.getByRole('dialog', { name: 'Filter From' })
  await filter.getByLabel('At most').fill('2010-01-01')
  await page.keyboard.press('Enter')
  await expect(foot(page)).toContainText('2 of 4 entries')
  await page.getByRole('button', { name: 'Remove filter on from' }).click()
  await expect(foot(page)).toContainText('4 entries')
  await page.getByPlaceholder('Filter entries').fill('0.16 1998')
  await expect(foot(page)).toContainText('1 of 4 entries')
  await page.getByPlaceholder('Filter entries').fill('nothing like it')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(foot(page)).toContainText('4 entries')
  // A hidden column is shown, and stays visible.
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Label' }).click()
  await page.keyboard.press('Escape')
  await expect(await cell(page, 2, 'Label')).not.toBeEmpty()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Label' })).toBeVisible()
})

test('ranges are stepped and dragged, and a gap is closed with one press', async ({ studio }) => {
  const page = await openRates(studio)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  const bar = (words: RegExp): Locator => timeline.getByRole('button', { name: words })
  // One day later, with keys: the next row starts a day later too.
  await bar(/from 1 Jul 2020/).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(bar(/from 1 Jul 2020, last day 1 Jan 2021/)).toBeVisible()
  await expect(bar(/from 2 Jan 2021, open/)).toBeVisible()
  await expect
    .poll(async () => [...(await drafts(studio)).keys()].sort())
    .toEqual(['de_2020_07_01', 'de_2021_01_01'])
  await page.keyboard.press('Control+z')
  await expect(bar(/last day 31 Dec 2020/)).toBeVisible()

  // A last day typed too early leaves a gap, which is highlighted and reported day by day.
  await sheet(page).focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.type('2020-12-30')
  await page.keyboard.press('Enter')
  await expect(timeline.getByRole('status').first()).toContainText('No value on 31 Dec 2020')
  await expect(timeline.getByRole('button', { name: /No value on 31 Dec 2020/ })).toBeVisible()
  await timeline.getByRole('button', { name: /^Extend / }).click()
  await expect(timeline.getByText('No value on 31 Dec 2020')).toBeHidden()
  await expect(await cell(page, 2, 'Last day')).toHaveText('2020-12-31')
  await expect.poll(async () => (await drafts(studio)).size).toBe(0)

  // Dragged with the pointer: the end moves, and the neighbour with it.
  const held = bar(/from 1 Jul 2020/)
  const box = (await held.boundingBox())!
  await page.mouse.move(box.x + box.width - 2, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width + 60, box.y + 8, { steps: 6 })
  await page.mouse.up()
  await expect(foot(page)).toContainText('Dragged; draft saved')
  await expect.poll(async () => (await drafts(studio)).size).toBe(2)
  const moved = await drafts(studio)
  expect(bodyOf(moved.get('de_2020_07_01'))['effectiveTo']).toBe(
    bodyOf(moved.get('de_2021_01_01'))['effectiveFrom'],
  )
  // The value that resolves on the selected day is shown next to it.
  await page.getByLabel('As of').fill('2019-05-01')
  await expect(timeline.getByText('everyone 0.1900')).toBeVisible()
})

test('a new value ends the current row, as one step', async ({ studio }) => {
  const page = await openRates(studio)
  await page.getByRole('button', { name: 'New value from' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First day').fill('2027-01-01')
  await dialog.getByLabel('Rate').fill('0.21')
  await expect(dialog.getByRole('status')).toContainText('The current row ends on 31 Dec 2026')
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  await expect
    .poll(async () => [...(await drafts(studio)).keys()].sort())
    .toEqual(['de_2021_01_01', 'de_2027_01_01'])
  await sheet(page).focus()
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await drafts(studio)).size).toBe(0)
})

test('a new value of another key starts with the values of that key, and shows old and new', async ({
  studio,
}) => {
  const page = await openRates(studio)
  const fr = { key: 'FR', from: '2014-01-01', rate: '0.2000' }
  await studio.call('POST', '/metadata/v3/apply', {
    components: [
      {
        type: 'config_entry',
        key: 'vat_rate.fr_2014_01_01',
        label: 'FR',
        body: {
          set: 'vat_rate',
          key: fr.key,
          scope: { kind: 'org' },
          effectiveFrom: fr.from,
          effectiveTo: null,
          values: { rate: fr.rate },
        },
      },
    ],
    rationale: 'France',
  })
  await expect(page.getByRole('row', { name: 'FR 0.2000' })).toBeVisible()
  await (await cell(page, 1, 'Rate')).click()
  await page.getByRole('button', { name: 'New value from' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Rate')).toHaveValue('0.1900')
  await dialog.getByLabel('territory').fill('FR')
  await expect(dialog.getByLabel('Rate')).toHaveValue('0.2000')
  await expect(dialog).toContainText('Filled with the values of FR, org')
  await dialog.getByLabel('First day').fill('1.1.2027')
  await dialog.getByLabel('Rate').fill('0.205')
  await expect(dialog).toContainText('0.2000 → 0.2050')
  await page.keyboard.press('Escape')
  // Two keys at once: each starts with its own value.
  await (await cell(page, 1, 'Rate')).click()
  await (await cell(page, 5, 'Rate')).click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: 'New value from' }).click()
  const many = page.getByRole('dialog', { name: 'New value for 2 keys' })
  await many.getByLabel('First day').fill('2027-01-01')
  await many.getByLabel('Change', { exact: true }).fill('10')
  await expect(many.getByRole('row', { name: 'DE 0.1900 → 0.2090 no end' })).toBeVisible()
  await expect(many.getByRole('row', { name: 'FR 0.2000 → 0.2200 no end' })).toBeVisible()
  await many.getByRole('button', { name: 'Draft 2 keys' }).click()
  await expect
    .poll(async () => [...(await drafts(studio)).keys()].sort())
    .toEqual(['de_2021_01_01', 'de_2027_01_01', 'fr_2014_01_01', 'fr_2027_01_01'])
  expect(bodyOf((await drafts(studio)).get('fr_2027_01_01'))).toMatchObject({ values: { rate: '0.2200' } })
})

test('a row that another user drafted in the meantime is reported with both sides, and neither is lost', async ({
  studio,
}) => {
  const page = await openRates(studio)
  // The event of the other draft does not arrive before mine is typed.
  await page.route('**/entry-drafts', (route) => route.abort())
  const id = 'config_entry/vat_rate.de_2021_01_01'
  const { text } = await studio.call<{ text: string }>('GET', `/metadata/v3/components/${id}`)
  await studio.call('PUT', `/setup/v3/drafts/${id}`, { text: text.replace('0.1900', '0.3000'), version: 0 })
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('0.2')
  await page.keyboard.press('Enter')
  await page.keyboard.type('0.17')
  await page.keyboard.press('Enter')
  await page.unroute('**/entry-drafts')
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'drafted by you in another window in the meantime' })
  await expect(notice).toContainText('1 row was drafted')
  // The row, the inspector and the dock agree.
  await expect(sheet(page).getByRole('row').filter({ hasText: 'overtaken' })).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'About this component' })).toContainText('Findings 1')
  await expect(page.getByRole('tab', { name: 'Findings 1' })).toBeVisible()
  await notice.getByRole('button', { name: 'Compare' }).click()
  await expect(notice.getByRole('row', { name: /Rate 0.2000 0.3000/ })).toBeVisible()
  // The other row was saved nevertheless.
  await expect
    .poll(async () => bodyOf((await drafts(studio)).get('de_2020_07_01')))
    .toMatchObject({ values: { rate: '0.17' } })
  await notice.getByRole('button', { name: 'Keep mine' }).first().click()
  await expect(notice).toBeHidden()
  await expect
    .poll(async () => bodyOf((await drafts(studio)).get('de_2021_01_01')))
    .toMatchObject({ values: { rate: '0.2' } })
})

test('what is typed while the server is down waits, survives the window, and is saved', async ({
  studio,
}) => {
  const page = await openRates(studio)
  const away = '**/setup/v3/drafts'
  await page
    .context()
    .route(away, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('0.2')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved yet' })).toContainText(
    'The server is not responding',
  )
  expect((await drafts(studio)).size).toBe(0)
  // The window closes; another one continues with its unsaved edits.
  const other = await page.context().newPage()
  await page.goto('about:blank')
  await page.context().unroute(away)
  await other.goto(`${studio.url}/c/config_set/vat_rate`)
  await expect(await cell(other, 1, 'Rate')).toHaveText('0.2000')
  await expect
    .poll(async () => bodyOf((await drafts(studio)).get('de_2021_01_01')))
    .toMatchObject({ values: { rate: '0.2' } })
  await expectSaved(other)
  await other.close()
})

test('a file is mapped, previewed as a diff, and saved; rejected rows are reported by line', async ({
  studio,
}) => {
  const page = await openRates(studio)
  // As a German office saves a spreadsheet: Latin-1, semicolons, decimal commas, per cent, the last day included.
  const lines = [
    'Länd;Satz;gültig ab;gültig bis',
    'DE;21,00 %;01.01.2021;',
    'FR;20,00 %;01.01.2014;31.12.2025',
    'FR;21,00 %;02.01.2026;',
    'IT;zweiundzwanzig;01.10.2013;',
  ]
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page).toHaveURL(/import/)
  await page.getByLabel('File to import').setInputFiles({
    name: 'sätze.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1'),
  })
  const columns = page.getByRole('region', { name: 'Columns' })
  await expect(columns.getByRole('group', { name: /Does its text look right/ })).toBeVisible()
  await expect(columns.getByLabel('encoding')).toHaveValue('windows-1252')
  await expect(columns.getByRole('columnheader', { name: 'Länd' })).toBeVisible()
  await columns.getByLabel('Column for territory').selectOption('Länd')
  await columns.getByLabel('Column for Rate').selectOption('Satz')
  await expect(columns.getByLabel('Unit of Rate')).toHaveValue('0.01')
  // What the file leaves open is asked, and blocks the preview until it is answered.
  const go = page.getByRole('button', { name: 'Preview' })
  await expect(go).toBeDisabled()
  await columns.getByLabel('it is the last day on which the row applies').check()
  await go.click()
  const preview = page.getByRole('region', { name: 'Review' })
  await expect(preview.getByRole('status')).toContainText('2 added1 changed0 unchanged1 row not imported')
  await expect(preview).toContainText('Line 5 of sätze.csv, column Satz: "zweiundzwanzig" is not a number')
  await expect(preview.getByRole('listitem').filter({ hasText: 'VAT rate by territory, DE' })).toContainText(
    '0.2100',
  )
  // A gap in the file is fixed with a choice, before anything is saved.
  await expect(preview).toContainText('has no value on 1 Jan 2026')
  await preview.getByLabel(/Fix it/).selectOption('extend_earlier')
  await expect(preview).toContainText('Fixed: Extend vat_rate.fr_2014_01_01 to 1 Jan 2026')
  await expect(preview).not.toContainText('has no value on 1 Jan 2026')
  expect((await drafts(studio)).size).toBe(0)
  await page.getByRole('button', { name: 'Save 3 drafts' }).click()
  await expect(foot(page)).toContainText('3 of 6 entries')
  expect([...(await drafts(studio)).keys()].sort()).toEqual([
    'de_2021_01_01',
    'fr_2014_01_01',
    'fr_2026_01_02',
  ])
  expect(bodyOf((await drafts(studio)).get('fr_2014_01_01'))).toMatchObject({
    effectiveTo: '2026-01-02',
    values: { rate: '0.2000' },
  })
})

test('a file that is not a table is refused with a clear message, and rows are exported as a file', async ({
  studio,
}) => {
  const page = await openRates(studio)
  await page.goto(`${studio.url}/c/config_set/vat_rate?import`)
  const pdf = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n1 0 obj')
  await page
    .getByLabel('File to import')
    .setInputFiles({ name: 'rates.pdf', mimeType: 'application/pdf', buffer: pdf })
  await expect(page.getByRole('alert').filter({ hasText: 'PDF' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel import' }).click()
  await sheet(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('0.2')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: '4 selected rows as CSV, with drafts' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('vat_rate-4-rows.csv')
  const text = (await (await file.createReadStream()).toArray()).join('')
  expect(text.split('\r\n')[1]).toMatch(/^DE,org,2021-01-01,,0\.2/)
  await page.getByRole('button', { name: 'Export' }).click()
  const whole = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Set for Excel' }).click()
  expect((await whole).suggestedFilename()).toMatch(/^vat_rate-generation-\d+\.xlsx$/)
})

test('a set is shaped: fields in a grid, a scope chain that explains its kinds, a date field', async ({
  studio,
}) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/c/config_set/vat_rate?view=form`)
  const form = page.getByRole('region', { name: 'Form' })
  const fields = form.getByRole('group', { name: 'Fields', exact: true })
  await fields.getByRole('button', { name: 'Add', exact: true }).click()
  await fields.getByLabel('Key').last().fill('currency')
  await fields.getByLabel('Type').last().selectOption('enum')
  await fields.getByRole('combobox', { name: 'Value set' }).last().fill('currency')
  await fields.getByRole('button', { name: 'More of currency' }).click()
  await fields.getByLabel('Label').fill('Currency')
  await fields.getByRole('button', { name: 'Move up' }).click()
  await expect(fields.getByLabel('Key').first()).toHaveValue('currency')

  const chain = form.getByRole('group', { name: 'Scope chain', exact: true })
  await form.getByRole('button', { name: 'permission set' }).click()
  await expect(chain.getByRole('button')).toHaveText(['permission setviewer-dependent', 'orgbinding-stable'])
  await expect(form.getByText('no stored formula or roll-up can read the set')).toBeVisible()

  const date = form.locator('[data-pointer="/body/asOfField"]')
  await expect(date).toContainText('Tax point of Invoice, a date')
  await date.getByRole('combobox').fill('invoice.net')
  await date.getByRole('combobox').press('Enter')
  await expect(date).toContainText('Net of Invoice, of type number')
  await expect
    .poll(async () => {
      const { drafts: rows } = await studio.call<{ drafts: DraftRow[] }>('GET', '/setup/v3/drafts')
      return bodyOf(rows.find(({ id }) => id === 'config_set/vat_rate')?.text)
    })
    .toMatchObject({
      scopes: ['permission_set', 'org'],
      asOfField: ['invoice.tax_point', 'invoice.net'],
      fields: [{ key: 'currency', type: 'enum', valueSet: 'currency', label: 'Currency' }, { key: 'rate' }],
    })
})

test('axe finds nothing while a cell is edited, a filter is open, or a fault is shown', async ({
  studio,
}) => {
  const page = await openRates(studio)
  const clean = async (what: string): Promise<void> => {
    expect(await violations(page), what).toEqual([])
  }
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('2020-12-30')
  await clean('editing a date')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No value on 31 Dec 2020').first()).toBeVisible()
  await clean('a fault')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  await page.getByRole('listbox').waitFor()
  await clean('editing a scope')
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'territory' }).hover()
  await page.getByRole('button', { name: 'Filter territory' }).click()
  await page.getByRole('dialog', { name: 'Filter territory' }).waitFor()
  await clean('a filter')
})

/** Rows of the largest set. */
const many = Number(process.env['ALMANAC_ROWS'] ?? 20_000)
const rangesOfKey = 5

test('very many rows scroll without a blank, and are found, sorted and edited', async ({ studio }) => {
  test.setTimeout(240_000)
  const { page } = studio
  await layThousands(studio)
  const entries = `${many.toLocaleString('en')} entries`
  const lastKey = many / rangesOfKey - 1
  await page.goto(`${studio.url}/c/config_set/tariff`)
  await expect(foot(page)).toContainText(entries)
  const blanks = await sheet(page).evaluate(async (host) => {
    const blankRows: number[] = []
    for (let jump = 0; jump < 60; jump += 1) {
      host.scrollTop = ((jump * 7919) % 101) * ((host.scrollHeight - host.clientHeight) / 100)
      await new Promise((drawn) => requestAnimationFrame(drawn))
      // The next paint has a row at every place, and the right one.
      const box = host.getBoundingClientRect()
      for (let y = box.top + 40; y < box.bottom - 30; y += 28) {
        const row = document.elementFromPoint(box.left + 120, y)?.closest('[role=row]')
        const rowIndex = Math.floor((y - box.top - 26 + host.scrollTop) / 28) + 2
        if (
          Number(row?.getAttribute('aria-rowindex')) !== rowIndex ||
          !row?.querySelector('[role=gridcell]')?.textContent
        )
          blankRows.push(rowIndex)
      }
    }
    return blankRows
  })
  expect(blanks).toEqual([])
  await sheet(page).focus()
  await page.keyboard.press('Control+End')
  await expect(await cell(page, many, 'code')).toHaveText(nameOfKey(lastKey))
  await page.keyboard.press('Control+ArrowUp')
  await expect(foot(page)).toContainText('Row 1,')
  await page.getByPlaceholder('Filter entries').fill(nameOfKey(1234))
  await expect(foot(page)).toContainText(`${rangesOfKey} of ${entries}`)
  await page.getByPlaceholder('Filter entries').fill('')
  await expect(foot(page)).toContainText(entries)
  for (const way of ['ascending', 'descending']) {
    await page.getByRole('columnheader', { name: 'rate' }).click()
    await expect(page.getByRole('columnheader', { name: 'rate' })).toHaveAttribute('aria-sort', way)
  }
  await sheet(page).focus()
  await page.keyboard.press('Control+Home')
  await expect(await cell(page, 1, 'rate')).toHaveText(`${lastKey}.04`)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('7.5')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await studio.call<{ drafts: number }>('GET', '/setup/v3/org')).drafts)
    .toBe(1)
  await expect(await cell(page, 1, 'rate')).toHaveText('7.50')
})

const nameOfKey = (at: number): string => `key_${String(at).padStart(6, '0')}`

/** Keys with five ranges each, at org. */
async function layThousands({ call }: Studio): Promise<void> {
  const grants = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
  const object = {
    type: 'object',
    key: 'invoice',
    label: 'Invoice',
    body: { fields: [{ key: 'tax_point', type: 'date', label: 'Tax point', required: true }] },
  }
  const body = {
    cardinality: 'keyed',
    keyedBy: { key: 'code', type: 'text' },
    scopes: ['org'],
    effectiveDated: true,
    asOfField: 'invoice.tax_point',
    fields: [{ key: 'rate', type: 'number', precision: 12, scale: 2, required: true }],
    ...grants,
  }
  const entries = Array.from({ length: many }, (_, at) => {
    const [key, range] = [nameOfKey(Math.floor(at / rangesOfKey)), at % rangesOfKey]
    return {
      type: 'config_entry',
      key: `tariff.${key}_${range}`,
      label: key,
      body: {
        set: 'tariff',
        key,
        scope: { kind: 'org' },
        effectiveFrom: `200${range}-01-01`,
        effectiveTo: range === 4 ? null : `200${range + 1}-01-01`,
        values: { rate: `${Math.floor(at / rangesOfKey)}.0${range}` },
      },
    }
  })
  const set = { type: 'config_set', key: 'tariff', label: 'Tariff', body }
  await call('POST', '/metadata/v3/apply', { components: [object, set, ...entries], rationale: 'Many rows' })
}
