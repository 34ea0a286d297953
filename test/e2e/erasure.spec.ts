// The sensitive values of a record are erased from its page: confirmed with a reason, and gone from what it shows.
import { violations } from './support/axe.ts'
import { layRecords } from './support/orders.ts'
import { expect, test } from './support/test.ts'

test('sensitive values of a record are erased after a confirmation with a reason', async ({ studio }) => {
  const { page, url, call } = studio
  const ids = await layRecords(studio)
  const id = ids['Packhaus Hamm']!
  const buyer = `${url}/records/buyer/${id}`
  await page.goto(buyer)
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Packhaus Hamm')
  // No field is sensitive yet.
  const erase = page.getByRole('button', { name: 'Erase sensitive values…' })
  await expect(erase).toHaveCount(0)

  const { component } = await call<{ component: { body: { fields: { key: string }[] } } }>(
    'GET',
    '/metadata/v3/components/object/buyer',
  )
  const fields = component.body.fields.map((field) =>
    field.key === 'name' ? { ...field, sensitive: true } : field,
  )
  const sensitive = { ...component, body: { ...component.body, fields } }
  await call('POST', '/metadata/v3/apply', { components: [sensitive], rationale: 'Sensitive' })
  await page.goto(buyer)
  await erase.click()
  const dialog = page.getByRole('dialog', { name: 'Erase sensitive values of Packhaus Hamm' })
  await expect(dialog).toContainText('This cannot be undone.')
  const confirm = dialog.getByRole('button', { name: 'Erase the values' })
  await expect(confirm).toBeDisabled()
  const reason = dialog.getByRole('textbox', { name: /Reason/ })
  await reason.fill('for Packhaus Hamm')
  await confirm.click()
  await expect(dialog.getByRole('alert')).toContainText('contains a value that is to be erased')
  expect(await violations(page)).toEqual([])
  await reason.fill('request 17')
  await confirm.click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Erased in this record.')).toBeVisible()

  const history = page.getByRole('region', { name: 'History' })
  await expect(history.getByRole('row')).toHaveCount(3)
  await expect(history).toContainText('Name erased → erased')
  await expect(page.getByText('Packhaus Hamm')).toHaveCount(0)
  // The other values stay.
  await expect(page.getByRole('textbox', { name: 'Country' })).toHaveValue('DE')
  const audit = await call<{ rows: { rationale: string }[] }>('GET', '/metadata/v3/audit?kind=record.erased')
  expect(audit.rows).toMatchObject([{ rationale: 'request 17' }])
})
