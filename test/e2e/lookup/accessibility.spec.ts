// What assistive technology receives: axe in every state, Chromium's accessibility tree, and the transcript of a
// virtual screen reader.
import { fileURLToPath } from 'node:url'
import type { Locator } from '@playwright/test'
import { axTree } from '../support/ax-tree.ts'
import { violations } from '../support/axe.ts'
import { expect, input, part, test } from '../support/lookup-page.ts'

const field = (more = ''): string =>
  `<svc-lookup-field label="Author" search-delay="0" ${more}></svc-lookup-field>`
const pointed = 'value="p1" display="Ada Lovelace"'
const openList = async (one: Locator): Promise<void> => input(one).click()
const typed =
  (text: string) =>
  (one: Locator): Promise<void> =>
    input(one).fill(text)
const nothing = (): Promise<void> => Promise.resolve()

interface State {
  name: string
  markup: string
  source?: string
  act: (one: Locator) => Promise<void>
  tree: string[]
}

const combo = (states: string, value = ''): string =>
  `combobox "Author"${value === '' ? '' : ` value="${value}"`} ${states}`
const list = 'autocomplete=list hasPopup=listbox'
const clear = 'button "Clear Author"'
const offers = (...options: string[]): string[] => [
  'listbox "Author"',
  ...options.map((each) => `option ${each}`),
]

const states: State[] = [
  {
    name: 'closed',
    markup: field(`mode="edit" required message="Who wrote it." ${pointed}`),
    act: nothing,
    tree: [combo(`described="Who wrote it." ${list} required expanded=false`, 'Ada Lovelace'), clear],
  },
  {
    name: 'open',
    markup: field(`mode="edit" display-fields="born" ${pointed}`),
    act: openList,
    tree: [
      combo(`${list} expanded`, 'Ada Lovelace'),
      clear,
      ...offers('"Ada Lovelace 1815"', '"Alan Turing 1816"', '"Grace Hopper 1817"'),
    ],
  },
  {
    name: 'typed',
    markup: field('mode="edit"'),
    act: typed('la'),
    tree: [
      combo(`${list} expanded activedescendant="Ada Lovelace"`, 'la'),
      clear,
      ...offers('"Ada Lovelace" selected', '"Alan Turing"'),
    ],
  },
  {
    name: 'a thousand',
    markup: field('mode="edit"'),
    source: 'many',
    act: openList,
    tree: [combo(`${list} expanded`), ...offers('"Row 0"', '"Row 1"', '"Row 2"')],
  },
  {
    name: 'searching',
    markup: field('mode="edit"'),
    source: 'slow',
    act: openList,
    tree: [combo(`${list} expanded`), ...offers('"Searching…" disabled')],
  },
  {
    name: 'nothing found',
    markup: field('mode="edit"'),
    act: typed('zzq'),
    tree: [combo(`${list} expanded`, 'zzq'), clear, ...offers('"No matches for “zzq”" disabled')],
  },
  {
    name: 'failed',
    markup: field('mode="edit"'),
    source: 'throwing',
    act: openList,
    tree: [
      combo(`${list} expanded activedescendant="The search failed. Try again"`),
      ...offers('"The search failed. Try again" selected'),
    ],
  },
  {
    name: 'too short',
    markup: field('mode="edit" min-chars="2"'),
    act: openList,
    tree: [combo(`${list} expanded`), ...offers('"Type 2 more characters" disabled')],
  },
  {
    name: 'invalid',
    markup: field('mode="edit" invalid message="Left in 1843."'),
    act: nothing,
    tree: [combo(`described="Left in 1843." invalid=true ${list} expanded=false`)],
  },
  {
    name: 'disabled',
    markup: field(`mode="edit" disabled ${pointed}`),
    act: nothing,
    tree: [combo(`disabled ${list} expanded=false`, 'Ada Lovelace')],
  },
  {
    name: 'read, a link',
    markup: field(`${pointed} href="/people/p1"`),
    act: nothing,
    tree: ['link "Ada Lovelace"'],
  },
  { name: 'read, a trigger', markup: field(pointed), act: nothing, tree: ['button "Author Ada Lovelace"'] },
  { name: 'read, nothing', markup: field(), act: nothing, tree: ['button "Author —"'] },
  {
    name: 'inline',
    markup: field(`mode="edit" inline ${pointed}`),
    act: nothing,
    tree: [combo(`${list} expanded=false`, 'Ada Lovelace'), clear],
  },
]

