// A set is renamed while its entries are being edited: the edits follow, and nothing appears as removed afterwards.
import { expect, test, type Studio } from './support/test.ts'
import { visit } from './support/visit.ts'

const set = {
  type: 'config_set',
  key: 'postage',
  label: 'Postage',
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'country', type: 'text' },
    fields: [{ key: 'price', type: 'number', precision: 6, scale: 2, required: true }],
    read: { administrator: 'read' },
    edit: { administrator: 'edit' },
  },
}
const entry = (country: string, price: string) => ({
  type: 'config_entry',
  key: `postage.${country.toLowerCase()}`,
  label: country,
  body: { set: 'postage', key: country, scope: { kind: 'org' }, values: { price } },
})

const mara = { key: 'mara', name: 'Mara Tamm', password: 'correct horse battery' }

async function renamePostage({ page, url, call }: Studio): Promise<void> {
  await call('POST', '/metadata/v3/apply', {
    components: [set, entry('AT', '1.60'), entry('DE', '1.10'), entry('FR', '1.20')],
  })
  await call('PUT', '/setup/v3/drafts/config_entry/postage.at', {
    text: JSON.stringify(entry('AT', '7.77')),
    version: 0,
  })
  await rename({ page, url })
}

async function rename({ page, url }: Pick<Studio, 'page' | 'url'>): Promise<void> {
  await page.goto(`${url}/c/config_set/postage?view=form`)
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename everywhere' }).click()
  await page.getByRole('dialog').getByLabel('New key').fill('postage_price')
  await page.getByRole('button', { name: 'Draft rename' }).click()
}

test('edited entries of a renamed set follow the rename', async ({ studio }) => {
  const { page, url, call } = studio
  await renamePostage(studio)
  const list = page.getByRole('region', { name: 'List of changes' })
  const edited = list.getByRole('checkbox', { name: /AT/ })
  await expect(edited).toBeChecked()
  await expect(list.getByText('7.77')).toBeVisible()
  await expect(list.getByText('Retroactive')).toHaveCount(0)

  // Its draft can be left out.
  const planned = page.waitForResponse((each) => each.request().postData()?.includes('dependencies') === true)
  await edited.uncheck()
  await (await planned).finished()
  // Also once the plan without it is known, which still contains the rename of its component.
  await expect(page.getByRole('button', { name: /^Apply/ })).toBeEnabled()
  await expect(edited).not.toBeChecked()
  await edited.check()
  await expect(edited).toBeChecked()

  await page.goto(`${url}/c/config_set/postage_price`)
  await expect(page.getByText('postage_price is the new key of postage')).toBeVisible()

  const { generation } = await call<{ generation: number }>('POST', '/metadata/v3/apply', { drafts: true })
  await visit(page, `${url}/generations/${generation}`)
  await expect(page.getByText('4 changes against')).toBeVisible()
  await expect(page.getByText('Removed', { exact: false })).toHaveCount(0)
  await visit(page, `${url}/c/config_set/postage_price`)
  await expect(page.getByRole('gridcell', { name: '7.77' })).toBeVisible()
})

test.describe('with a draft by another user', () => {
  test.use({ people: [mara] })

  test('an edited entry shows who drafted it under its new key', async ({ studio, playwright }) => {
    const { page, url, call } = studio
    await call('POST', '/metadata/v3/apply', { components: [set, entry('AT', '1.60'), entry('DE', '1.10')] })
    const hers = await playwright.request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } })
    await hers.post('/session/password', { data: { user: mara.key, password: mara.password } })
    const data = { text: JSON.stringify(entry('AT', '7.77')), version: 0 }
    expect((await hers.put('/setup/v3/drafts/config_entry/postage.at', { data })).ok()).toBe(true)
    await hers.dispose()
    await rename(studio)
    const list = page.getByRole('region', { name: 'List of changes' })
    await expect(list.getByText('7.77')).toBeVisible()
    await expect(list.getByText('Drafted by Mara Tamm')).toBeVisible()
  })
})
