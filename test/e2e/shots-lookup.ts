// "npm run shots:lookup": the lookup field in every state, one sheet per view, in shots/ (or the given folder), for
// visual review.
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import type * as Elements from '../../elements/index.ts'
import { buildScript } from '../../elements/build/script.ts'
import { findChromium } from '../support/chromium.mjs'

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../shots'))
const root = resolve(import.meta.dirname, '../..')
const long =
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft of Upper and Lower Austria'

type Source =
  | ('rows' | 'empty' | 'never' | 'broken' | 'many' | 'long' | 'recent')
  | ('making' | 'unmade' | 'more' | 'more broken' | 'sparse')

interface State {
  name: string
  attributes: string
  /** The response of the source. */
  source?: Source
  act?: (page: Page) => Promise<unknown>
}

const focus = (page: Page): Promise<void> => page.locator('[part=input]').focus()
const type = (text: string) => (page: Page) => page.locator('[part=input]').fill(text)
const create = async (page: Page): Promise<void> => {
  await type('zed')(page)
  await page.keyboard.press('Enter')
}
const toEnd = async (page: Page): Promise<void> => {
  await focus(page)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
}
const pointed = 'value="c2" display="Kestrel Optics GmbH"'

const states: State[] = [
  {
    name: 'closed',
    attributes: `mode="edit" label="Customer" required ${pointed} message="Who pays the invoice."`,
  },
  { name: 'empty', attributes: 'mode="edit" label="Customer"' },
  {
    name: 'focused',
    attributes: 'mode="edit" label="Customer"',
    source: 'never',
    act: async (page) => {
      await focus(page)
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'open',
    attributes: `mode="edit" label="Customer" ${pointed} display-fields="country,vat"`,
    act: focus,
  },
  {
    name: 'active',
    attributes: 'mode="edit" label="Customer" display-fields="country,vat"',
    act: type('tal'),
  },
  {
    name: 'many',
    attributes: 'mode="edit" label="Customer"',
    source: 'many',
    act: async (page) => {
      await focus(page)
      await page.keyboard.press('ArrowUp')
    },
  },
  { name: 'searching', attributes: 'mode="edit" label="Customer"', source: 'never', act: type('tal') },
  { name: 'none', attributes: 'mode="edit" label="Customer"', source: 'empty', act: type('xyz') },
  { name: 'too short', attributes: 'mode="edit" label="Customer" min-chars="2"', act: focus },
  { name: 'failed', attributes: 'mode="edit" label="Customer"', source: 'broken', act: focus },
  { name: 'recent', attributes: 'mode="edit" label="Customer"', source: 'recent', act: focus },
  { name: 'create', attributes: 'mode="edit" label="Customer"', source: 'recent', act: type('crys') },
  { name: 'making', attributes: 'mode="edit" label="Customer"', source: 'making', act: create },
  { name: 'not made', attributes: 'mode="edit" label="Customer"', source: 'unmade', act: create },
  { name: 'a further page', attributes: 'mode="edit" label="Customer"', source: 'more', act: toEnd },
  {
    name: 'a further page failed',
    attributes: 'mode="edit" label="Customer"',
    source: 'more broken',
    act: toEnd,
  },
  {
    name: 'no results so far',
    attributes: 'mode="edit" label="Customer"',
    source: 'sparse',
    act: type('tal'),
  },
  {
    name: 'invalid',
    attributes: `mode="edit" label="Customer" invalid required ${pointed} message="This customer was closed in 2024."`,
  },
  {
    name: 'invalid, focused',
    attributes: 'mode="edit" label="Customer" invalid message="Choose one."',
    source: 'never',
    act: async (page) => {
      await focus(page)
      await page.keyboard.press('Escape')
    },
  },
  { name: 'disabled', attributes: `mode="edit" label="Customer" disabled ${pointed}` },
  {
    name: 'read, a link',
    attributes: `label="Customer" ${pointed} href="/c/2" message="Who pays the invoice."`,
  },
  { name: 'read, a trigger', attributes: `label="Customer" ${pointed}` },
  { name: 'read, nothing', attributes: 'label="Customer" placeholder="No customer"' },
  { name: 'inline', attributes: `mode="edit" inline ${pointed}` },
  { name: 'inline, open', attributes: 'mode="edit" inline display-fields="country"', act: type('tal') },
  {
    name: 'long text',
    attributes: `mode="edit" label="${long}" value="x" display="${long}" message="${long} ${long}" display-fields="note"`,
    source: 'long',
    act: focus,
  },
  { name: 'long text, read', attributes: `label="Customer" value="x" display="${long}" href="/x"` },
]

interface Sight {
  name: string
  theme?: 'light' | 'dark'
  rtl?: boolean
  forced?: boolean
  coarse?: boolean
}

const viewers: Sight[] = [
  { name: 'light', theme: 'light' },
  { name: 'dark', theme: 'dark' },
  { name: 'forced-colours', theme: 'light', forced: true },
  { name: 'right-to-left', theme: 'light', rtl: true },
  { name: 'without-tokens' },
  { name: 'finger', theme: 'light', coarse: true },
]

mkdirSync(folder, { recursive: true })
const built = mkdtempSync(join(tmpdir(), 'almanac-shots-'))
await buildScript(built)
const script = readFileSync(join(built, 'index.js'), 'utf8')
const tokens = readFileSync(join(root, 'renderer/styles/tokens.css'), 'utf8')
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  for (const viewer of viewers) await sheet(browser, viewer)
} finally {
  await browser.close()
}

