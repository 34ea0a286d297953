// A press on the button below a list counts although the list is checked again between the press and the release.
import type { Page } from '@playwright/test'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

const entry = (rate: string): object => ({
  type: 'config_entry',
  key: 'vat_rate.de_2021_01_01',
  label: 'DE from 2021',
  body: {
    ...{ set: 'vat_rate', key: 'DE', scope: { kind: 'org' }, effectiveFrom: '2021-01-01' },
    values: { rate },
  },
})

const draftRate = ({ call }: Studio, rate: string, version = 0): Promise<unknown> =>
  call('PUT', '/setup/v3/drafts/config_entry/vat_rate.de_2021_01_01', {
    text: JSON.stringify(entry(rate)),
    version,
  })

/** The change list with one draft. */
async function openChange(studio: Studio): Promise<Page> {
  await layGround(studio)
  for (const key of ['vat_rate.hr_2012_03_01', 'vat_rate.hr_2023_01_01'])
    await studio.call('DELETE', `/setup/v3/drafts/config_entry/${key}`)
  await draftRate(studio, '0.21')
  await studio.page.goto(`${studio.url}/changes`)
  return studio.page
}

/** Presses a button, releases it while the plan for the new rationale is on its way, then lets the plan arrive. */
async function pressWhileChecked(page: Page, name: RegExp, meanwhile = async (): Promise<void> => {}) {
  const button = page.getByRole('button', { name })
  await expect(button).toBeEnabled()
  const arrives = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route('**/metadata/v3/plan', async (route) => {
    asked.resolve()
    await arrives.promise
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'Rationale' }).fill('The law of 2026')
  await button.hover()
  await page.mouse.down()
  await asked.promise
  await page.mouse.up()
  await meanwhile()
  arrives.resolve()
}

test('a list is applied by a press during which it is checked for a new rationale', async ({ studio }) => {
  const page = await openChange(studio)
  await pressWhileChecked(page, /^Apply 1 change/)
  await expect(page.getByRole('region', { name: 'Applied' })).toContainText('Generation 3 is active')
})

test('a list that changed during the press is not applied, and the message explains why', async ({
  studio,
}) => {
  const page = await openChange(studio)
  await pressWhileChecked(page, /^Apply 1 change/, async () => {
    await draftRate(studio, '0.22', 1)
  })
  await expect(page.getByRole('alert')).toContainText('The list changed at that moment, so nothing was sent.')
  await expect(page.getByRole('grid')).toContainText('0.22')
  const { generations } = (await studio.call('GET', '/metadata/v3/generations')) as {
    generations: { generation: number }[]
  }
  expect(generations[0]!.generation).toBe(2)
})

test('a restore is applied by a press during which it is checked for a new rationale', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await studio.call('POST', '/metadata/v3/apply', { components: [entry('0.21')] })
  await page.goto(`${studio.url}/generations/2`)
  await page.getByRole('link', { name: /Restore/ }).click()
  await pressWhileChecked(page, /^Restore generation 2/)
  await expect(page).toHaveURL(/\/generations\/4$/)
})
