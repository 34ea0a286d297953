// How the list and the box feel: long names, clicks, heights, and announcements.
import { boxOf, expect, input, isOpen, part, selectedIn, test } from '../support/lookup-page.ts'

const edit = (more = ''): string =>
  `<svc-lookup-field mode="edit" label="Who" search-delay="0" ${more}></svc-lookup-field>`
const company = 'The Very Long Company Name of Northern and Southern Trading Partners, Branch'

for (const [what, count] of [
  ['a short list', 4],
  ['a long list', 60],
] as const)
  test(`a long name takes two lines in ${what}, and has a title if it is truncated`, async ({ lookup }) => {
    const { page } = lookup
    const field = await lookup.show(edit())
    await page.evaluate(
      ({ rows, name }) => {
        const field = document.querySelector('svc-lookup-field')!
        field.style.width = '340px'
        field.search = () => [
          { value: 'short', label: 'Short' },
          ...Array.from({ length: rows - 2 }, (_, at) => ({ value: `b${at}`, label: `${name} ${at}` })),
          { value: 'huge', label: `${name} `.repeat(4) },
        ]
      },
      { rows: count, name: company },
    )
    await input(field).click()
    const second = part(field, 'option').nth(1)
    await expect(second).toContainText('Branch 0')
    const name = second.locator('.name')
    const lines =
      (await boxOf(name)).height / (await boxOf(part(field, 'option').first().locator('.name'))).height
    expect(Math.round(lines)).toBe(2)
    // All of it can be read: nothing is truncated.
    expect(
      await name.evaluate((each) => [
        each.scrollHeight - each.clientHeight,
        each.parentElement!.scrollHeight - each.parentElement!.clientHeight,
      ]),
    ).toEqual([0, 0])
    await name.hover()
    await expect(name).not.toHaveAttribute('title')
    await page.keyboard.press('ArrowUp')
    const last = field.locator('[aria-selected=true] .name')
    await expect(last).toContainText('Branch The Very')
    await last.hover()
    await expect(last).toHaveAttribute('title', `${company} `.repeat(4).trim())
    expect((await boxOf(last)).height).toBe((await boxOf(name)).height)
  })

test('a name that does not fit in the box has a title', async ({ lookup }) => {
  const field = await lookup.show(edit(`value="1" display="${company}"`))
  await field.evaluate((element) => (element.style.width = '160px'))
  await input(field).hover()
  await expect(input(field)).toHaveAttribute('title', company)
  await field.evaluate((element) => (element.style.width = '900px'))
  await part(field, 'clear').hover()
  await input(field).hover()
  await expect(input(field)).not.toHaveAttribute('title')
})

test('every click in the closed box selects the name', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('value="p1" display="Ada Lovelace"'))
  const selected = (): Promise<string> => selectedIn(field)
  for (let times = 0; times < 4; times += 1) {
    await input(field).click()
    await expect.poll(() => isOpen(field)).toBe(true)
    await expect.poll(selected).toBe('Ada Lovelace')
    await page.keyboard.press('Escape')
    await expect.poll(() => isOpen(field)).toBe(false)
  }
})

test('a part of the name that is selected by dragging stays selected', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('value="p1" display="Ada Lovelace"'))
  await input(field).fill('grace')
  await part(field, 'option').click()
  await expect.poll(() => isOpen(field)).toBe(false)
  const { x, y, height } = await boxOf(input(field))
  await page.mouse.move(x + 1, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + 40, y + height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => isOpen(field)).toBe(true)
  await page.evaluate(() => new Promise((done) => setTimeout(done, 50)))
  expect(await selectedIn(field)).toMatch(/^Gr.{1,8}$/)
})

test('the list keeps its height while a response is pending', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'slow')
  const list = part(field, 'listbox')
  const answer = async (at: number, count: number): Promise<void> => {
    await page.evaluate(
      ([index, rows]) =>
        window.pending[index]!.resolve(Array.from({ length: rows }, (_, n) => `Row ${index}-${n}`)),
      [at, count] as const,
    )
    await expect(part(field, 'option')).toHaveCount(count)
  }
  await input(field).click()
  await answer(0, 8)
  const { height } = await boxOf(list)
  await page.keyboard.type('a')
  await expect(field.locator('.line')).toHaveText('Searching for “a”…')
  expect((await boxOf(list)).height).toBe(height)
  await page.keyboard.type('b')
  await expect(field.locator('.line')).toHaveText('Searching for “ab”…')
  expect((await boxOf(list)).height).toBe(height)
  // The results have the height that they need.
  await answer(2, 3)
  expect((await boxOf(list)).height).toBeLessThan(height)
  await page.keyboard.type('c')
  await expect(field.locator('.line')).toBeVisible()
  await page.evaluate(() => window.pending[3]!.resolve([]))
  await expect(field.locator('.line')).toHaveText('No matches for “abc”')
  expect((await boxOf(list)).height).toBeLessThan(60)
})

test('a message that is set later is announced; an initial one is not', async ({ lookup }) => {
  const field = await lookup.show(edit('message="Who wrote it."'))
  const heard = field.locator('.heard')
  await expect(part(field, 'message')).toHaveText('Who wrote it.')
  await field.evaluate((element) => {
    element.setAttribute('invalid', '')
    element.setAttribute('message', 'This author is not known.')
  })
  await expect(heard).toHaveText('This author is not known.')
  const other = await lookup.show(edit('message="Who wrote it."'))
  await other.evaluate((element) => element.setAttribute('mode', 'read'))
  await other.evaluate(() => new Promise((done) => setTimeout(done, 300)))
  await expect(other.locator('.heard')).toHaveText('')
})

for (const [what, event] of [
  ['when the field is left', 'blur'],
  ['just before the field is left', 'keydown'],
] as const)
  test(`a message that the page sets ${what} is announced`, async ({ lookup }) => {
    const { page } = lookup
    const field = await lookup.show(`${edit()}<button>Next</button>`)
    await field.evaluate((element, name) => {
      element.addEventListener(name, () => element.setAttribute('message', 'Choose an author.'))
    }, event)
    await input(field).click()
    await expect(field.locator('.heard')).toHaveText('5 results')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
    await expect(field.locator('.heard')).toHaveText('Choose an author.')
    await field.evaluate((element) => element.removeAttribute('message'))
    await expect(field.locator('.heard')).toHaveText('')
  })

test('a message that the page sets while the user types is announced together with the results', async ({
  lookup,
}) => {
  const field = await lookup.show(edit())
  await field.evaluate((element) =>
    element.addEventListener('input', () => element.setAttribute('message', 'Names of authors.'), {
      once: true,
    }),
  )
  await input(field).fill('ada')
  await expect(field.locator('.heard div')).toHaveText(['1 result', 'Names of authors.'])
})
