// The users who can see a record, and why, on its page.
import { violations } from './support/axe.ts'
import { layOrders } from './support/orders.ts'
import { expect, test } from './support/test.ts'

test.use({ people: [{ key: 'ben', name: 'Ben', password: 'correct horse battery', permissionSets: [] }] })

test('the page of a record shows on request who can see it, and why, and follows the rights', async ({
  studio,
}) => {
  const { page, url, call } = studio
  const ids = await layOrders(studio, 1)
  await page.goto(`${url}/records/order/${ids['O-000']}`)
  await page.getByRole('button', { name: 'Who can see this record' }).click()
  const viewers = page.getByRole('region', { name: 'Who can see this record' })
  await expect(viewers).toBeFocused()
  await expect(viewers.getByRole('row')).toHaveCount(2)
  const row = viewers.getByRole('row', { name: /Administrator/ })
  await expect(row).toContainText('read, update, delete')
  await expect(row).toContainText('edits all records')
  expect(await violations(page)).toEqual([])

  const { component } = await call<{ component: { body: { sharing?: object } } }>(
    'GET',
    '/metadata/v3/components/object/order',
  )
  const reader = {
    ...{ type: 'permission_set', key: 'reader', label: 'Reader' },
    body: { objects: { order: { read: true } }, fields: { 'order.number': { read: true } } },
  }
  const rule = { key: 'all', when: 'net >= 0', permissionSet: 'reader', access: 'read' }
  const sharing = { default: 'private', rules: [rule] }
  const order = { ...component, body: { ...component.body, sharing } }
  await call('POST', '/metadata/v3/apply', { components: [order, reader], rationale: 'Readers' })
  await call('PUT', '/setup/v3/users/ben/permission-sets', { permissionSets: ['reader'] })
  await page.reload()
  await page.getByRole('button', { name: 'Who can see this record' }).click()
  await expect(viewers.getByRole('row', { name: /Ben/ })).toContainText('sharing rule all for reader')
  await viewers.getByRole('link', { name: 'Ben' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ben' })).toBeVisible()
})
