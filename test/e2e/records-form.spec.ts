// The form of a record keeps what is typed: while a save is on its way, over a reload, and beside the changes of others.
import type { Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layOrders, layRecords } from './support/orders.ts'
import { expect, test, type Studio } from './support/test.ts'

test.beforeEach(() => test.setTimeout(120_000))

const name = (page: Page) => page.getByRole('textbox', { name: 'Name' })
const country = (page: Page) => page.getByRole('textbox', { name: 'Country' })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

/** Another user changes a buyer. */
const changeBuyer = (studio: Studio, id: string, fields: object) =>
  studio.call('POST', '/data/v3/buyer/batch', { records: [{ op: 'update', id, fields }] })

async function openBuyer(studio: Studio): Promise<string> {
  const id = (await layRecords(studio))['Packhaus Hamm']!
  await studio.page.goto(`${studio.url}/records/buyer/${id}`)
  await expect(name(studio.page)).toHaveValue('Packhaus Hamm')
  return id
}

test('what is typed while a save is on its way stays, and is saved next', async ({ studio }) => {
  const { page } = studio
  await openBuyer(studio)
  await page.route('**/data/v3/buyer/*', async (route) => {
    if (route.request().method() === 'PATCH') await new Promise((later) => setTimeout(later, 1500))
    await route.continue()
  })
  await name(page).fill('Packhaus Soest')
  await save(page)
  await country(page).fill('AT')
  await name(page).fill('Packhaus Werl')
  await expect(page.getByText('The record was saved.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Packhaus Soest' })).toBeVisible()
  await expect(name(page)).toHaveValue('Packhaus Werl')
  await expect(country(page)).toHaveValue('AT')
  await save(page)
  await expect(page.getByRole('heading', { name: 'Packhaus Werl' })).toBeVisible()
  await expect(country(page)).toHaveValue('AT')
})

test('what is typed stays when the page is loaded again', async ({ studio }) => {
  const { page } = studio
  await openBuyer(studio)
  await name(page).fill('Packhaus Soest')
  await expect(page.getByText('1 field edited.')).toBeVisible()
  // The copy is written in the background.
  await page.waitForTimeout(500)
  await page.reload()
  await expect(name(page)).toHaveValue('Packhaus Soest')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(name(page)).toHaveValue('Packhaus Hamm')
  await page.waitForTimeout(500)
  await page.reload()
  await expect(name(page)).toHaveValue('Packhaus Hamm')
})

test('a field that another user changed in the meantime is not overwritten before the user has seen it', async ({
  studio,
}) => {
  const { page } = studio
  const id = await openBuyer(studio)
  await name(page).fill('Mine')
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(page).not.toHaveURL(/records/)
  await changeBuyer(studio, id, { name: 'Theirs' })
  await page.goBack()
  await expect(
    page.getByText('Administrator changed this to “Theirs” after you began to edit it.'),
  ).toBeVisible()
  await expect(name(page)).toHaveValue('Mine')
  await save(page)
  await expect(page.getByText('Choose below which value stays')).toBeVisible()
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await expect(name(page)).toHaveValue('Theirs')

  await expect(page.getByText('Choose below which value stays')).toBeHidden()

  // The save arrives before this page has read the change.
  const isSaved = Promise.withResolvers<void>()
  await page.route(`**/data/v3/buyer/${id}*`, async (route) => {
    if (route.request().method() === 'GET') await isSaved.promise
    await route.continue()
  })
  await name(page).fill('Mine again')
  await changeBuyer(studio, id, { name: 'Theirs again' })
  const refused = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await save(page)
  await refused
  isSaved.resolve()
  await expect(page.getByText(/^Administrator changed Name in the meantime/)).toBeVisible()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await save(page)
  await expect(page.getByRole('heading', { name: 'Mine again' })).toBeVisible()
})

