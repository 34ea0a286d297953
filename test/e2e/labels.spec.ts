// Placeholders do not look like values.
import { layGround } from './support/ground.ts'
import { expect, test } from './support/test.ts'

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
