// Consecutive queries: what carries over from one to the next, and what must not.
import { expect, input, isOpen, part, test } from '../support/lookup-page.ts'

const field = '<svc-lookup-field mode="edit" label="Who" search-delay="0"></svc-lookup-field>'

test('only the first page may report the count', async ({ lookup }) => {
  const one = await lookup.show(field, 'none')
  await one.evaluate((element) => {
    const search = (_query: string, { cursor = 0 }: { cursor?: number }): unknown => ({
      options: Array.from({ length: 40 }, (_, at) => ({ value: `${cursor}.${at}`, label: `Row ${at}` })),
      next: cursor + 1,
      total: cursor === 0 ? 120 : undefined,
    })
    Object.assign(element, { search })
  })
  await input(one).click()
  await part(one, 'listbox').evaluate((box) => (box.scrollTop = box.scrollHeight))
  await expect(one.locator('[aria-live=polite]')).toHaveText('80 of 120 results')
  await expect(part(one, 'option').first()).toHaveAttribute('aria-setsize', '120')
})

test('a new query skips as many empty pages as the one before', async ({ lookup }) => {
  const one = await lookup.show(field, 'none')
  await one.evaluate((element) => {
    const search = (query: string, { cursor = 0 }: { cursor?: number }): unknown => ({
      options: query !== '' && cursor === 5 ? [{ value: '1', label: 'Ada' }] : [],
      next: query !== '' && cursor === 5 ? null : cursor + 1,
    })
    Object.assign(element, { search })
  })
  await input(one).click()
  await expect(one.locator('.line')).toHaveText('No results yet. Keep searching')
  await input(one).fill('a')
  await expect(part(one, 'option')).toHaveText(['Ada'])
})

test('a source that is replaced at once is not asked for another page, and none is shown', async ({
  lookup,
}) => {
  const one = await lookup.show(field)
  await input(one).click()
  await expect(part(one, 'option')).toHaveCount(5)
  const pages = await one.evaluate(async (element) => {
    const pages: unknown[] = []
    const before = (_query: string, { cursor }: { cursor?: number }): unknown => {
      pages.push(cursor)
      return { options: [{ value: `${cursor}`, label: 'Before' }], next: pages.length < 5 && pages.length }
    }
    Object.assign(element, { search: before })
    Object.assign(element, { search: () => [{ value: 'now', label: 'Now' }] })
    await new Promise((done) => setTimeout(done))
    return pages
  })
  expect(pages).toEqual([undefined])
  await expect(part(one, 'option')).toHaveText(['Now'])
})

test('a source that takes the focus away during its call opens no list', async ({ lookup }) => {
  const one = await lookup.show(field, 'slow')
  await one.evaluate((element) => {
    const search = (query: string): unknown => {
      window.queries.push(query)
      if (query !== '') element.shadowRoot!.querySelector('input')!.blur()
      return new Promise(() => {})
    }
    Object.assign(element, { search })
  })
  await input(one).click()
  expect(await isOpen(one)).toBe(true)
  await lookup.page.keyboard.type('x')
  expect(await lookup.queries()).toEqual(['', 'x'])
  expect(await isOpen(one)).toBe(false)
})

test('a higher min-chars from the page applies to the open list', async ({ lookup }) => {
  const one = await lookup.show(field)
  await input(one).click()
  await expect(part(one, 'option')).toHaveCount(5)
  await one.evaluate((element) => element.setAttribute('min-chars', '3'))
  await expect(one.locator('.line')).toHaveText('Type 3 more characters')
  await one.evaluate((element) => element.removeAttribute('min-chars'))
  await expect(part(one, 'option')).toHaveCount(5)
})