test('what is typed into a field stays in it when the field is renamed, and is shown when it is removed', async ({
  studio,
}) => {
  const { page } = studio
  const id = await openBuyer(studio)
  const path = '/metadata/v3/components/object/buyer'
  interface Buyer {
    body: { fields: { key: string }[] }
  }
  const { component } = await studio.call<{ component: Buyer }>('GET', path)
  const apply = (fields: object[]): Promise<unknown> =>
    studio.call('POST', '/metadata/v3/apply', {
      components: [{ ...component, body: { ...component.body, fields }, breaking: true }],
      rationale: 'Other fields.',
    })
  const note = { key: 'note', label: 'Note', type: 'text' }
  const grants = await studio.call<{ component: { body: { fields: object } } }>(
    'GET',
    '/metadata/v3/components/permission_set/administrator',
  )
  const rights = { ...grants.component.body.fields, 'buyer.note': { read: true, edit: true } }
  await apply([...component.body.fields, note])
  await studio.call('POST', '/metadata/v3/apply', {
    components: [{ ...grants.component, body: { ...grants.component.body, fields: rights } }],
    rationale: 'Notes.',
  })
  await page.getByRole('textbox', { name: 'Note' }).fill('Mine')
  await apply([...component.body.fields, { ...note, key: 'remark', label: 'Remark', aliases: ['note'] }])
  await expect(page.getByRole('textbox', { name: 'Remark' })).toHaveValue('Mine')
  await save(page)
  await expect(page.getByText('The record was saved.')).toBeVisible()
  const stored = await studio.call<{ fields: { remark: string } }>('GET', `/data/v3/buyer/${id}`)
  expect(stored.fields.remark).toBe('Mine')
  await page.getByRole('textbox', { name: 'Remark' }).fill('Mine again')
  await name(page).fill('Packhaus Soest')
  await studio.call('POST', '/metadata/v3/apply', { components: [grants.component], rationale: 'No notes.' })
  await apply(component.body.fields)
  await expect(page.getByText('The field “remark” no longer exists.')).toContainText('Mine again')
  await save(page)
  await expect(page.getByRole('heading', { name: 'Packhaus Soest' })).toBeVisible()
  await page.getByRole('button', { name: 'Discard it' }).click()
  await expect(page.getByText('no longer exists')).toBeHidden()
})

test('two windows of one user keep what is typed in each', async ({ studio }) => {
  const { page } = studio
  const ids = await layRecords(studio)
  await page.goto(`${studio.url}/records/buyer/${ids['Packhaus Hamm']!}`)
  await name(page).fill('In the first window')
  const second = await page.context().newPage()
  await second.goto(`${studio.url}/records/buyer`)
  const other = Object.entries(ids).find(([title]) => title !== 'Packhaus Hamm' && title.length > 0)!
  await second.goto(`${studio.url}/records/buyer/${other[1]}`)
  await name(second).fill('In the second window')
  await expect(second.getByText('1 field edited.')).toBeVisible()
  // The copy is written in the background.
  await page.waitForTimeout(500)
  await page.reload()
  await expect(name(page)).toHaveValue('In the first window')
  await save(page)
  await expect(page.getByText('The record was saved.')).toBeVisible()
  await page.waitForTimeout(500)
  await second.reload()
  await expect(name(second)).toHaveValue('In the second window')
  await second.close()
})

test('the page shows what others save, and asks where both have changed a value', async ({ studio }) => {
  const { page } = studio
  const id = await openBuyer(studio)
  await changeBuyer(studio, id, { country: 'CH' })
  await expect(country(page)).toHaveValue('CH')
  await name(page).fill('Mine')
  await changeBuyer(studio, id, { name: 'Theirs', country: 'AT' })
  await expect(country(page)).toHaveValue('AT')
  await expect(
    page.getByText('Administrator changed this to “Theirs” after you began to edit it.'),
  ).toBeVisible()
  await expect(name(page)).toHaveValue('Mine')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await save(page)
  await expect(page.getByRole('heading', { name: 'Mine' })).toBeVisible()
  await name(page).fill('Lost')
  await studio.call('DELETE', `/data/v3/buyer/${id}`)
  await expect(page.getByRole('alert')).toContainText('This record was deleted, or you can no longer see it.')
  await expect(name(page)).toHaveValue('Lost')
})

