// axe finds nothing on any page in all three themes and at both sizes for which the studio is designed. Every control
// has a name, and one without a text also has a tooltip.
import type { Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layGround, layRemote, layRequest } from './support/ground.ts'
import { pages, show, type Sight } from './support/sights.ts'
import { expect, test } from './support/test.ts'
import { hasStudio } from './support/visit.ts'

interface Look {
  theme: 'light' | 'dark' | 'contrast'
  size: { width: number; height: number }
  /** Tags of the rules; all if omitted. */
  tags?: string[]
}

// Contrast depends on the theme, order and folding depend on the size: every theme and both sizes are tested. A page is
// shown once and then changed as a user would change it, because showing it takes longer than axe.
const looks: readonly Look[] = [
  { theme: 'light', size: { width: 1440, height: 900 } },
  { theme: 'dark', size: { width: 1024, height: 700 } },
  // Only the colours differ from the look before.
  { theme: 'contrast', size: { width: 1024, height: 700 }, tags: ['cat.color'] },
]

const nameOf = ({ theme, size }: Look): string => `${theme}, ${size.width} by ${size.height}`

/** High contrast is chosen in the studio; the other themes come from the system. */
async function changeLook(page: Page, { theme, size }: Look): Promise<void> {
  if (page.viewportSize()?.width !== size.width) await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: theme === 'light' ? 'light' : 'dark', reducedMotion: 'reduce' })
  if (!(await hasStudio(page))) return
  // As if it was chosen in another window.
  await page.evaluate(
    (chosen) => {
      const key = 'almanac.theme'
      if (chosen === null) localStorage.removeItem(key)
      else localStorage.setItem(key, chosen)
      dispatchEvent(new StorageEvent('storage', { key }))
    },
    theme === 'contrast' ? theme : null,
  )
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
}

/** Controls without a name, and those without a text that have no tooltip. */
function unnamedControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const words = (node: Node): string => {
      if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
      if (!(node instanceof HTMLElement) || node.matches('.vh, kbd, [hidden], [aria-hidden=true]')) return ''
      return [...node.childNodes].map(words).join('')
    }
    const labelOf = (control: HTMLElement): string =>
      (control.getAttribute('aria-labelledby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join('') ||
      (control.getAttribute('aria-label') ?? '') ||
      (control.textContent ?? '') ||
      control.title
    const faults = [...document.querySelectorAll<HTMLElement>('button, a[href], [role=button], [role=tab]')]
      .filter((control) => control.checkVisibility() && !control.closest('.monaco-editor'))
      .flatMap((control) => {
        // The tooltip appears with the pointer.
        control.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
        const seen = words(control).trim()
        const hint = control.closest('[title], [data-tip]')
        const unnamed = labelOf(control).trim() === ''
        if (!unnamed && (seen !== '' || hint !== null)) return []
        return [`${unnamed ? 'no name' : 'no tooltip'}: ${control.outerHTML.slice(0, 160)}`]
      })
    return [...new Set(faults)]
  })
}

async function check(page: Page, url: string, sight: Sight): Promise<void> {
  for (const look of looks) {
    const isFirst = look === looks[0]
    await changeLook(page, look)
    // What is opened on a page may close with the new size.
    if (isFirst || (sight.act !== undefined && look.tags === undefined)) await show(page, url, sight)
    await expect(page.locator('html')).toHaveAttribute('data-theme', look.theme)
    expect.soft(await violations(page, look.tags), `${sight.name}, ${nameOf(look)}`).toEqual([])
    if (isFirst) expect.soft(await unnamedControls(page), sight.name).toEqual([])
  }
}

const parts = 3
for (let part = 0; part < parts; part += 1)
  test(`axe finds nothing on any page, and every control has a name: part ${part + 1} of ${parts}`, async ({
    studio,
  }) => {
    test.setTimeout(600_000)
    const { page, url } = studio
    const resultId = await layGround(studio)
    await layRemote(studio)
    await layRequest(studio)
    const all = pages(resultId)
    const [from, to] = [part, part + 1].map((at) => Math.floor((all.length * at) / parts))
    for (const sight of all.slice(from, to)) await check(page, url, sight)
  })

const dialogs: { name: string; open: (page: Page) => Promise<unknown> }[] = [
  { name: 'palette', open: (page) => page.keyboard.press('Control+k') },
  { name: 'shortcuts', open: (page) => page.getByRole('button', { name: 'Keyboard shortcuts' }).click() },
  { name: 'new component', open: (page) => page.getByRole('button', { name: 'New component' }).click() },
  { name: 'new value', open: (page) => page.getByRole('button', { name: 'New value from' }).click() },
]
for (const { name, open } of dialogs)
  test(`axe finds nothing in the dialog “${name}”`, async ({ studio }) => {
    const { page } = studio
    await layGround(studio)
    await changeLook(page, looks[0]!)
    await page.goto(`${studio.url}/c/config_set/vat_rate`)
    await page.getByRole('row').nth(1).waitFor()
    await open(page)
    for (const look of looks) {
      await changeLook(page, look)
      await page.getByRole('dialog').waitFor()
      expect.soft(await violations(page, look.tags), nameOf(look)).toEqual([])
    }
  })
