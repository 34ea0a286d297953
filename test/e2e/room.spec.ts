// Limited space: next to another side, on a small screen, at 200 %. Rows stay visible, and repairs within reach.
import type { Locator, Page } from '@playwright/test'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

const sizes = [
  { width: 1024, height: 700, split: true },
  { width: 720, height: 450, split: false },
  { width: 720, height: 450, split: true },
] as const

/** Rows with values of Croatia, which end two days before the next begins. */
async function openGap(studio: Studio, split: boolean): Promise<{ page: Page; side: Locator }> {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/c/config_set/vat_rate`)
  await expect(page.getByRole('grid', { name: 'Entries' })).toBeVisible()
  if (split) await page.keyboard.press('Control+\\')
  const side = split ? page.getByRole('region', { name: 'Right pane' }) : page.locator('.pane')
  await side.locator('[aria-rowindex="6"] > [aria-colindex="2"]').click()
  return { page, side }
}

for (const { width, height, split } of sizes) {
  const name = `${width}×${height}${split ? ', beside another side' : ''}`

  test(`at ${name} the sheet has a heading and five rows, and repairs are within reach`, async ({
    studio,
  }) => {
    await studio.page.setViewportSize({ width, height })
    const { page, side } = await openGap(studio, split)
    const grid = (await side.getByRole('grid', { name: 'Entries' }).boundingBox())!
    const foot = (await side.locator('.sheet-foot').boundingBox())!
    expect(grid.width).toBeGreaterThan(200)
    expect(grid.y + grid.height).toBeLessThanOrEqual(foot.y + 1)
    expect(foot.y + foot.height).toBeLessThanOrEqual(height)
    for (const row of [1, 2, 3, 4, 5, 6]) {
      const box = (await side.locator(`[aria-rowindex="${row}"]`).boundingBox())!
      expect(box.y, `row ${row}`).toBeGreaterThanOrEqual(grid.y)
      expect(box.y + box.height, `row ${row}`).toBeLessThanOrEqual(grid.y + grid.height)
    }
    const toolbar = (await side.getByRole('toolbar', { name: 'Entries' }).boundingBox())!
    expect(toolbar.height).toBeLessThan(40)

    const others = side.getByRole('button', { name: 'or…' })
    await others.scrollIntoViewIfNeeded()
    await expect(others).toBeInViewport({ ratio: 1 })
    const fix = side.getByRole('button', { name: /^Extend / })
    const pane = (await side.boundingBox())!
    const box = (await fix.boundingBox())!
    expect(box.x + box.width).toBeLessThanOrEqual(pane.x + pane.width)
    await others.click()
    await page.getByRole('menuitem', { name: /^Start 0\.2500/ }).click()
    await expect(side.locator('.sheet-foot')).toContainText('Fixed')
  })
}

test('what a narrow side folds is in one menu, and the timeline returns with a press', async ({ studio }) => {
  await studio.page.setViewportSize({ width: 660, height: 450 })
  const { page, side } = await openGap(studio, false)
  await expect(side.getByRole('button', { name: 'Export' })).toBeHidden()
  await side.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menuitem')).toContainText(['Fill down', 'Undo', 'Redo', 'Import file', 'CSV'])
  await page.keyboard.press('Escape')
  await expect(side.getByLabel('As of')).toBeHidden()
  await side.getByRole('button', { name: 'Show timeline' }).click()
  await side.getByLabel('As of').scrollIntoViewIfNeeded()
  await expect(side.getByLabel('As of')).toBeInViewport({ ratio: 1 })
  await expect(side.locator('[aria-rowindex="6"] > [aria-colindex="2"]')).toBeInViewport({ ratio: 1 })
  await side.getByRole('button', { name: 'Collapse timeline' }).click()
  await expect(side.getByLabel('As of')).toBeHidden()
})

test('at 1024×700 the actions of a list of findings are completely visible, including the longest button', async ({
  studio,
}) => {
  const { page } = studio
  await page.setViewportSize({ width: 1024, height: 700 })
  await layGround(studio)
  await studio.call('PUT', '/setup/v3/approvals', { required: 1 })
  for (const slug of ['de_1998_04_01', 'de_2007_01_01', 'de_2020_07_01'])
    await studio.call('PUT', `/setup/v3/drafts/config_entry/vat_rate.${slug}`, { text: null, version: 0 })
  await page.goto(`${studio.url}/changes`)
  const submit = page.getByRole('button', { name: /^Submit \d changes for approval \(\d errors?\)$/ })
  await expect(submit).toBeVisible()
  for (const part of [submit, page.getByLabel('Apply on')]) {
    const box = (await part.boundingBox())!
    expect(box.x + box.width).toBeLessThanOrEqual(1024)
  }
})