test('a record that was deleted is not saved, and what was typed becomes a new record', async ({
  studio,
  context,
}) => {
  const { page } = studio
  const id = await openBuyer(studio)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await name(page).fill('Packhaus Soest')
  await studio.call('DELETE', `/data/v3/buyer/${id}`)
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('alert')).toHaveText(
    'This record was deleted, or you can no longer see it. What you entered is still here, but cannot be saved.',
  )
  for (const action of ['Save', 'Delete'])
    await expect(page.getByRole('button', { name: action, exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Copy what you entered' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Name: Packhaus Soest')
  await page.getByRole('button', { name: 'New record with these values' }).click()
  await expect(page.getByRole('heading', { name: 'New Buyer' })).toBeVisible()
  await expect(name(page)).toHaveValue('Packhaus Soest')
  await expect(country(page)).toHaveValue('DE')
  await page.getByRole('button', { name: 'Add record' }).click()
  await expect(page.getByRole('heading', { name: 'Packhaus Soest' })).toBeVisible()

  // The tab of a record that its user deletes closes.
  const tab = page.getByLabel('Open pages').getByRole('link', { name: 'Packhaus Soest' })
  await tab.dblclick()
  await expect(tab).toHaveCount(1)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete the record' }).click()
  await expect(page.getByText('The record was deleted.')).toBeVisible()
  await expect(tab).toHaveCount(0)
})

test('what was typed into a record that was deleted is shown after a reload too, and fits a narrow window', async ({
  studio,
}) => {
  const { page } = studio
  const id = await openBuyer(studio)
  await name(page).fill('Packhaus Soest')
  await studio.call('DELETE', `/data/v3/buyer/${id}`)
  const restart = page.getByRole('button', { name: 'New record with these values' })
  await expect(restart).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(restart).toBeInViewport({ ratio: 1 })
  await page.reload()
  const entered = page.getByRole('region', { name: 'What you entered' })
  await expect(entered).toContainText('Packhaus Soest')
  expect(await violations(page)).toEqual([])
  await restart.click()
  await expect(page.getByRole('heading', { name: 'New Buyer' })).toBeVisible()
  await expect(name(page)).toHaveValue('Packhaus Soest')
})

test('the lines of a text stay, and more can be added', async ({ studio }) => {
  const { page } = studio
  const id = await openBuyer(studio)
  await changeBuyer(studio, id, { name: 'one\ntwo' })
  await page.reload()
  await expect(name(page)).toHaveValue('one\ntwo')
  await name(page).press('End')
  await name(page).press('Control+End')
  await name(page).pressSequentially('!')
  await save(page)
  await expect(page.getByText('The record was saved.')).toBeVisible()
  const stored = await studio.call<{ fields: { name: string } }>('GET', `/data/v3/buyer/${id}`)
  expect(stored.fields.name).toBe('one\ntwo!')

  await country(page).fill('DE')
  await country(page).press('Shift+Enter')
  await expect(country(page)).toBeFocused()
  await country(page).pressSequentially('AT')
  await expect(country(page)).toHaveValue('DE\nAT')
})

/** The server handles requests of this method, and their responses are lost. */
async function loseResponses(page: Page, method: string): Promise<() => Promise<void>> {
  await page.route(/\/data\/v3\/buyer/, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    await route.fetch()
    return route.abort()
  })
  return () => page.unroute(/\/data\/v3\/buyer/)
}

const buyers = async (studio: Studio): Promise<string[]> => {
  const { records } = await studio.call<{ records: { fields: { name: string } }[] }>(
    'POST',
    '/data/v3/query',
    {
      ...{ object: 'buyer', fields: ['name'], limit: 50 },
    },
  )
  return records.map(({ fields }) => fields.name).toSorted()
}

test('a record whose response was lost is added once, even if the page is loaded again or more is typed', async ({
  studio,
}) => {
  const { page } = studio
  await layRecords(studio)
  const add = page.getByRole('button', { name: 'Add record' })
  const unreachable = page.getByRole('alert').filter({ hasText: 'not responding' })
  await page.goto(`${studio.url}/records/buyer/new`)
  await name(page).fill('Hafenkontor')
  await country(page).fill('DE')
  let restore = await loseResponses(page, 'POST')
  await add.click()
  await expect(unreachable).toBeVisible()
  await restore()
  await page.waitForTimeout(500)
  await page.reload()
  await expect(name(page)).toHaveValue('Hafenkontor')
  await add.click()
  await expect(page.getByText('The record was added.')).toBeVisible()
  expect(await buyers(studio)).toEqual(['Hafenkontor', 'Nordlicht Verlag', 'Packhaus Hamm'])

  // The form of the next record begins with a new key.
  await page.goto(`${studio.url}/records/buyer/new`)
  await name(page).fill('Hafenkontor')
  await country(page).fill('DE')
  restore = await loseResponses(page, 'POST')
  await add.click()
  await expect(unreachable).toBeVisible()
  await restore()
  await country(page).fill('AT')
  await add.click()
  await expect(page.getByText('The record had already been added.')).toBeVisible()
  await expect(page).toHaveURL(/buyer\/[0-9a-f-]{36}$/)
  await expect(page.getByText('1 field edited.')).toBeVisible()
  await expect(country(page)).toHaveValue('AT')
  await save(page)
  await expect(page.getByText('The record was saved.')).toBeVisible()
  expect(await buyers(studio)).toEqual(['Hafenkontor', 'Hafenkontor', 'Nordlicht Verlag', 'Packhaus Hamm'])
})