async function sheet(from: Browser, viewer: Sight): Promise<void> {
  const context = await from.newContext({
    viewport: { width: 340, height: 260 },
    colorScheme: viewer.theme ?? 'light',
    forcedColors: viewer.forced ? 'active' : 'none',
    ...(viewer.coarse ? { hasTouch: true, isMobile: true } : {}),
  })
  const pictures: { name: string; data: string }[] = []
  for (const state of states)
    pictures.push({ name: state.name, data: await picture(await context.newPage(), state, viewer) })
  const page = await from.newPage({ viewport: { width: 1440, height: 900 } })
  await page.setContent(
    `<style>body{margin:12px;display:grid;grid-template-columns:repeat(4,340px);gap:10px;font:12px sans-serif;background:#bbb}figure{margin:0}img{display:block}</style>${pictures
      .map(
        ({ name, data }) =>
          `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${data}"></figure>`,
      )
      .join('')}`,
  )
  const file = join(folder, `lookup-${viewer.name}.png`)
  await page.screenshot({ path: file, fullPage: true })
  console.log(file)
  await page.close()
  await context.close()
}

async function picture(
  page: Page,
  { attributes, source = 'rows', act }: State,
  viewer: Sight,
): Promise<string> {
  const style = viewer.theme === undefined ? 'body { font: 14px sans-serif }' : tokens
  await page.route('http://shots.invalid/**', (route) =>
    route.fulfill(
      route.request().url().endsWith('.js')
        ? { contentType: 'text/javascript', body: script }
        : {
            contentType: 'text/html',
            body: `<!doctype html><html lang="en" data-theme="${viewer.theme ?? ''}" dir="${viewer.rtl ? 'rtl' : 'ltr'}"><meta charset="utf-8">
              <meta name="viewport" content="width=device-width"><style>${style} body { margin: 16px; background: var(--svc-color-surface, Canvas) }</style>
              <svc-lookup-field search-delay="0" ${attributes}></svc-lookup-field><script type="module" src="/index.js"></script></html>`,
          },
    ),
  )
  await page.goto('http://shots.invalid/')
  await page.evaluate(give, { kind: source, text: long })
  await act?.(page)
  await page.waitForTimeout(120)
  const shot = await page.screenshot()
  await page.close()
  return shot.toString('base64')
}

async function give({ kind, text }: { kind: Source; text: string }): Promise<void> {
  const at = '/index.js'
  const { arraySource } = (await import(at)) as typeof Elements
  const names = [
    'Talbot & Sons',
    'Kestrel Optics GmbH',
    'Montalcino Vini S.r.l.',
    'Élan Tallinn OÜ',
    'Crystal Palace Ltd',
  ]
  const rows = names.map((name, index) => ({
    id: `c${index + 1}`,
    name,
    country: ['GB', 'DE', 'IT', 'EE', 'GB'][index],
    vat: `${['GB', 'DE', 'IT', 'EE', 'GB'][index]}${100200300 + index}`,
  }))
  const many = Array.from({ length: 1000 }, (_, index) => ({ id: `m${index}`, name: `Customer ${index}` }))
  const longs = [1, 2, 3].map((index) => ({
    id: `${index}`,
    name: `${index} ${text}`,
    note: `${text} ${text}`,
  }))
  const [value, label] = ['id', 'name'] as const
  const recent = { caption: 'Recent', options: () => [{ value: 'c4', label: names[3]! }] }
  const offering = (make: () => Promise<never> | null): unknown =>
    arraySource(rows, { value, label, recent, create: { label: (query) => `Create “${query}”`, make } })
  const paged =
    (more: () => Promise<never>) =>
    (_query: string, { cursor }: { cursor?: unknown }): unknown =>
      cursor === undefined
        ? { options: names.map((name) => ({ value: name, label: name })), next: 1 }
        : more()
  const sources: Record<Source, unknown> = {
    rows: arraySource(rows, { value: 'id', label: 'name' }),
    many: arraySource(many, { value: 'id', label: 'name', page: 1000 }),
    long: arraySource(longs, { value: 'id', label: 'name' }),
    empty: () => [],
    never: () => new Promise(() => {}),
    broken: () => Promise.reject(new Error('broken')),
    recent: offering(() => null),
    making: offering(() => new Promise(() => {})),
    unmade: offering(() => Promise.reject(new Error('broken'))),
    more: paged(() => new Promise(() => {})),
    'more broken': paged(() => Promise.reject(new Error('broken'))),
    sparse: () => ({ options: [], next: 1 }),
  }
  Object.assign(document.querySelector('svc-lookup-field')!, { search: sources[kind] })
}
