// Form only, form and JSON, JSON only; dates as people write them, with a calendar.
import { layGround } from './support/ground.ts'
import { expect, testInOwnPage as test } from './support/test.ts'
import { visit } from './support/visit.ts'

test.use({ locale: 'en-GB' })

test('a component is shown as form, as form and JSON, or as JSON, and the choice is remembered', async ({
  studio,
}) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/c/object/invoice`)
  const views = page.getByRole('group', { name: 'View' })
  const form = page.getByRole('region', { name: 'Form of invoice' })
  const json = page.locator('.monaco-editor').last()
  await expect(form).toBeVisible()
  await expect(json).toBeHidden()
  await expect(views.getByRole('button', { name: 'Form', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  // The form alone has the full width, and its undo works without the JSON next to it.
  expect((await form.boundingBox())!.width).toBeGreaterThan(700)
  await page.locator('.view-line').first().waitFor({ state: 'attached' })
  await form.getByLabel('Label').first().fill('Bill')
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(form.getByLabel('Label').first()).toHaveValue('Invoice')
  await views.getByRole('button', { name: 'Form and JSON' }).click()
  await expect(form).toBeVisible()
  await expect(json).toBeVisible()
  await page.reload()
  await expect(json).toBeVisible()
  await expect(form).toBeVisible()
  await views.getByRole('button', { name: 'JSON', exact: true }).click()
  await expect(form).toBeHidden()
  await visit(page, `${studio.url}/c/value_set/currency`)
  await expect(json).toBeVisible()
  await expect(page.getByRole('region', { name: 'Form of currency' })).toBeHidden()
})

test('a form over incomplete JSON links to the JSON, which is not shown next to it', async ({ studio }) => {
  const { page, call } = studio
  await layGround(studio)
  await call('PUT', '/setup/v3/drafts/value_set/currency', { text: '{ half typed', version: 0 })
  await page.goto(`${studio.url}/c/value_set/currency`)
  // The active values are not shown as those of the draft.
  const form = page.getByRole('region', { name: 'Form of currency' })
  await expect(form).toContainText('The draft cannot be read as JSON at line 1, column 3')
  await expect(form.getByLabel('Label')).toHaveCount(0)
  await page.getByRole('link', { name: 'fix it there' }).click()
  await expect(page.locator('.view-lines')).toContainText('{ half typed')
})

test('the form of an entry shows and accepts its last day; its JSON has the day after', async ({
  studio,
}) => {
  const { page, call } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/c/config_entry/vat_rate.de_2020_07_01`)
  const last = page.getByRole('region', { name: 'Form' }).getByLabel('Last day')
  await expect(last).toHaveValue('2020-12-31')
  await last.fill('30 Nov 2020')
  await expect
    .poll(async () => {
      const { drafts } = await call<{ drafts: { id: string; text: string }[] }>('GET', '/setup/v3/drafts')
      return drafts.find(({ id }) => id === 'config_entry/vat_rate.de_2020_07_01')?.text
    })
    .toContain('"effectiveTo": "2020-12-01"')
  await last.fill('1 Jan 2020')
  const message = 'The last day, 1 Jan 2020, is before the first day, 1 Jul 2020'
  await expect(page.getByText(message).first()).toBeVisible()
})

test('an open list of references shows what was applied in the meantime', async ({ studio }) => {
  const { page, call } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/c/config_set/vat_rate?view=form`)
  const key = page.getByRole('group', { name: 'Business key' })
  await key.getByLabel('Type').selectOption('enum')
  await key.getByRole('combobox', { name: 'Value set' }).click()
  await expect(page.getByRole('option', { name: /currency/ })).toBeVisible()
  const body = { values: [{ key: 'AT', label: 'Austria' }] }
  await call('POST', '/metadata/v3/apply', {
    components: [{ type: 'value_set', key: 'country', label: 'Country', body }],
  })
  await expect(page.getByRole('option', { name: /country/ })).toBeVisible()
})

test('a date is typed as people write it, or picked in the calendar with keys alone', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/c/config_set/vat_rate`)
  await page.locator('[aria-rowindex="2"] > [aria-colindex="2"]').click()
  await page.getByRole('button', { name: 'New value from' }).click()
  const dialog = page.getByRole('dialog', { name: 'New value from' })
  const day = dialog.getByLabel('First day')
  for (const text of ['1.7.2027', '1 Jul 2027', '2027-07-01']) {
    await day.fill(text)
    await expect(dialog.getByRole('status')).toContainText('1 Jul 2027')
  }
  // 07/01/2027 has two readings: the locale decides, and the other one is one press away.
  await day.fill('07/01/2027')
  await expect(dialog.getByRole('status')).toContainText('7 Jan 2027')
  await dialog.getByRole('button', { name: 'Or 1 Jul 2027?' }).click()
  await expect(day).toHaveValue('2027-07-01')
  // The calendar: a month later, a week later, a day later.
  await dialog.getByRole('button', { name: 'Calendar' }).press('Enter')
  const calendar = page.locator('.calendar')
  await expect(calendar.locator('.caltitle')).toHaveText('July 2027')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(day).toHaveValue('2027-07-09')
  await expect(day).toBeFocused()
  await page.keyboard.press('Escape')
  // In a cell: typed in words, picked, and without an end.
  const last = page.locator('[aria-rowindex="2"] > [aria-colindex="6"]')
  await last.dblclick()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('31 Dec 2030')
  await page.keyboard.press('Enter')
  await expect(last).toHaveText('2030-12-31')
  // A day with two readings is asked for, in neutral order, before the cell is written.
  await last.dblclick()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('1/7/2031')
  const days = page.getByRole('listbox', { name: 'Which date is 1/7/2031?' })
  await expect(days.getByRole('option')).toHaveText([/2031-07-01/, /2031-01-07/])
  await page.keyboard.press('Enter')
  await expect(days.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(last).toHaveText('2031-01-07')
  await last.dblclick()
  await page.locator('.sheet-editor').getByRole('button', { name: 'Calendar' }).click()
  await page.getByRole('button', { name: 'No end' }).click()
  await expect(last).toHaveText('open')
})