for (const { name, markup, source, act, tree } of states)
  test(`${name}: axe finds nothing, and the accessibility tree contains what is shown`, async ({
    lookup,
  }) => {
    const { page } = lookup
    const one = await lookup.show(markup, source)
    await act(one)
    await page.waitForTimeout(250)
    const nodes = (await axTree(page)).filter((each) => !/^(main|banner|heading)/.test(each))
    expect(nodes.slice(0, tree.length)).toEqual(tree)
    expect(await violations(page)).toEqual([])
  })

test('in dark colours and with default tokens, axe finds nothing', async ({ lookup }) => {
  const { page } = lookup
  await page.emulateMedia({ colorScheme: 'dark' })
  const one = await lookup.show(field(`mode="edit" display-fields="born" required message="Help" ${pointed}`))
  await page.evaluate(() =>
    Object.assign(document.documentElement.style, { colorScheme: 'light dark', background: 'Canvas' }),
  )
  await input(one).fill('a')
  await expect(part(one, 'option').first()).toBeVisible()
  expect(await violations(page)).toEqual([])
})

const reader = fileURLToPath(import.meta.resolve('@guidepup/virtual-screen-reader/browser.js'))

interface VirtualReader {
  virtual: {
    start(given: { container: Element }): Promise<void>
    next(): Promise<void>
    spokenPhraseLog(): Promise<string[]>
    clearSpokenPhraseLog(): Promise<void>
  }
}

// The reader does not support shadow roots, so it starts inside this one. It does not receive the focus, which the
// document reports on the host: each step walks in circles from its current position.
test('a screen reader’s transcript: reading it, opening, moving, choosing, finding nothing', async ({
  lookup,
}) => {
  const { page } = lookup
  await page.route('**/reader.js', (route) => route.fulfill({ contentType: 'text/javascript', path: reader }))
  const one = await lookup.show(
    field(`mode="edit" required message="Who wrote it." display-fields="born,field" ${pointed}`),
  )
  await page.evaluate(async () => {
    const at = '/reader.js'
    const { virtual } = (await import(at)) as VirtualReader
    Object.assign(window, { virtual })
    await virtual.start({
      container: document.querySelector('svc-lookup-field')!.shadowRoot!.firstElementChild!,
    })
  })
  const heard = (steps: number): Promise<string[]> =>
    page.evaluate(async (many) => {
      const { virtual } = window as unknown as VirtualReader
      for (let step = 0; step < many; step += 1) await virtual.next()
      const log = await virtual.spokenPhraseLog()
      await virtual.clearSpokenPhraseLog()
      return log
    }, steps)
  const box = (value: string, more: string): string =>
    `combobox, Author, ${value}, Who wrote it., has popup listbox, ${more}, autocomplete in list, 1 control, required`
  const around = [
    'Author',
    box('Ada Lovelace', 'not expanded'),
    'button, Clear Author, key shortcuts Alt+Delete',
    'Who wrote it.',
  ]
  expect(await heard(3)).toEqual(around)

  await input(one).fill('la')
  await expect(one.locator('[aria-live]')).toHaveText('2 results')
  const typed = await heard(24)
  for (const phrase of [
    'polite: 2 results',
    'Author',
    box('la', 'expanded, active descendant Ada Lovelace 1815, analysis'),
    'button, Clear Author, key shortcuts Alt+Delete',
    'listbox, Author, orientated vertically',
    'option, Ada Lovelace 1815, analysis, selected, current item, position 1, set size 2',
    'option, Alan Turing 1816, computing, not selected, position 2, set size 2',
  ])
    expect(typed).toContain(phrase)

  await input(one).press('ArrowDown')
  await input(one).press('Enter')
  await expect(input(one)).toHaveValue('Alan Turing')
  expect(await heard(8)).toContain(box('Alan Turing', 'not expanded'))

  await input(one).fill('zz')
  await expect(one.locator('[aria-live]')).toHaveText('No matches for “zz”')
  expect(await heard(0)).toContain('polite: No matches for “zz”')
})
