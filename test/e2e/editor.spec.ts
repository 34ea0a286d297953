// The editors: JSON is completed from the schema immediately, expressions are completed and checked in every form that
// has one.
import type { Locator, Page } from '@playwright/test'
import { chooseFormAndJson } from './support/editor-view.ts'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'
import { visit } from './support/visit.ts'

const draft = ({ call }: Studio, type: string, key: string, body: object): Promise<unknown> =>
  call('PUT', `/setup/v3/drafts/${type}/${key}`, {
    text: JSON.stringify({ type, key, label: key, body }, null, 2),
    version: 0,
  })

const expectSaved = (page: Page): Promise<void> =>
  expect(page.locator('.phead .state')).toHaveText(/^(new draft|draft)$/)

const suggestions = (page: Page): Locator => page.locator('.suggest-widget.visible')

/** The editor of an expression; until it is loaded, a plain text area of the same name takes its place. */
const expression = (page: Page, name: string): Locator =>
  page.getByRole('textbox', { name, exact: true }).and(page.locator('.native-edit-context'))

const textOf = (page: Page, name: string): Locator =>
  page
    .locator('.editor.expression')
    .filter({ has: page.getByRole('textbox', { name, exact: true }) })
    .locator('.view-lines')

test('JSON is completed from its schema from the first request after a load', async ({ studio }) => {
  const { page } = studio
  await chooseFormAndJson(page)
  await layGround(studio)
  await draft(studio, 'feature_flag', 'late', {
    owner: { user: 'admin' },
    expiresOn: '2099-12-31',
    scopes: ['org'],
    default: false,
    read: {},
    edit: {},
  })
  // The language loads late, as on a slow machine: the editor appears only once it can complete.
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/jsonMode/, async (route) => {
    await held
    await route.continue()
  })
  const request = page.waitForRequest(/jsonMode/)
  await page.goto(`${studio.url}/c/feature_flag/late`)
  await request
  await expect(page.getByRole('region', { name: 'Form' }).getByLabel('Label')).toHaveValue('late')
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await page.locator('.view-line').count()).toBe(0)
  release()
  await page.locator('.view-line').getByText('"body"').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Control+Space')
  const label = suggestions(page).locator('.label-name')
  await expect(label).toHaveText(['rationale'])
  await expect(page.locator('.suggest-details')).toContainText('Why the flag exists')
  // It is visible too.
  const row = suggestions(page).locator('.monaco-list-row')
  await expect(label).toBeVisible()
  const [inner, outer] = [(await label.boundingBox())!, (await row.boundingBox())!]
  expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height + 1)
  await page.keyboard.press('Enter')
  await expect(page.locator('.view-lines')).toContainText('"rationale": ')
})

test('a formula is completed, checked as typed and fixed, and Tab leaves it', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/c/object/invoice`)
  const form = page.getByRole('region', { name: 'Form' })
  await form.getByRole('button', { name: /^vat/ }).click()
  const formula = expression(page, 'Expression')
  await formula.focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('config.')
  await expect(suggestions(page)).toContainText('vat_rate')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('nett * 0.19', { delay: 20 })
  await page.keyboard.press('Escape')
  await expect(page.locator('.editor.expression .squiggly-error')).toBeVisible()
  await expect(form.getByText('nett', { exact: false }).filter({ hasText: 'Did you mean' })).toHaveCount(1)
  await form.getByRole('button', { name: 'Change to net', exact: true }).click()
  await expect(textOf(page, 'Expression')).toHaveText('net * 0.19')
  await expect(page.locator('.editor.expression .squiggly-error')).toHaveCount(0)
  await expectSaved(page)

  // Undo belongs to the whole page, and Tab moves to the next control.
  await formula.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('5')
  await expect(textOf(page, 'Expression')).toHaveText('net * 0.195')
  await page.keyboard.press('Control+z')
  await expect(textOf(page, 'Expression')).toHaveText('net * 0.19')
  await page.keyboard.press('Control+z')
  await expect(textOf(page, 'Expression')).toHaveText('nett * 0.19')
  await page.keyboard.press('Control+Shift+z')
  await expect(textOf(page, 'Expression')).toHaveText('net * 0.19')
  await expect(page.locator('.editor.expression .squiggly-error')).toHaveCount(0)
  // Its finding has a button, which is a control until the form is checked again.
  await expect(form.getByRole('button', { name: 'Change to net', exact: true })).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(form.getByRole('button', { name: 'Expression: show the value for a record' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(formula).toBeFocused()
})

test('an expression is as high as its lines, from one to six', async ({ studio }) => {
  const { page } = studio
  await page.goto(`${studio.url}/playground`)
  const editor = page.locator('.editor.expression')
  const lines = async (): Promise<number> => Math.round(((await editor.boundingBox())!.height - 10) / 18)
  await expression(page, 'Expression').focus()
  await expect.poll(lines).toBe(1)
  for (const [typed, shown] of [
    [1, 2],
    [3, 5],
    [4, 6],
  ] as const) {
    for (let each = 0; each < typed; each++) await page.keyboard.press('Enter')
    await expect.poll(lines).toBe(shown)
  }
})

test('a link to a finding opens its place in the expression', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await draft(studio, 'list_view', 'open', { object: 'invoice', columns: ['number'], filter: 'nett > 1' })
  await page.goto(`${studio.url}/c/list_view/open?at=/body/filter`)
  await expression(page, 'Filter').waitFor()
  await expect(expression(page, 'Filter')).toBeFocused()
  await expect(page.locator('.editor.expression .squiggly-error')).toBeVisible()
})

test('completion follows the component as typed', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await draft(studio, 'object', 'parcel', {
    fields: [{ key: 'weight', type: 'number', precision: 9, scale: 2 }],
    validationRules: [{ key: 'heavy' }],
  })
  await page.goto(`${studio.url}/c/object/parcel`)
  const form = page.getByRole('region', { name: 'Form' })
  await form.getByRole('button', { name: /^heavy/ }).click()
  await expression(page, 'Reject if').focus()
  await page.keyboard.type('weight > 30')
  await expect(textOf(page, 'Reject if')).toHaveText('weight > 30')
  await expectSaved(page)
  await expect(page.locator('.editor.expression .squiggly-error')).toHaveCount(0)
  await page.keyboard.type('+')
  await expect(page.locator('.editor.expression .squiggly-error')).toBeVisible()

  // An automation that is called sees its parameters, in its conditions and in each value that it writes or returns.
  const values = { number: '' }
  await draft(studio, 'automation', 'book', {
    phase: 'invocable',
    params: [{ key: 'subject', type: 'text' }],
    actions: [{ key: 'make', type: 'create', object: 'invoice', values }],
    ...{ grantedTo: ['administrator'], returns: { title: '' } },
  })
  await visit(page, `${studio.url}/c/automation/book`)
  await form.getByRole('button', { name: /^make/ }).click()
  await expect(form.getByRole('button', { name: 'Remove administrator' })).toBeVisible()
  for (const name of ['Condition', 'number', 'title']) {
    await expression(page, name).focus()
    await page.keyboard.type('subj')
    await expect(suggestions(page)).toContainText('subject')
    await page.keyboard.press('Enter')
    await expect(textOf(page, name)).toHaveText('subject')
  }
  await expect(form.getByText('The result must be a boolean')).toHaveCount(1)
})
