// The time machine: a point moved with keys and with the mouse, two points compared, missing values explained, stored
// values proved again.
import type { Locator, Page } from '@playwright/test'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'
import { visit } from './support/visit.ts'

const entry = (slug: string, from: string, to: string | null, rate: string): object => ({
  ...{ type: 'config_entry', key: `vat_rate.${slug}`, label: `DE from ${from}` },
  body: {
    ...{ set: 'vat_rate', key: 'DE', scope: { kind: 'org' } },
    ...{ effectiveFrom: from, effectiveTo: to, values: { rate } },
  },
})

/** Generation 2 has 0.19 from 2021 on; generation 3 has 0.21 from 2027 on. Returns the id of a stored result. */
async function layHistory(studio: Studio): Promise<string> {
  const resultId = await layGround(studio)
  const components = [
    entry('de_2021_01_01', '2021-01-01', '2027-01-01', '0.19'),
    entry('de_2027_01_01', '2027-01-01', null, '0.21'),
  ]
  await studio.call('POST', '/metadata/v3/apply', { components, rationale: 'The law of 2027' })
  return resultId
}
/** The first query waits for the thread that runs long reads. */
const patient = { timeout: 25_000 }
const cell = (page: Page, name: string, side: 'a' | 'b'): Locator =>
  page.locator(`[data-cell="${name} ${side}"]`)
const point = (page: Page, side: 'A' | 'B'): Locator =>
  page.getByRole('button', { name: new RegExp(`^Point ${side}:`) })

// Each URL loads the studio again, which takes long on a busy machine.
test.beforeEach(() => test.setTimeout(120_000))

test('a point is moved with keys, and the answer, its explanation and the URL follow', async ({ studio }) => {
  const { page } = studio
  await layHistory(studio)
  await page.goto(`${studio.url}/time`)
  await page.getByRole('combobox', { name: 'Set or flag' }).fill('vat_rate')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'territory' }).fill('DE')
  await page.getByRole('textbox', { name: 'as of' }).last().fill('2026-12-31')
  await expect(point(page, 'B')).toHaveAccessibleName(
    'Point B: generation 3, as of 31 Dec 2026: 0.1900',
    patient,
  )
  await point(page, 'B').focus()
  await page.keyboard.press('ArrowRight')
  await expect(point(page, 'B')).toHaveAccessibleName('Point B: generation 3, as of 1 Jan 2027: 0.2100')
  await expect(cell(page, 'Rate', 'b')).toHaveText('0.2100')
  await expect(cell(page, 'Deployed by', 'b')).toHaveText('admin, 3')
  // The same day as it was known before.
  await page.keyboard.press('ArrowDown')
  await expect(cell(page, 'Rate', 'b')).toHaveText('0.1900')
  await expect(cell(page, 'Last day', 'b')).toHaveText('open')
  // To the next day on which something changes, and back to now.
  await page.keyboard.press('Control+ArrowLeft')
  await page.keyboard.press('Control+ArrowLeft')
  await page.keyboard.press('Control+ArrowLeft')
  await page.keyboard.press('Control+ArrowRight')
  await expect(point(page, 'B')).toHaveAccessibleName('Point B: generation 2, as of 1 Jul 2020: 0.1600')
  await page.keyboard.press('ArrowUp')
  await expect(page).toHaveURL(/\/time\/vat_rate\?key=DE&b=3%402020-07-01|b=3@2020-07-01/)
  await page.reload()
  await expect(point(page, 'B')).toHaveAccessibleName('Point B: generation 3, as of 1 Jul 2020: 0.1600')
  // Both points on one day: which generation changed the answer.
  await visit(page, `${studio.url}/time/vat_rate?key=DE&a=2@2027-06-01&b=3@2027-06-01`)
  await expect(
    page.getByText(/Generation 2 has 0.1900 for 1 Jun 2027; 3 \(.*admin\) changed it to 0.2100/),
  ).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Resolution steps' }).getByText('Open in the playground'),
  ).toHaveCount(2)
  await page.getByRole('button', { name: 'List' }).click()
  await expect(page.getByRole('row', { name: /0.1900 .*0.2100 from 1 Jan 2027/ })).toBeVisible()
})

test('a point is dragged, and Escape returns it', async ({ studio }) => {
  const { page } = studio
  await layHistory(studio)
  await page.goto(`${studio.url}/time/vat_rate?key=DE&a=2@2026-01-01&b=3@2026-01-01`)
  await expect(point(page, 'B')).toBeVisible(patient)
  const box = (await point(page, 'B').boundingBox())!
  const other = (await point(page, 'A').boundingBox())!
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x - 60, other.y + 6, { steps: 4 })
  await expect(point(page, 'B')).toHaveAccessibleName(/generation 2, as of/)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(point(page, 'B')).toHaveAccessibleName(/generation 3, as of 1 Jan 2026/)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x - 60, other.y + 6, { steps: 4 })
  await page.mouse.up()
  await expect(point(page, 'B')).toHaveAccessibleName(/generation 2, as of/)
  await expect(page).toHaveURL(/b=2/)
})

