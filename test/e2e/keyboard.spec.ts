// Everything that an author and a reviewer do, with the keyboard alone: no pointer, no focus set by the test.
import type { Locator, Page } from '@playwright/test'
import { chooseFormAndJson } from './support/editor-view.ts'
import { layGround } from './support/ground.ts'
import { expect, test } from './support/test.ts'

/** Presses Tab, as a user does, until the target has the focus. Escape leaves controls that keep Tab for themselves. */
async function reach(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  // Finding an element by its name takes longer than all the rest of a step.
  const find = () => target.first().elementHandle({ timeout: 10_000 })
  let element = await find()
  for (let step = 0; step < 150; step += 1) {
    const { isConnected, hasFocus, keepsTab } = await element!.evaluate((wanted) => ({
      isConnected: wanted.isConnected,
      hasFocus: wanted === document.activeElement,
      keepsTab: document.activeElement?.closest('[role="grid"], .monaco-editor') !== null,
    }))
    if (!isConnected) element = await find()
    else if (hasFocus) return
    else {
      if (keepsTab) await page.keyboard.press('Escape')
      await page.keyboard.press(key)
    }
  }
  throw new Error(`150 times ${key} did not reach ${target.toString()}.`)
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await reach(page, target)
  await page.keyboard.press(key)
}

async function write(page: Page, target: Locator, text: string): Promise<void> {
  await reach(page, target)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** Selects from a native list, moving from its first option. */
async function choose(page: Page, target: Locator, value: string): Promise<void> {
  await reach(page, target)
  await page.keyboard.press('Home')
  for (let step = 0; step < 40; step += 1) {
    if ((await target.first().inputValue()) === value) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`${target.toString()} has no ${value}.`)
}

async function begin(page: Page, type: string, key: string, label: string): Promise<void> {
  await page.keyboard.press('Alt+n')
  const dialog = page.getByRole('dialog')
  await press(page, dialog.getByRole('button', { name: new RegExp(`^${type}`) }))
  await write(page, page.getByRole('textbox', { name: 'Key' }), key)
  await write(page, page.getByRole('textbox', { name: 'Label' }), label)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: key })).toBeVisible()
}

async function goTo(page: Page, id: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  const box = page.getByRole('combobox', { name: 'Component or command' })
  await expect(box).toBeFocused()
  await page.keyboard.type(id)
  await expect(page.getByRole('option').first()).toHaveText(new RegExp(`^\\s*${id}(?!\\.)`))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: id })).toBeVisible()
}

