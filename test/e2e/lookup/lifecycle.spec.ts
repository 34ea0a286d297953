// What ends, what survives, and what does not belong to the element: resets, removals, records in the making, keys,
// names.
import { axTree } from '../support/ax-tree.ts'
import { expect, input, isOpen, part, test } from '../support/lookup-page.ts'

const edit = (more = ''): string =>
  `<svc-lookup-field mode="edit" search-delay="0" ${more}></svc-lookup-field>`
const ada = edit('label="Who" value="p1" display="Ada"')

/** A source whose "Create" creates its record once the field receives "made"; the event carries the result. */
const creating = (element: Element): void => {
  const make = (signal: AbortSignal): Promise<unknown> => {
    signal.addEventListener('abort', () => window.fired.push(['called off', null]))
    return new Promise((done) =>
      element.addEventListener('made', (event) => done((event as CustomEvent).detail), { once: true }),
    )
  }
  const options = [
    { value: 'p3', label: 'Grace' },
    { value: '', label: 'Create', make },
  ]
  Object.assign(element, { search: () => options })
}

for (const [what, end] of [
  ['a reset of the form', (one: Element) => one.closest('form')!.reset()],
  ['removing the field from the page', (one: Element) => one.remove()],
] as const)
  test(`${what} cancels the record that is being created`, async ({ lookup }) => {
    const one = await lookup.show(`<form>${ada}</form>`)
    await one.evaluate(creating)
    await input(one).fill('zoe')
    await part(one, 'option').last().click()
    await expect(one.locator('.line')).toHaveText('Create…')
    const field = (await one.elementHandle())!
    await field.evaluate(end)
    const value = await field.evaluate(async (element) => {
      element.dispatchEvent(new CustomEvent('made', { detail: { value: 'n', label: 'Zoe' } }))
      await new Promise((done) => setTimeout(done))
      return element.getAttribute('value')
    })
    expect(value).toBe('p1')
    expect(await lookup.events()).toEqual([['called off', null]])
  })

test('a record that was not made closes no list that was opened later', async ({ lookup }) => {
  const one = await lookup.show(`${ada}<button>Next</button>`)
  await one.evaluate(creating)
  await input(one).fill('zoe')
  await part(one, 'option').last().click()
  await lookup.page.getByRole('button', { name: 'Next' }).focus()
  expect(await isOpen(one)).toBe(false)
  await input(one).focus()
  await one.evaluate((element) => {
    element.dispatchEvent(new CustomEvent('made', { detail: null }))
    return new Promise((done) => setTimeout(done))
  })
  expect(await isOpen(one)).toBe(true)
  await expect(part(one, 'option')).toHaveText(['Grace', 'Create'])
})

test('without a selected record, arrows start at the first option, not at one that creates a record', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(edit('label="Who"'))
  await one.evaluate(creating)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Grace')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowDown')
  await expect(part(one, 'option')).toHaveText(['Grace', 'Create'])
  await expect(one.locator('[aria-selected=true]')).toHaveCount(0)
})

test('a record without a URL is not shown with the previous URL', async ({ lookup }) => {
  const one = await lookup.show(edit('label="Who" value="p4" display="Katherine" href="/people/p4"'))
  await one.evaluate(creating)
  await input(one).fill('gra')
  await part(one, 'option').first().click()
  await expect(one).toHaveAttribute('value', 'p3')
  await expect(one).not.toHaveAttribute('href')
})

test('keys with Control or Meta belong to the browser and the page', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(ada)
  await input(one).fill('a')
  await page.keyboard.press('ArrowDown')
  const active = one.locator('[aria-selected=true]')
  const name = (await active.textContent())!
  await page.evaluate(() =>
    addEventListener('keydown', ({ key, defaultPrevented }) => window.fired.push([key, defaultPrevented])),
  )
  for (const held of ['Control', 'Meta'])
    for (const key of ['Enter', 'ArrowDown', 'PageDown', 'Escape']) {
      await page.keyboard.press(`${held}+${key}`)
      await expect(active).toHaveText(name)
      expect(await lookup.events()).toEqual([
        [held, false],
        [key, false],
      ])
    }
})

test('its own label takes precedence over any text of the page', async ({ lookup }) => {
  const { page } = lookup
  for (const more of ['id="f"', 'aria-labelledby="t"']) {
    await lookup.show(`<label for="f" id="t">Writer</label>${edit(`label="Who" ${more}`)}`)
    const box = async (): Promise<string | undefined> =>
      (await axTree(page)).find((each) => each.startsWith('combobox'))
    await expect.poll(box).toContain('"Who"')
  }
})
