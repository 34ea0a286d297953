// Every control has a name, and one without a text also has a tooltip. Placeholders do not look like values.
import { layGround, layRemote, layRequest } from './support/ground.ts'
import { pages, show } from './support/sights.ts'
import { expect, test } from './support/test.ts'

test('every control of every page has a name, and a control without a text has a tooltip', async ({
  studio,
}) => {
  test.setTimeout(300_000)
  const { page } = studio
  const resultId = await layGround(studio)
  await layRemote(studio)
  await layRequest(studio)
  for (const sight of pages(resultId)) {
    await show(page, studio.url, sight)
    const faults = await page.evaluate(() => {
      const words = (node: Node): string => {
        if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
        if (!(node instanceof HTMLElement) || node.matches('.vh, kbd, [hidden], [aria-hidden=true]'))
          return ''
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
      return [...document.querySelectorAll<HTMLElement>('button, a[href], [role=button], [role=tab]')]
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
    })
    expect.soft([...new Set(faults)], sight.name).toEqual([])
  }
})

test('a placeholder does not look like a value', async ({ studio }) => {
  const { page, url } = studio
  await layGround(studio)
  await page.goto(`${url}/playground`)
  const set = page.locator('input[placeholder="Example: vat_rate"]')
  await expect(set).toBeVisible()
  const look = (): Promise<string[]> =>
    set.evaluate((field) => {
      const [value, placeholder] = [getComputedStyle(field), getComputedStyle(field, '::placeholder')]
      return [value.fontStyle, placeholder.fontStyle, String(value.color === placeholder.color)]
    })
  expect(await look()).toEqual(['normal', 'italic', 'false'])
})
