// The documented interface is the one that a page really finds: observed attributes, members, parts, events.
import { attributes, events, methods, ofForms, parts, properties } from '../../spec/lookup-field.table.ts'
import { expect, input, part, test } from '../support/lookup-page.ts'

/** Members that belong to the platform, or are for a page in another language. */
const global = ['dir', 'title', 'aria-label', 'aria-labelledby', 'aria-describedby']

test('it observes the attributes of the table', async ({ lookup }) => {
  const observed = await lookup.page.evaluate(
    () =>
      (customElements.get('svc-lookup-field') as unknown as { observedAttributes: string[] })
        .observedAttributes,
  )
  expect(observed.toSorted()).toEqual([...attributes.map(({ name }) => name), ...global].sort())
})

test('its properties and methods are those of the table, without the markup-only ones', async ({
  lookup,
}) => {
  const descriptors = await lookup.page.evaluate(() => {
    const { prototype } = customElements.get('svc-lookup-field')!
    return Object.entries(Object.getOwnPropertyDescriptors(prototype))
      .filter(([name]) => !/Callback$|^constructor$/.test(name))
      .map(([name, { get, set }]) => ({ name, settable: set !== undefined, method: get === undefined }))
  })
  const names = descriptors.map(({ name }) => name).sort()
  const memberNames = [...properties, ...methods].map(({ name }) => name as string)
  expect(names).toEqual([...memberNames, ...ofForms.properties, ...ofForms.methods].sort())
  for (const { name, ...rest } of properties)
    expect(descriptors.find((each) => each.name === name)?.settable, name).toBe(!('readonly' in rest))
})

const states: [name: string, markup: string, source?: string][] = [
  ['edit, open', '<svc-lookup-field mode="edit" label="A" message="M" value="p1"></svc-lookup-field>'],
  ['read', '<svc-lookup-field label="A" value="p1"></svc-lookup-field>'],
  ['read, a link', '<svc-lookup-field value="p1" href="/p1"></svc-lookup-field>'],
  ['bare', '<svc-lookup-field></svc-lookup-field>'],
  ['inline', '<svc-lookup-field mode="edit" inline></svc-lookup-field>'],
  ['invalid', '<svc-lookup-field mode="edit" invalid required></svc-lookup-field>'],
  ['disabled', '<svc-lookup-field mode="edit" disabled></svc-lookup-field>'],
  ['searching', '<svc-lookup-field mode="edit"></svc-lookup-field>', 'slow'],
  ['nothing found', '<svc-lookup-field mode="edit"></svc-lookup-field>', 'empty'],
  ['failed', '<svc-lookup-field mode="edit"></svc-lookup-field>', 'throwing'],
  ['a thousand', '<svc-lookup-field mode="edit"></svc-lookup-field>', 'many'],
]

for (const [name, markup, source] of states)
  test(`the parts of the table exist, and no others: ${name}`, async ({ lookup }) => {
    const field = await lookup.show(markup, source)
    await field.evaluate((element) => element.focus())
    const partNames = await field.evaluate((element) => [
      ...new Set(
        [...element.shadowRoot!.querySelectorAll('[part]')].map((each) => each.getAttribute('part')!),
      ),
    ])
    const always = parts.filter((each) => each !== 'option')
    expect(partNames.filter((each) => each !== 'option').sort()).toEqual(always.toSorted())
    // A page reaches the parts by these names, including the options of an open list.
    if (name === 'edit, open' || name === 'a thousand')
      await expect(part(field, 'option').first()).toBeVisible()
  })

test('a page styles each part from outside', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(
    '<svc-lookup-field mode="edit" label="A" message="M" value="p1" display="Ada"></svc-lookup-field>',
  )
  await input(field).click()
  await expect(part(field, 'option').first()).toBeVisible()
  const drawn = await page.evaluate((names) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(names.map((name) => `svc-lookup-field::part(${name}) { scale: 1.25 }`).join(''))
    document.adoptedStyleSheets = [sheet]
    const root = document.querySelector('svc-lookup-field')!.shadowRoot!
    return names.filter((name) => getComputedStyle(root.querySelector(`[part=${name}]`)!).scale === '1.25')
  }, parts)
  expect(drawn).toEqual(parts)
})

test('it fires the events of the table, and no others', async ({ lookup }) => {
  const { page } = lookup
  await page.evaluate(() => {
    const dispatch = EventTarget.prototype.dispatchEvent
    EventTarget.prototype.dispatchEvent = function (event) {
      window.fired.push([`dispatched ${event.type}`, (event as CustomEvent).detail])
      return dispatch.call(this, event)
    }
  })
  const field = await lookup.show(
    '<svc-lookup-field mode="edit" label="A" search-delay="0"></svc-lookup-field>',
  )
  await input(field).click()
  await page.keyboard.type('ada')
  await page.keyboard.press('Enter')
  await part(field, 'clear').click()
  const dispatched = (await lookup.events()).filter(([name]) => name.startsWith('dispatched '))
  expect(dispatched).toEqual([
    [`dispatched ${events[0].name}`, { value: 'p1', label: 'Ada Lovelace' }],
    [`dispatched ${events[1].name}`, null],
  ])
})
