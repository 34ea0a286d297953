// The flags: listed by the time they have left, extended with a reason, owned by an active user, switched for some,
// retired.
import type { Page } from '@playwright/test'
import { expect, test, type Studio } from './support/test.ts'
import { visit } from './support/visit.ts'

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const grants = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
const flag = (key: string, days: number): object => ({
  ...{ type: 'feature_flag', key, label: `Flag ${key}` },
  body: {
    ...{ owner: { user: 'admin' }, expiresOn: day(days), rationale: 'Trying it.' },
    ...{ scopes: ['app', 'org'], default: false, ...grants },
  },
})

/** A flag that ends soon and is read, one that is frozen, one with a year left. */
async function layFlags({ call }: Studio): Promise<void> {
  const components = [
    { type: 'app', key: 'shop', label: 'Shop', body: { objects: [], pages: [], flows: [] } },
    ...[flag('soon', 9), flag('gone', -5), flag('late', 300)],
    {
      ...{ type: 'calc_function', key: 'reads', label: 'Reads' },
      body: { params: [], returns: 'boolean', expression: 'flag.soon' },
    },
  ]
  await call('POST', '/metadata/v3/apply', { components, rationale: 'Flags' })
}
const drafts = async ({ call }: Studio): Promise<Map<string, unknown>> => {
  const { drafts: rows } = await call<{ drafts: { id: string; text: string | null }[] }>(
    'GET',
    '/setup/v3/drafts',
  )
  return new Map(
    rows.map(({ id, text }) => [id, text === null ? null : (JSON.parse(text) as { body: object }).body]),
  )
}
const listed = (page: Page) => page.getByRole('region', { name: 'List of flags' }).getByRole('row')

test.beforeEach(() => test.setTimeout(120_000))

test('flags are listed by the time they have left; a frozen one is extended with a new reason', async ({
  studio,
}) => {
  const { page } = studio
  await layFlags(studio)
  await page.goto(`${studio.url}/flags`)
  await expect(listed(page)).toHaveCount(4)
  await expect(listed(page).nth(1)).toContainText(/gone.*frozen for 5 days/)
  await expect(listed(page).nth(2)).toContainText(/soon.*9 days left.*1 place/)
  await page.getByRole('button', { name: 'Expiring 1' }).click()
  await expect(listed(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'All 3' }).click()
  await listed(page).getByRole('link', { name: 'gone' }).click()
  await expect(page.getByRole('combobox', { name: 'Value for everyone' })).toBeDisabled()
  await page.getByRole('button', { name: 'Extend' }).click()
  const extension = page.getByRole('button', { name: 'Draft extension' })
  await page.getByRole('textbox', { name: 'Expires on' }).fill(day(-1))
  await expect(page.getByText('Pick a day in the future.')).toBeVisible()
  await page.getByRole('button', { name: 'in 90 days' }).click()
  // The previous reason does not count as a new one.
  await page.getByRole('textbox', { name: 'Why it is still needed' }).fill('Trying it.')
  await expect(extension).toBeDisabled()
  await page.getByRole('textbox', { name: 'Why it is still needed' }).fill('The bank is late.')
  await extension.click()
  await expect
    .poll(async () => (await drafts(studio)).get('feature_flag/gone'))
    .toMatchObject({ expiresOn: day(90), rationale: 'The bank is late.' })
  // The extension unfreezes it.
  await page.getByRole('combobox', { name: 'Value for everyone' }).selectOption('on')
  await expect
    .poll(async () => (await drafts(studio)).get('feature_flag/gone'))
    .toMatchObject({ default: true })
})

test.describe('with a second user', () => {
  test.use({ people: [{ key: 'ines', name: 'Ines Kovač', password: 'correct horse battery' }] })
  test('an owner is chosen from active users; entries are added, switched and removed as drafts', async ({
    studio,
  }) => {
    const { page } = studio
    await layFlags(studio)
    await page.goto(`${studio.url}/flags/late`)
    await page
      .getByRole('region', { name: 'About late' })
      .getByRole('combobox', { name: 'Owner' })
      .fill('ines')
    await page.getByRole('option', { name: /user:ines/ }).click()
    await expect
      .poll(async () => (await drafts(studio)).get('feature_flag/late'))
      .toMatchObject({ owner: { user: 'ines' } })
    await page.getByRole('combobox', { name: 'Which app' }).fill('shop')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const entry = 'config_entry/late.app_shop'
    await expect
      .poll(async () => (await drafts(studio)).get(entry))
      .toEqual({ set: 'late', scope: { kind: 'app', app: 'shop' }, values: { value: true } })
    const { generation } = await studio
      .call<{ generation: number }>('GET', '/setup/v3/org')
      .then((org) => (org as unknown as { generation: { generation: number } }).generation)
    await studio.call('POST', '/metadata/v3/apply', { drafts: true, base: generation, rationale: 'On' })
    const value = page.getByRole('combobox', { name: 'Value for app, shop' })
    await expect(value).toHaveValue('on')
    await value.selectOption('off')
    await expect
      .poll(async () => (await drafts(studio)).get(entry))
      .toMatchObject({ values: { value: false } })
    await page.getByRole('button', { name: 'Discard the draft for app, shop' }).click()
    await expect.poll(async () => (await drafts(studio)).has(entry)).toBe(false)
    await page.getByRole('button', { name: 'Remove the entry for app, shop' }).click()
    await expect.poll(async () => (await drafts(studio)).get(entry)).toBeNull()
  })
})

test('a flag is retired only after its readers are listed', async ({ studio }) => {
  const { page } = studio
  await layFlags(studio)
  await page.goto(`${studio.url}/flags/soon`)
  await page.getByRole('button', { name: 'Draft removal' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('still referenced by calc_function/reads')
  await expect(dialog.getByRole('button', { name: 'Draft removal anyway' })).toBeVisible()
  await page.keyboard.press('Escape')
  await visit(page, `${studio.url}/flags/gone`)
  await page.getByRole('button', { name: 'Draft removal' }).click()
  await expect(dialog).toContainText('Nothing refers to it.')
  await dialog.getByRole('button', { name: 'Draft removal' }).click()
  await expect.poll(async () => (await drafts(studio)).get('feature_flag/gone')).toBeNull()
  await page.getByRole('button', { name: 'Keep the flag' }).click()
  await expect.poll(async () => (await drafts(studio)).size).toBe(0)
  await visit(page, `${studio.url}/flags/nothing`)
  await expect(page.getByRole('heading', { name: 'nothing does not exist' })).toBeVisible()
})