test('a save whose response was lost is not taken for a change by a different user', async ({ studio }) => {
  const { page } = studio
  await openBuyer(studio)
  await name(page).fill('Packhaus Soest')
  const restore = await loseResponses(page, 'PATCH')
  await save(page)
  // The page reads what is stored once the server reports the change.
  await expect(page.getByText('The record was saved.')).toBeVisible()
  await restore()
  await expect(page.getByRole('heading', { name: 'Packhaus Soest' })).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(page.getByText('field edited.')).toBeHidden()
})

test('a number is typed with a decimal comma, as in the list', async ({ studio }) => {
  const { page } = studio
  const { 'O-000': id } = await layOrders(studio, 1)
  await page.goto(`${studio.url}/records/order/${id!}`)
  const net = page.getByRole('textbox', { name: 'Net' })
  await net.fill('1.234,5')
  await expect(net).toHaveAccessibleDescription('reads as 1234.5')
  await net.press('Enter')
  await expect(page.getByText('The record was saved.')).toBeVisible()
  await expect(net).toHaveValue('1234.50')
  expect(await violations(page)).toEqual([])

  // A text that is not a number stays as typed, and is explained.
  await net.fill('12 pieces')
  await net.press('Enter')
  await expect(net).toHaveValue('12 pieces')
  await expect(net).toHaveAttribute('aria-invalid', 'true')
  await net.fill('7,')
  await net.press('Tab')
  await expect(net).toHaveValue('7,')
})

test('a record is saved again before it was read again, and no change of another user is reported', async ({
  studio,
}) => {
  const { page } = studio
  await openBuyer(studio)
  await country(page).fill('AT')
  let isHeld = true
  await page.route('**/data/v3/buyer/**', async (route) => {
    while (isHeld && route.request().method() === 'GET') await page.waitForTimeout(50)
    await route.continue()
  })
  await country(page).press('Control+s')
  await expect(page.getByText('The record was saved.')).toBeVisible()
  await country(page).fill('FR')
  await country(page).press('Control+s')
  await expect(page.getByRole('button', { name: 'Discard' })).toBeHidden()
  await expect(page.getByText('in the meantime')).toBeHidden()
  isHeld = false
  await expect(country(page)).toHaveValue('FR')
})

test('Enter and Ctrl+S save the form, and a refused save leads to the first field with a problem', async ({
  studio,
}) => {
  const { page } = studio
  await layRecords(studio)
  await page.goto(`${studio.url}/records/buyer/new`)
  await country(page).fill('DE')
  await country(page).press('Enter')
  await expect(page.getByText('Name is required.', { exact: true })).toBeVisible()
  await expect(name(page)).toBeFocused()
  await name(page).fill('   ')
  await name(page).press('Enter')
  await expect(page.getByText('Spaces alone are not a value of a required field.')).toBeVisible()
  await name(page).fill('Hafenkontor')
  await name(page).press('Enter')
  await expect(page.getByText('The record was added.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Hafenkontor' })).toBeVisible()

  await country(page).fill('AT')
  await country(page).press('Control+s')
  await expect(page.getByText('The record was saved.')).toBeVisible()
  // Even while nothing in the form has the focus.
  await country(page).fill('')
  await country(page).blur()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Country is required.', { exact: true })).toBeVisible()
  await expect(country(page)).toBeFocused()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('All drafts saved.')).toBeVisible()

  // The first problem of an order is in a lookup field.
  await page.goto(`${studio.url}/records/order/new`)
  await page.getByRole('textbox', { name: 'Number' }).fill('O-1')
  await page.getByRole('textbox', { name: 'Number' }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Buyer' })).toBeFocused()
})

test('a record that others refer to names them when it cannot be deleted', async ({ studio }) => {
  const { page } = studio
  const id = await openBuyer(studio)
  await studio.call('POST', '/data/v3/order/batch', {
    records: Array.from({ length: 12 }, (_, at) => ({
      op: 'insert',
      fields: { number: `O-${at}`, buyer: id, placed: '2022-01-01', net: '1' },
    })),
  })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete the record' }).click()
  const note = page.getByRole('alert').filter({ hasText: 'Packhaus Hamm cannot be deleted' })
  await expect(note.getByRole('link')).toHaveCount(10)
  await expect(note).toContainText('and others')
  await expect(note).not.toContainText(id)
  await note
    .getByRole('link', { name: /^Order O-\d+$/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: /^O-\d+$/ })).toBeVisible()
})
