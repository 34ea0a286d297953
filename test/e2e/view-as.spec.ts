// An administrator sees the records as a different user sees them, read-only, and is audited.
import { violations } from './support/axe.ts'
import { layRecords, type Saved } from './support/orders.ts'
import { expect, test } from './support/test.ts'
import { visit } from './support/visit.ts'

const clerk = {
  ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
  body: {
    objects: { order: { read: true, update: true, create: true, viewAll: true } },
    fields: {
      'order.number': { read: true, edit: true },
      'order.net': { read: true },
      'order.buyer': { read: true },
    },
  },
}

test('grid, search, counts and record follow the rights of the viewed user, read-only', async ({
  studio,
}) => {
  test.setTimeout(120_000)
  const { page, call } = studio
  const ids = await layRecords(studio)
  await call('POST', '/metadata/v3/apply', { components: [clerk], rationale: 'Clerks' })
  await call('POST', '/setup/v3/users', { key: 'mara', name: 'Mara Vogel', permissionSets: ['clerk'] })
  const { id } = await call<Saved>('POST', '/data/v3/order', {
    ...{ number: 'O-1', buyer: ids['Packhaus Hamm'], placed: '2022-01-01', net: '100' },
  })
  await page.goto(`${studio.url}/records/order/${id}`)
  await page.getByRole('textbox', { name: 'Net' }).fill('999')

  await visit(page, `${studio.url}/people/users/mara`)
  await page.getByRole('button', { name: 'View records as Mara Vogel' }).click()
  await expect(page).toHaveURL(/\/records$/)
  const banner = page.getByText('Records as Mara Vogel (mara) sees them, read-only.')
  await expect(banner).toBeVisible()
  await expect(page.getByRole('link', { name: 'Buyer', exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'Order', exact: true }).click()

  const grid = page.getByRole('grid', { name: 'Order' })
  await expect(grid.getByRole('columnheader')).toHaveText([/Number/, /Buyer/, /Net/])
  // She cannot read buyers, so a buyer has no name.
  await expect(grid.getByRole('row').nth(1)).toHaveText(/O-1\s*…\w{4}\s*100\.00/)
  await expect(page.getByText('1 to 1 of 1')).toBeVisible()
  await expect(page.getByRole('link', { name: 'New record' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Recompute…' })).toHaveCount(0)
  await grid.getByRole('gridcell').nth(2).dblclick()
  await expect(page.getByText('Records are shown as mara sees them, and cannot be changed.')).toBeVisible()
  expect(await violations(page)).toEqual([])

  // A filter on what she cannot read is refused as for her.
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filter = page.getByRole('textbox', { name: 'Filter', exact: true })
  await filter.fill('present(placed)')
  await filter.press('Enter')
  await expect(page.getByRole('alert')).toContainText('placed')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()

  // The page of a record shows what is stored, without what was typed before, and it survives a reload.
  await grid.getByRole('link', { name: 'O-1' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'O-1' })).toBeVisible()
  await page.reload()
  await expect(banner).toBeVisible()
  await expect(page.getByRole('region', { name: 'Fields' })).toContainText('100.00')
  await expect(page.getByRole('region', { name: 'Fields' }).getByRole('textbox')).toHaveCount(0)
  await expect(page.getByText('Placed on')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  // The server refuses a change too.
  const refused = await page.evaluate(
    async (path) =>
      (await fetch(path, { method: 'DELETE', headers: { 'x-view-as': 'mara' }, credentials: 'same-origin' }))
        .status,
    `/data/v3/order/${id}`,
  )
  expect(refused).toBe(403)

  await page.getByRole('button', { name: 'View as yourself' }).click()
  await expect(banner).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Net' })).toBeVisible()
  const { rows } = await call<{ rows: { kind: string; actor: string }[] }>(
    'GET',
    '/metadata/v3/audit?component=user/mara&kind=user.viewed_as',
  )
  expect(rows).toMatchObject([{ kind: 'user.viewed_as', actor: 'admin' }])

  // The list of objects offers it too.
  await page.getByRole('combobox', { name: 'View records as' }).fill('mara')
  await page.getByRole('option', { name: /mara/ }).click()
  await expect(banner).toBeVisible()
  await visit(page, `${studio.url}/records/buyer`)
  await expect(page.getByRole('heading', { name: 'No such object' })).toBeVisible()
})
