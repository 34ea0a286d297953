// Responses that come in pages: empty ones, failing ones, and the reported count.
import type { Locator, Page } from '@playwright/test'
import { expect, input, part, test } from '../support/lookup-page.ts'

const field = '<svc-lookup-field mode="edit" label="Who" search-delay="0"></svc-lookup-field>'
const options = (of: Locator): Locator => part(of, 'option')
const liveRegion = (of: Locator): Locator => of.locator('[aria-live=polite]')

/** Each page by its number of rows; -1 fails. Records which pages were requested. */
async function paged(page: Page, one: Locator, sizes: number[], total?: number): Promise<void> {
  await one.evaluate(
    (element, spec) => {
      const search = (_query: string, { cursor = 0 }: { cursor?: number }): unknown => {
        window.queries.push(String(cursor))
        const size = spec.sizes[cursor] ?? 0
        if (size < 0) throw new Error('no page')
        const rows = Array.from({ length: size }, (_, at) => `${cursor}.${at}`)
        const next = cursor + 1 < spec.sizes.length ? cursor + 1 : null
        return { options: rows.map((value) => ({ value, label: value })), next, total: spec.total }
      }
      Object.assign(element, { search })
    },
    { sizes, total },
  )
  await input(one).click()
}

test('empty pages with more to come are skipped, at the beginning and later', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field, 'none')
  await paged(page, one, [0, 0, 1, 0, 0, 1])
  await expect(options(one)).toHaveText(['2.0', '5.0'])
  await expect(liveRegion(one)).toHaveText('2 results')
})

test('pages that stay empty are not requested endlessly', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field, 'none')
  await paged(page, one, Array<number>(500).fill(0))
  await expect(liveRegion(one)).toHaveText('No results yet. Keep searching')
  expect((await lookup.queries()).length).toBe(10)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await lookup.queries()).at(0)).toBe('10')
  await page.keyboard.press('Escape')
  await paged(page, one, [1, ...Array<number>(12).fill(0), 1])
  await expect(one.locator('.foot')).toHaveText('Try again')
  await expect(liveRegion(one)).toHaveText('The first 1 results')
  await one.locator('.foot').click()
  await expect(options(one)).toHaveText(['0.0', '13.0'])
})

test('a row after many empty pages is found by searching further', async ({ lookup }) => {
  const one = await lookup.show(field, 'none')
  await paged(lookup.page, one, [...Array<number>(14).fill(0), 2])
  await one.getByRole('option', { name: 'Keep searching' }).click()
  await expect(options(one)).toHaveText(['14.0', '14.1'])
})

for (const next of ['', false])
  test(`a page that names ${JSON.stringify(next)} as the next is the last`, async ({ lookup }) => {
    const one = await lookup.show(field, 'none')
    await one.evaluate((element, cursor) => {
      const search = (query: string): unknown => {
        window.queries.push(query)
        return { options: [{ value: '1', label: 'One' }], next: cursor }
      }
      Object.assign(element, { search })
    }, next)
    await input(one).click()
    await expect(options(one)).toHaveAttribute('aria-setsize', '1')
    expect(await lookup.queries()).toEqual([''])
  })

test('Down Arrow at the last row stays while the next page is loading', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field, 'none')
  await one.evaluate((element) => {
    const rows = (from: number): object[] =>
      Array.from({ length: 40 }, (_, at) => ({ value: `${from + at}`, label: `Row ${from + at}` }))
    const search = async (_query: string, { cursor }: { cursor?: number }): Promise<unknown> => {
      if (cursor === undefined) return { options: rows(0), next: 40 }
      await new Promise((done) => element.addEventListener('go', done, { once: true }))
      return { options: rows(40) }
    }
    Object.assign(element, { search })
  })
  await input(one).click()
  await expect(options(one).first()).toBeVisible()
  for (let presses = 0; presses < 43; presses += 1) await page.keyboard.press('ArrowDown')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Row 39')
  await one.evaluate((element) => element.dispatchEvent(new Event('go')))
  await page.keyboard.press('ArrowDown')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Row 40')
})

