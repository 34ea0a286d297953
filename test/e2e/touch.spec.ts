// Records on a phone: everything that is pressed is large enough for a finger, and no panel stays in the way.
import type { Page } from '@playwright/test'
import { layRecords, type Saved } from './support/orders.ts'
import { expect, testInOwnPage as test } from './support/test.ts'

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

/** Controls that are in view, with less than 40 pixels that react. */
const smallControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** From the middle of a control, within the 40 pixels. */
    const reach = 19
    const inView = (element: Element): boolean => {
      const { width, height, top, bottom } = element.getBoundingClientRect()
      const isShown = width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden'
      if (!isShown || top < 0 || bottom > window.innerHeight) return false
      const scroll = element.closest('.scroll')?.getBoundingClientRect()
      return scroll === undefined || (top >= scroll.top && bottom <= scroll.bottom)
    }
    return [...document.querySelectorAll('a[href], button, input, select, textarea')]
      .filter(inView)
      .filter((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        const [middle, centre] = [x + width / 2, y + height / 2]
        const label = element.closest('label')
        const reacts = (left: number, top: number): boolean => {
          const hit = document.elementFromPoint(left, top)
          return hit !== null && (element.contains(hit) || (label !== null && label.contains(hit)))
        }
        const isWide =
          width >= 2 * reach || (reacts(middle - reach, centre) && reacts(middle + reach, centre))
        return !(isWide && reacts(middle, centre - reach) && reacts(middle, centre + reach))
      })
      .map((element) => `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`)
  })

test('controls of the pages of records are large enough for a finger, and the explanation can be closed', async ({
  studio,
}) => {
  const { page } = studio
  const ids = await layRecords(studio)
  const { id } = await studio.call<Saved>('POST', '/data/v3/order', {
    ...{ number: 'O-1', buyer: ids['Packhaus Hamm'], placed: '2022-01-01', net: '100' },
  })
  for (const path of ['/records/order?filter=net > 0', '/records/order/new', `/records/order/${id}`]) {
    await page.goto(studio.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Loading')).toHaveCount(0)
    expect.soft(await smallControls(page), path).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(overflow, path).toBeLessThanOrEqual(0)
  }

  const panel = page.getByRole('complementary', { name: 'Why this value' })
  await expect(panel).toBeHidden()
  const why = page.getByRole('button', { name: 'stored formula: why Duty has this value' })
  await why.tap()
  await expect(panel).toContainText('net * config.duty(buyer.country).rate')
  expect(await smallControls(page)).toEqual([])
  await panel.getByRole('button', { name: 'Close the explanation' }).tap()
  await expect(panel).toBeHidden()
  await expect(why).toBeFocused()
  await expect(page).not.toHaveURL(/why/)
})