test('authoring is done with keys alone, from a new set to its applied entries', async ({ studio }) => {
  test.setTimeout(240_000)
  const { page } = studio
  await chooseFormAndJson(page)
  await layGround(studio)
  for (const slug of ['hr_2012_03_01', 'hr_2023_01_01'])
    await studio.call('DELETE', `/setup/v3/drafts/config_entry/vat_rate.${slug}`)
  await page.goto(studio.url)

  await test.step('a set is shaped', async () => {
    await begin(page, 'configuration set', 'ship_rate', 'Shipping rate')
    const form = page.getByRole('region', { name: 'Form' })
    await choose(page, form.getByLabel('Rows'), 'keyed')
    await write(page, form.getByLabel('Name', { exact: false }), 'zone')
    await choose(page, form.getByRole('group', { name: 'Business key' }).getByLabel('Type'), 'text')
    const fields = form.getByRole('group', { name: 'Fields', exact: true })
    await press(page, fields.getByRole('button', { name: 'Add', exact: true }))
    await write(page, fields.getByLabel('Key'), 'price')
    await choose(page, fields.getByLabel('Type'), 'number')
    await write(page, fields.getByLabel('Digits'), '8')
    await write(page, fields.getByLabel('Decimal places'), '2')
    await press(page, fields.getByRole('checkbox', { name: 'Required' }), 'Space')
    await press(page, form.getByRole('button', { name: 'environment' }))
    const chain = form.getByRole('group', { name: 'Scope chain', exact: true })
    await expect(chain.getByRole('button')).toHaveText([/^environment/, /^org/])
    await page.keyboard.press('ControlOrMeta+s')
    await expect(page.locator('.phead .state')).toHaveText('new draft')
  })

  await test.step('its first entry is written as JSON', async () => {
    await begin(page, 'configuration entry', 'ship_rate.eu', 'EU')
    const form = page.getByRole('region', { name: 'Form' })
    await write(page, form.getByLabel('Business key'), 'EU')
    // The set determines which values an entry has; its fields follow once it has been read.
    await expect(form.getByLabel('price')).toBeVisible()
    await write(page, form.getByLabel('price'), '4,9 %')
    await reach(page, page.getByRole('textbox', { name: /^JSON/ }))
    await page.keyboard.press('ControlOrMeta+f')
    await page.keyboard.type('4,9 %')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.keyboard.type('4.90')
    await expect(form.getByLabel('price')).toHaveValue('4.90')
  })

  await test.step('both are reviewed and applied', async () => {
    await page.keyboard.press('ControlOrMeta+Shift+r')
    await write(page, page.getByRole('textbox', { name: 'Rationale' }), 'Shipping')
    // The command moves the focus to the button, which the user presses.
    await page.keyboard.press('ControlOrMeta+Shift+Enter')
    await expect(page.locator('#apply')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status').filter({ hasText: 'is active' })).toBeVisible()
  })

  await test.step('rates are changed in the sheet, over time, and fixed', async () => {
    await goTo(page, 'vat_rate')
    const sheet = page.getByRole('grid', { name: 'Entries' })
    await reach(page, sheet)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('0.21')
    await page.keyboard.press('Enter')
    await expect(page.locator('[aria-rowindex="2"]')).toContainText('0.2100')
    await page.keyboard.press('Control+z')
    // The menu of the selected cells.
    await page.keyboard.press('Shift+F10')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    // A last day typed too early leaves a gap; its repair is pressed where the gap is reported.
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.type('2020-12-30')
    await page.keyboard.press('Enter')
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await press(page, timeline.getByRole('button', { name: /^Extend / }))
    await expect(timeline.getByText('No value on 31 Dec 2020')).toBeHidden()
    // A range moves with keys. All ranges are one tab stop; the arrows move between them.
    const ranges = timeline.getByRole('button', { name: /from \d+ \w+ \d{4}, (last day|open)/ })
    await reach(page, ranges.and(page.locator('[tabindex="0"]')))
    const range = timeline.getByRole('button', { name: /from 1 Jul 2020/ })
    for (const way of [...Array<string>(6).fill('ArrowLeft'), ...Array<string>(6).fill('ArrowRight')]) {
      if (await range.evaluate((element) => element === document.activeElement)) break
      await page.keyboard.press(way)
    }
    await expect(range).toBeFocused()
    await page.keyboard.press('Shift+ArrowRight')
    await expect(timeline.getByRole('button', { name: /last day 1 Jan 2021/ })).toBeVisible()
    await page.keyboard.press('Control+z')
  })

  await test.step('rows are found, and a new value is added', async () => {
    const sheet = page.getByRole('grid', { name: 'Entries' })
    await write(page, page.getByPlaceholder('Filter entries'), '1998')
    await expect(page.locator('.sheet-foot')).toContainText('1 of 4 entries')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await expect(page.locator('.sheet-foot')).toContainText('4 entries')
    await reach(page, sheet)
    await press(page, page.getByRole('button', { name: 'New value from' }))
    const dialog = page.getByRole('dialog')
    await write(page, dialog.getByLabel('First day'), '2027-01-01')
    await write(page, dialog.getByLabel('Rate'), '0.21')
    await press(page, dialog.getByRole('button', { name: 'Save draft' }))
    await expect(sheet.getByRole('row')).toHaveCount(7)
  })

  await test.step('a file is imported, and rows are exported', async () => {
    await press(page, page.getByRole('button', { name: 'Import', exact: true }))
    const chooser = page.waitForEvent('filechooser')
    await press(page, page.getByRole('button', { name: 'Choose a file…' }))
    await (
      await chooser
    ).setFiles({
      name: 'rates.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('territory,rate,from,to\nFR,0.2000,2014-01-01,\n'),
    })
    const columns = page.getByRole('region', { name: 'Columns' })
    await expect(columns.getByLabel('Column for Rate')).toHaveValue('rate')
    await press(page, page.getByRole('button', { name: 'Preview' }))
    await press(page, page.getByRole('button', { name: 'Save 1 draft' }))
    await expect(page.locator('.sheet-foot')).toContainText('3 of 6 entries')
    await press(page, page.getByRole('button', { name: 'Export' }))
    const saved = page.waitForEvent('download')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect((await saved).suggestedFilename()).toMatch(/^vat_rate/)
  })

  await test.step('a component is renamed', async () => {
    await goTo(page, 'currency')
    await press(page, page.getByRole('button', { name: 'Actions' }))
    const item = page.getByRole('menuitem', { name: 'Rename everywhere' })
    await expect(item).toBeVisible()
    for (let step = 0; step < 8; step += 1) {
      if (await item.evaluate((element) => element === document.activeElement)) break
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await write(page, page.getByRole('dialog').getByLabel('New key'), 'coin')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'List of changes' })).toContainText('renamed')
  })
})

test('a question mark is text in a cell, and Escape and Tab leave the sheet', async ({ studio }) => {
  const { page, url } = studio
  await layGround(studio)
  await page.goto(`${url}/c/config_set/vat_rate`)
  const sheet = page.getByRole('grid', { name: 'Entries' })
  await expect(sheet).toHaveAccessibleDescription('Press Escape, then Tab to leave the sheet.')
  await sheet.focus()
  await page.keyboard.press('?')
  await expect(page.locator('.sheet-frame').getByRole('textbox')).toHaveValue('?')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(sheet).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(sheet).not.toBeFocused()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Leave a sheet')
})