for (const size of [6, 40])
  test(`an option of ${size} that is pressed while the next page loads is chosen`, async ({ lookup }) => {
    const { page } = lookup
    const one = await lookup.show(field, 'none')
    await one.evaluate((element, length) => {
      const rows = (from: number): object[] =>
        Array.from({ length }, (_, at) => ({ value: `${from + at}`, label: `Row ${from + at}` }))
      const search = async (_query: string, { cursor }: { cursor?: number }): Promise<unknown> => {
        if (cursor === undefined) return { options: rows(0), next: length, total: length * 2 }
        await new Promise((done) => element.addEventListener('go', done, { once: true }))
        return { options: rows(length), total: length * 2 }
      }
      Object.assign(element, { search })
    }, size)
    await input(one).click()
    await part(one, 'listbox').evaluate((box) => (box.scrollTop = box.scrollHeight))
    await expect(one.locator('.foot')).toHaveText('Loading more…')
    await options(one)
      .getByText(`Row ${size - 2}`)
      .hover()
    await page.mouse.down()
    await one.evaluate((element) => element.dispatchEvent(new Event('go')))
    await expect(one.locator('.foot')).toHaveCount(0)
    await page.mouse.up()
    await expect(one).toHaveAttribute('value', `${size - 2}`)
  })

test('the list keeps its scroll position, even if the new rows are higher', async ({ lookup }) => {
  const one = await lookup.show(field, 'none')
  await one.evaluate((element) => {
    const search = (_query: string, { cursor = 0 }: { cursor?: number }): unknown => {
      const sublabel = cursor > 1 ? 'second line' : undefined
      const rows = Array.from({ length: 40 }, (_, at) => `${cursor}.${at}`)
      return { options: rows.map((value) => ({ value, label: value, sublabel })), next: cursor + 1 }
    }
    Object.assign(element, { search })
  })
  await input(one).click()
  for (const page of [1, 2, 3]) {
    await part(one, 'listbox').evaluate((box) => (box.scrollTop = box.scrollHeight))
    await expect(options(one).getByText(`${page}.0`)).toBeAttached()
    await expect(options(one).getByText(`${page - 1}.33`)).toBeInViewport()
  }
})

test('if there is nothing more, the drawn rows are the total, regardless of the source', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(field, 'none')
  await paged(page, one, [3], 11)
  await expect(liveRegion(one)).toHaveText('3 results')
  await expect(options(one).first()).toHaveAttribute('aria-setsize', '3')
  // Nor is the total lower than the drawn rows.
  await page.keyboard.press('Escape')
  await paged(page, one, [40, 40], 7)
  await expect(liveRegion(one)).toHaveText('The first 40 results')
  await expect(options(one).first()).toHaveAttribute('aria-setsize', '-1')
})

test('a failed page is requested again with a press, not with every scroll', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field, 'none')
  await paged(page, one, [40, -1])
  const list = part(one, 'listbox')
  await list.evaluate((box) => (box.scrollTop = box.scrollHeight))
  await expect(one.locator('.foot')).toHaveText('The search failed. Try again')
  for (const up of [12, 0, 12, 0])
    await list.evaluate((box, by) => {
      box.scrollTop = box.scrollHeight - box.clientHeight - by
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    }, up)
  expect(await lookup.queries()).toEqual(['0', '1'])
  await one.locator('.foot').click()
  expect(await lookup.queries()).toEqual(['1'])
})

test('a null count and a URL that is not a text do not prevent a choice', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field, 'none')
  await one.evaluate((element) => {
    const rest = { make: null, sublabel: null, fields: null, group: null, href: Symbol('x') }
    Object.assign(element, { search: () => [{ value: 'p1', label: 'Ada', ...rest }] })
  })
  await input(one).click()
  await options(one).click()
  await expect(one).toHaveAttribute('value', 'p1')
  await expect(one).not.toHaveAttribute('href')
  expect((await lookup.events()).map(([name]) => name)).toEqual(['svc-lookup-change'])
  await page.keyboard.press('Escape')
})
