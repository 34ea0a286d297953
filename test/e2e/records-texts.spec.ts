// Long texts, texts of several lines and moments in the grid of records and on the page of a record.
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layRecords, type Saved } from './support/orders.ts'
import { expect, testInOwnPage as test, type Studio } from './support/test.ts'

test.use({ timezoneId: 'America/New_York' })
test.beforeEach(() => test.setTimeout(120_000))

const cellsOf = (page: Page, row: number): Locator =>
  page.getByRole('grid', { name: 'Note' }).getByRole('row').nth(row).getByRole('gridcell')

/** Two notes, the first of which has a text of three lines. */
async function layNotes(studio: Studio): Promise<string[]> {
  const { page, call } = studio
  await layRecords(studio)
  const { component } = await call<{ component: { body: { objects: object; fields: object } } }>(
    'GET',
    '/metadata/v3/components/permission_set/administrator',
  )
  const fields = [
    { key: 'title', label: 'Title', type: 'text' },
    { key: 'body', label: 'Body', type: 'text' },
    { key: 'sent', label: 'Sent', type: 'datetime' },
    { key: 'count', label: 'Count', type: 'number', precision: 12, scale: 2 },
    { key: 'done', label: 'Done', type: 'boolean' },
  ]
  const edit = Object.fromEntries(fields.map(({ key }) => [`note.${key}`, { read: true, edit: true }]))
  const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
  const { body } = component
  await call('POST', '/metadata/v3/apply', {
    components: [
      { type: 'object', key: 'note', label: 'Note', body: { nameField: 'title', fields } },
      {
        ...component,
        body: { ...body, objects: { ...body.objects, note: rights }, fields: { ...body.fields, ...edit } },
      },
    ],
    rationale: 'Notes',
  })
  const ids: string[] = []
  for (const note of [
    { title: 'N-1', body: 'one\ntwo\nthree', sent: '2026-01-31T23:30:00Z' },
    { title: 'N-2', body: 'word '.repeat(4000) },
  ])
    ids.push((await call<Saved>('POST', '/data/v3/note', note)).id)
  await page.goto(`${studio.url}/records/note`)
  await expect(page.getByRole('grid', { name: 'Note' }).getByRole('row')).toHaveCount(3)
  return ids
}

test('a text keeps its lines while it is edited in the grid, copied and pasted', async ({
  studio,
  context,
}) => {
  const { page, call } = studio
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [first, second] = await layNotes(studio)
  const bodyOf = async (id: string | undefined): Promise<unknown> =>
    (await call<{ fields: { body: string } }>('GET', `/data/v3/note/${id}`)).fields.body
  await cellsOf(page, 1).nth(1).dblclick()
  const editor = page.getByRole('textbox', { name: 'Body, row 1' })
  await expect(editor).toHaveValue('one\ntwo\nthree')
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await page.keyboard.press('Alt+Enter')
  await page.keyboard.type('four')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('five')
  await page.keyboard.press('Enter')
  await expect.poll(() => bodyOf(first)).toBe('one\ntwo\nthree!\nfour\nfive')
  await cellsOf(page, 1).nth(1).click()
  await page.keyboard.press('Control+c')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+v')
  await expect.poll(() => bodyOf(second)).toBe('one\ntwo\nthree!\nfour\nfive')
})

test('a long text stays in its column while it is edited, and no column changes its width', async ({
  studio,
}) => {
  const { page } = studio
  await layNotes(studio)
  const heads = page.getByRole('grid', { name: 'Note' }).getByRole('columnheader')
  const widths = async (): Promise<number[]> =>
    heads.evaluateAll((all) => all.map((head) => Math.round(head.getBoundingClientRect().width)))
  const region = page.getByRole('region', { name: 'Records of Note' })
  const overflow = (): Promise<number> =>
    region.evaluate((element) => element.scrollWidth - element.clientWidth)
  const before = await widths()
  await cellsOf(page, 2).nth(1).dblclick()
  await expect(page.getByRole('textbox', { name: 'Body, row 2' })).toBeVisible()
  expect(await overflow()).toBeLessThanOrEqual(0)
  expect(await widths()).toEqual(before)
  expect.soft(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await cellsOf(page, 2).nth(0).click()
  await page.keyboard.type('A title that is much longer than those of the others')
  await page.keyboard.press('Enter')
  await expect(cellsOf(page, 2).nth(0)).toContainText('A title that is much longer')
  await expect(page.getByText('saving')).toHaveCount(0)
  expect(await widths()).toEqual(before)
})

test('a value that does not fit is explained in the words of those who enter it', async ({ studio }) => {
  const { page } = studio
  await layNotes(studio)
  const fault = page.getByRole('group', { name: 'Not saved' })
  await cellsOf(page, 1).nth(3).click()
  await page.keyboard.type('1234567890123')
  await page.keyboard.press('Tab')
  await expect(fault).toContainText('is too large: Count can have 10 digits before the decimal point.')
  await page.keyboard.type('ja')
  await page.keyboard.press('Enter')
  await expect(fault).toContainText('Done “ja” is not saved. Enter yes or no.')
})

test('the page of a record shows and reads moments in the time zone of the user', async ({ studio }) => {
  const { page, call } = studio
  const [first] = await layNotes(studio)
  await page.getByRole('link', { name: 'N-1' }).click()
  const sent = page.getByRole('textbox', { name: 'Sent' })
  await expect(sent).toHaveValue('2026-01-31 18:30')
  await expect(page.getByText('31 Jan 2026, 18:30, New York time')).toBeVisible()
  expect.soft(await violations(page)).toEqual([])
  await sent.fill('soon')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: '“soon” is not a date and time' })).toBeVisible()
  await sent.fill('1 Jul 2026, 9:15 pm')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The record was saved.')).toBeVisible()
  await expect(sent).toHaveValue('2026-07-01 21:15')
  const { fields } = await call<{ fields: object }>('GET', `/data/v3/note/${first}`)
  expect(fields).toMatchObject({ sent: '2026-07-02T01:15:00Z' })
})
