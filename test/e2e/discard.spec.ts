// Drafts are discarded from Changes, one or many, and restored exactly; those of other users are not discarded by
// accident.
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

const password = 'correct horse battery'

async function drafts({ call }: Studio): Promise<unknown[]> {
  return (await call<{ drafts: unknown[] }>('GET', '/setup/v3/drafts')).drafts
}

async function draft({ call }: Studio, key: string, text?: string): Promise<void> {
  const component = { type: 'value_set', key, label: key, body: { values: [{ key: 'A', label: 'A' }] } }
  await call('PUT', `/setup/v3/drafts/value_set/${key}`, {
    text: text ?? JSON.stringify(component),
    version: 0,
  })
}

async function openChanges(studio: Studio): Promise<void> {
  await layGround(studio)
  await draft(studio, 'colour')
  await draft(studio, 'season')
  await draft(studio, 'half_typed', '{ "label": "Half')
  await studio.page.goto(`${studio.url}/changes`)
  await expect(studio.page.getByRole('checkbox', { name: 'colour, added' })).toBeVisible()
}

test('one draft, the selected ones or all own ones are discarded, and restored exactly, even after a reload', async ({
  studio,
}) => {
  const { page } = studio
  await openChanges(studio)
  const before = await drafts(studio)
  const choose = async (name: RegExp): Promise<void> => {
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const bar = page.getByRole('region', { name: 'Discarded' })
  const undo = async (): Promise<void> => {
    await bar.getByRole('button', { name: 'Undo' }).click()
    await expect(bar).toBeHidden()
    expect(await drafts(studio)).toEqual(before)
  }

  await page.getByRole('checkbox', { name: 'season, added' }).focus()
  await page.keyboard.press('Delete')
  await expect(bar).toContainText('1 draft discarded: season')
  await expect(page.getByRole('checkbox', { name: 'season, added' })).toBeHidden()
  expect(await drafts(studio)).toHaveLength(before.length - 1)
  await undo()
  await expect(page.getByRole('checkbox', { name: 'season, added' })).toBeVisible()

  await page.getByRole('checkbox', { name: 'season, added' }).uncheck()
  await choose(/your \d+ ticked drafts?/)
  await expect(bar).toContainText('drafts discarded')
  await expect(page.getByRole('checkbox', { name: 'season, added' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'colour, added' })).toBeHidden()
  // A draft that cannot be read is not ticked at first.
  expect(JSON.stringify(await drafts(studio))).toContain('half_typed')
  await page.reload()
  await undo()

  await choose(/all your drafts \(\d+\)/)
  await expect(page.getByRole('heading', { name: 'Nothing to review' })).toBeVisible()
  expect(await drafts(studio)).toEqual([])
  await page.reload()
  await undo()
  await expect(page.getByRole('checkbox', { name: 'colour, added' })).toBeVisible()
})

test.describe('with a second author', () => {
  test.use({ people: [{ key: 'ines', name: 'Ines', password }] })

  test('the draft of another user is discarded only after a confirmation', async ({ studio, browser }) => {
    const { page, url } = studio
    await openChanges(studio)
    const context = await browser.newContext()
    const headers = { origin: url }
    await context.request.post(`${url}/session/password`, { data: { user: 'ines', password }, headers })
    const theirs = { type: 'value_set', key: 'theirs', label: 'theirs', body: { values: [] } }
    const response = await context.request.put(`${url}/setup/v3/drafts/value_set/theirs`, {
      data: { text: JSON.stringify(theirs), version: 0 },
      headers,
    })
    expect(response.status()).toBe(200)
    await context.close()
    const before = await drafts(studio)
    const box = page.getByRole('checkbox', { name: 'theirs, added' })
    await expect(box).toBeVisible()
    await box.check()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByRole('menuitem', { name: /all your drafts \(\d+\)/ }).click()
    await expect(page.getByRole('checkbox', { name: 'colour, added' })).toBeHidden()
    await expect(box).toBeVisible()

    await box.focus()
    await page.keyboard.press('Delete')
    const question = page.getByRole('dialog', { name: 'Discard another user’s draft?' })
    await expect(question).toContainText('Ines wrote or changed the draft of value_set/theirs')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(box).toBeVisible()
    await box.focus()
    await page.keyboard.press('Delete')
    await question.getByRole('button', { name: 'Discard draft' }).click()
    const bar = page.getByRole('region', { name: 'Discarded' })
    await expect(bar).toContainText('1 draft discarded: theirs')
    await bar.getByRole('button', { name: 'Undo' }).click()
    await expect(box).toBeVisible()
    const mine = (row: unknown): boolean => JSON.stringify(row).includes('theirs')
    // The list may still show the draft from before the discard.
    await expect.poll(async () => (await drafts(studio)).filter(mine)).toEqual(before.filter(mine))
  })
})
