// axe finds nothing on any page in all three themes and at both sizes for which the studio is designed.
import type { Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layGround, layRemote, layRequest } from './support/ground.ts'
import { pages, show } from './support/sights.ts'
import { expect, test } from './support/test.ts'

// Contrast depends on the theme, order and folding depend on the size: every theme and both sizes are tested.
const viewports = [
  { theme: 'light', size: { width: 1440, height: 900 } },
  { theme: 'dark', size: { width: 1024, height: 700 } },
  { theme: 'contrast', size: { width: 1024, height: 700 } },
] as const

/** High contrast is chosen in the studio; the other themes come from the system. */
async function inTheme(page: Page, theme: (typeof viewports)[number]['theme']): Promise<void> {
  await page.emulateMedia({ colorScheme: theme === 'light' ? 'light' : 'dark', reducedMotion: 'reduce' })
  if (theme === 'contrast') await page.addInitScript(() => localStorage.setItem('almanac.theme', 'contrast'))
}

for (const { theme, size } of viewports) {
  test(`axe finds nothing on any page, ${theme}, ${size.width} by ${size.height}`, async ({ studio }) => {
    test.setTimeout(600_000)
    const { page } = studio
    const resultId = await layGround(studio)
    await layRemote(studio)
    await layRequest(studio)
    await page.setViewportSize(size)
    await inTheme(page, theme)
    for (const sight of pages(resultId)) {
      await show(page, studio.url, sight)
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      expect.soft(await violations(page), sight.name).toEqual([])
    }
  })

  test(`axe finds nothing in any dialog, ${theme}, ${size.width} by ${size.height}`, async ({ studio }) => {
    test.setTimeout(240_000)
    const { page } = studio
    await layGround(studio)
    await page.setViewportSize(size)
    await inTheme(page, theme)
    for (const { name, open } of dialogs) {
      await page.goto(`${studio.url}/c/config_set/vat_rate`)
      await page.getByRole('row').nth(1).waitFor()
      await open(page)
      await page.getByRole('dialog').waitFor()
      expect.soft(await violations(page), name).toEqual([])
    }
  })
}

const dialogs: { name: string; open: (page: Page) => Promise<unknown> }[] = [
  { name: 'palette', open: (page) => page.keyboard.press('Control+k') },
  { name: 'shortcuts', open: (page) => page.getByRole('button', { name: 'Keyboard shortcuts' }).click() },
  { name: 'new component', open: (page) => page.getByRole('button', { name: 'New component' }).click() },
  { name: 'new value', open: (page) => page.getByRole('button', { name: 'New value from' }).click() },
]