test('the whole set is compared, and one of its keys links to its map', async ({ studio }) => {
  const { page } = studio
  await layHistory(studio)
  await page.goto(`${studio.url}/time/vat_rate?view=set&a=2@2027-06-01&b=3@2027-06-01`)
  await expect(page.getByText('1 key differs; 1 of 1 key compared.')).toBeVisible(patient)
  await expect(page.getByRole('row', { name: /DE Rate 0.1900 0.2100/ })).toBeVisible()
  await page.getByRole('button', { name: 'DE', exact: true }).click()
  await expect(cell(page, 'Rate', 'b')).toHaveText('0.2100')
})

test('what does not exist is explained: a day before all, a generation, a set, an invalid day', async ({
  studio,
}) => {
  const { page } = studio
  await layHistory(studio)
  await page.goto(`${studio.url}/time/vat_rate?key=DE&a=3@1900-01-01&b=99@2026-01-01`)
  await expect(page.getByText(/starts on 1 Apr 1998|1998-04-01|1 Apr 1998/).first()).toBeVisible(patient)
  await expect(page.getByText('Generation 99 does not exist. The active one is 3.').first()).toBeVisible()
  await expect(page.locator('a[href$="/generations/3"]').first()).toBeVisible()
  await expect(page.locator('a[href$="/generations/99"]')).toHaveCount(0)
  await expect(cell(page, 'Rate', 'a')).toHaveText('–')
  await visit(page, `${studio.url}/time/vat_rate?key=DE&a=3@9999-12-31`)
  await expect(cell(page, 'Rate', 'a')).toHaveText('0.2100')
  await visit(page, `${studio.url}/time/nothing`)
  await expect(page.getByText(/The set or flag "nothing" does not exist/).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Choose a different set or flag' })).toBeVisible()
  await visit(page, `${studio.url}/time/vat_rate?key=DE&a=3@2026-02-30`)
  await expect(page.getByText('Enter the generation as a number and the day as 2026-12-31.')).toBeVisible()
})

test('a stored result is replayed and recomputed next to the map; a binding is opened; rebinding requires a confirmation', async ({
  studio,
}) => {
  const { page } = studio
  await layGround(studio)
  const components = [entry('de_2021_01_01', '2021-01-01', null, '0.21')]
  await studio.call('POST', '/metadata/v3/apply', { components, rationale: 'Corrected' })
  await page.goto(`${studio.url}/time/vat_rate`)
  await page.getByRole('button', { name: /Invoice 21077, VAT/ }).click()
  // It opens with its points and its key.
  await expect(cell(page, 'Rate', 'a')).toHaveText('0.1900', patient)
  await expect(cell(page, 'Rate', 'b')).toHaveText('0.2100')
  const value = page.getByRole('region', { name: 'Stored result' })
  await value.getByRole('button', { name: 'Replay vintage' }).click()
  await expect(value.getByText('Identical to what was stored, byte for byte.')).toBeVisible()
  await value.getByRole('button', { name: 'Recompute now' }).click()
  await expect(value.getByText('Today’s configuration gives a different value.')).toBeVisible()
  await expect(value.getByRole('region', { name: 'What made the difference' })).toContainText('generation 3')
  await expect(value.getByRole('region', { name: 'Resolution today' })).toContainText('admin, 3')
  await value.getByRole('button', { name: 'Rebind' }).click()
  await page.getByRole('button', { name: 'Rebind it' }).click()
  await expect(value.getByText('its own binding, generation 3')).toBeVisible()
  // The output of evaluate is proved without being stored.
  const brought = await studio.call<object>('POST', '/setup/v3/evaluate', {
    ...{ expression: 'config.vat_rate("DE").rate', asOf: '2026-01-01', generation: 2 },
  })
  const text = JSON.stringify({ expression: 'config.vat_rate("DE").rate', ...brought })
  await page
    .getByLabel('A binding, as a file')
    .setInputFiles({ name: 'offer.json', mimeType: 'application/json', buffer: Buffer.from(text) })
  await expect(value.getByRole('heading', { name: 'offer.json' })).toBeVisible()
  await value.getByRole('button', { name: 'Replay vintage' }).click()
  await expect(value.getByText('Identical to what was stored, byte for byte.')).toBeVisible()
  await expect(value.getByRole('button', { name: 'Rebind' })).toHaveCount(0)
})
