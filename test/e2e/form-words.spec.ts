// A form names fields instead of JSON, reports only fields that have been left, and does not contradict itself.
import { layGround } from './support/ground.ts'
import { expect, test } from './support/test.ts'
import { visit } from './support/visit.ts'

const json = /"[A-Za-z]+": |\{ "|in quotes|in braces|in brackets/

test('a new component shows no faults before anything is typed', async ({ studio }) => {
  const { page, url } = studio
  await page.goto(`${url}/new/feature_flag`)
  await page.getByLabel('Key', { exact: true }).fill('early')
  await page.getByRole('button', { name: 'Create draft' }).click()
  const form = page.locator('form.form')
  await expect(form).toBeVisible()
  // The server has validated it by now: the inspector and the list of problems show both faults.
  await expect(page.getByText('has no owner', { exact: false }).first()).toBeVisible()
  await expect(form.locator('.said-by')).toHaveCount(0)

  await form.locator('[data-pointer="/body/expiresOn"] input').first().focus()
  await expect(form.locator('.said-by')).toHaveCount(0)
  await form.locator('[data-pointer="/body/rationale"]').locator('textarea, input').first().focus()
  const message = form.locator('[data-pointer="/body/expiresOn"] .said-by')
  await expect(message).toHaveCount(1)
  await expect(form.locator('[data-pointer="/body/owner"] .said-by')).toHaveCount(0)

  // On the way from a problem to its place, the form shows all faults.
  await visit(page, `${url}/c/feature_flag/early?at=/body/owner`)
  await expect(form.locator('[data-pointer="/body/owner"] .said-by')).toHaveCount(1)
  for (const text of await form.locator('.said-by').allTextContents()) expect(text).not.toMatch(json)
})

test('a value without an active property counts and is shown as active', async ({ studio }) => {
  const { page, url, call } = studio
  const values = [
    { key: 'EUR', label: 'Euro' },
    { key: 'DEM', label: 'Mark', active: false },
  ]
  await call('PUT', '/setup/v3/drafts/value_set/coins', {
    text: JSON.stringify({ type: 'value_set', key: 'coins', label: 'Coins', body: { values } }),
    version: 0,
  })
  await page.goto(`${url}/c/value_set/coins`)
  const row = (key: string) => page.locator('.rows li', { hasText: key })
  await row('EUR').getByRole('button', { name: /EUR/ }).first().click()
  await expect(row('EUR').locator('.switch')).toHaveText('yes')
  await row('DEM').getByRole('button', { name: /DEM/ }).first().click()
  await expect(row('DEM').locator('.switch')).toHaveText('no')
})

test('the inspector shows the uses of one value of a value set', async ({ studio }) => {
  const { page, url, call } = studio
  const value = (key: string) => ({ key, label: key })
  await call('POST', '/metadata/v3/apply', {
    components: [
      { type: 'value_set', key: 'coins', label: 'Coins', body: { values: ['EUR', 'USD'].map(value) } },
      {
        type: 'object',
        key: 'till',
        label: 'Till',
        body: {
          fields: [
            { key: 'coin', type: 'enum', valueSet: 'coins' },
            { key: 'home', type: 'boolean', formula: { expression: 'coin == "EUR"' } },
          ],
        },
      },
    ],
  })
  await page.goto(`${url}/c/value_set/coins`)
  const uses = page.locator('.uses li')
  // One row for the object: its field and its formula.
  await expect(uses).toHaveCount(1)
  await expect(uses).toContainText('2 places')
  await page.getByLabel('Value', { exact: true }).selectOption('EUR')
  await expect(uses).toHaveCount(1)
  await page.getByLabel('Value', { exact: true }).selectOption('USD')
  await expect(uses).toHaveCount(0)
})

test('a change of type removes the old size, and the form names the missing date', async ({ studio }) => {
  const { page, url, call } = studio
  const body = {
    cardinality: 'singleton',
    effectiveDated: true,
    scopes: ['org'],
    fields: [{ key: 'rate', type: 'number', precision: 3, scale: 7 }],
    read: { administrator: 'read' },
  }
  await call('PUT', '/setup/v3/drafts/config_set/fee', {
    text: JSON.stringify({ type: 'config_set', key: 'fee', label: 'Fee', body }),
    version: 0,
  })
  await page.goto(`${url}/c/config_set/fee?at=/body/asOfField`)
  const form = page.locator('form.form')
  const asOf = form.locator('[data-pointer="/body/asOfField"]')
  await expect(asOf.locator('.said-by')).toContainText('has no "As-of field"')
  await expect(asOf.locator('.req')).toHaveCount(1)
  const line = form.locator('[data-pointer="/body/fields"] li')
  await expect(line.locator('.said-by')).toContainText('Raise "Digits" to at least 7')

  const type = form.locator('[data-pointer="/body/fields/0/type"] select')
  await type.selectOption({ label: 'Text' })
  await type.blur()
  await expect(form.locator('[data-pointer="/body/fields/0/precision"]')).toHaveCount(0)
  await expect(line.locator('.said-by')).toHaveCount(0)
  await type.selectOption({ label: 'Number' })
  await expect(form.locator('[data-pointer="/body/fields/0/precision"] input')).toHaveValue('3')
})

test('a new number shows no fault while its digits are missing', async ({ studio }) => {
  const { page, url } = studio
  await page.goto(`${url}/new/config_set`)
  await page.getByLabel('Key', { exact: true }).fill('fee')
  await page.getByRole('button', { name: 'Create draft' }).click()
  const form = page.locator('form.form')
  await form.locator('[data-pointer="/body/fields"]').getByRole('button', { name: 'Add' }).click()
  await page.keyboard.type('amount')
  await page.keyboard.press('Tab')
  await page.keyboard.type('num')
  await page.keyboard.press('Tab')
  const digits = form.locator('[data-pointer="/body/fields/0/precision"] input')
  await expect(digits).toBeFocused()
  // The server has validated it by now.
  await expect(page.getByText('amount is of type "Number"', { exact: false }).first()).toBeVisible()
  await expect(form.locator('.said-by')).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(form.locator('.said-by')).toHaveCount(1)
  await expect(form.locator('.said-by')).toContainText('Specify how many digits')
})

test('a key in use links to its component, and the typed label stays', async ({ studio }) => {
  const { page, url } = studio
  await layGround(studio)
  await page.goto(`${url}/new/config_set`)
  await page.getByLabel('Label', { exact: true }).fill('My rates')
  await page.getByLabel('Key', { exact: true }).fill('vat_rate')
  await expect(page.getByRole('status').filter({ hasText: 'vat_rate already exists.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create draft' })).toBeDisabled()
  await expect(page.getByLabel('Label', { exact: true })).toHaveValue('My rates')
  await page.getByRole('link', { name: 'Open vat_rate' }).click()
  await expect(page).toHaveURL(/\/c\/config_set\/vat_rate/)
})
