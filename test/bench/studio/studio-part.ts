// The studio in Chromium over a production build: how soon it is shown, how it types and scrolls, how much memory it
// needs.
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { chooseFormAndJson } from '../../e2e/support/editor-view.ts'
import { roundsOf, timingOf } from '../support/compare.ts'
import { largeOrg, newOrg, requestOf, set, type LargeOrg } from '../support/large-org.ts'
import { duration, type Line, type Part, type PartContext } from '../support/part.ts'
import {
  blankRows,
  fromClick,
  memoryOf,
  noteKeys,
  notedKeys,
  untilPainted,
  type ElementQuery,
} from './page-clock.ts'
import { studioOver, type Studio } from './served-org.ts'

const rounds = 7
const keys = 300
const jumps = 120
const changed = 10_000
/** The link to the change list in the rail. */
const toChanges = { selector: '.rail a[href="/changes"]', text: '' }
const entries = '100,000 entries of 20,000 keys'

export const studioPart: Part = {
  name: 'studio',
  title: 'The studio',
  async run(context) {
    const large = largeOrg()
    const dir = join(context.folder, 'org')
    const org = newOrg(dir)
    await org.apply(requestOf(large.components))
    await org.close()
    const studio = await studioOver(dir)
    try {
      return { lines: await measured(studio, large, context), notes }
    } finally {
      await studio.close()
    }
  },
}

const notes = [
  'Chromium without a window, 1440 × 900, the page and its server on one machine; every time is measured by the page’s own clock up to the frame that shows the result. The production build is served.',
  'The first useful paint is of the home page with its days and the explorer’s types, in a fresh browser profile. The set and the change list are opened by a click in a page that has just been loaded, from a server that has served it before.',
  `A key press is from the event’s own time stamp to the frame that follows it, which on a display of 60 Hz takes up to 16.7 ms even if nothing is done; ${keys} keys are typed and as many deleted. The same measurement in a page with one bare text field is beside it.`,
  'Memory is taken once, at the end, with the set, the JSON of a component and the change list open in one page: the resident set of the whole process of the page, and the JavaScript part of it after a garbage collection.',
]

async function measured(studio: Studio, large: LargeOrg, { say }: PartContext): Promise<Line[]> {
  const lines: Line[] = []
  const report = (line: Line): void => {
    lines.push(line)
    say(`${line.what}: ${line.ours}`)
  }
  report(bounded('first useful paint', 'home page of an org with ' + entries, await firstPaint(studio), 1500))
  report(bounded('open a set', entries, await opened(studio), 500))
  const context = await studio.fresh()
  const page = await context.newPage()
  await chooseFormAndJson(page)
  await showSet(studio, page)
  const blank = await blankRows(page, jumps)
  report({
    ...plain('blank rows while scrolling', `${jumps} jumps over ${entries}`, String(blank)),
    aim: 'none',
    met: blank === 0,
  })
  const bare = await keysInBareField(context)
  for (const line of typed('key press in a cell', await keysInCell(page), bare)) report(line)
  await page.goto(`${studio.url}/c/object/invoice`)
  for (const line of typed('key press in Monaco', await keysInMonaco(page), bare)) report(line)
  await draftMany(studio, context, large)
  report(
    bounded(
      'change list shown',
      `${changed.toLocaleString('en-GB')} changes`,
      await changesShown(studio),
      1000,
    ),
  )
  const { heap, resident } = await weighed(studio, page)
  report({
    ...plain(
      'memory of the page',
      'with all of that open',
      resident === null ? megabytes(heap) : `${megabytes(resident)}, ${megabytes(heap)} of it JavaScript`,
    ),
    aim: '≤ 400 MB',
    met: (resident ?? heap) <= 400e6,
  })
  await context.close()
  return lines
}

async function firstPaint(studio: Studio): Promise<number> {
  return median(async () => {
    const context = await studio.fresh()
    const ms = await untilPainted(await context.newPage(), studio.url, {
      '.homehead h1': 'Next',
      '.tree li': 'configuration sets',
    })
    await context.close()
    return ms
  })
}

const opened = (studio: Studio): Promise<number> =>
  clicked(studio, { selector: '.tree li', text: set }, { selector: '[role=gridcell]', text: 'key_000000' })

/**
 * From a page with nothing else open, loaded again each time; the first turn, which fills the caches, is not counted.
 * `over` waits for other work that a turn started, so that it does not run during the next turn.
 */
async function clicked(
  studio: Studio,
  click: ElementQuery,
  target: ElementQuery,
  over: (page: Page) => Promise<void> = async () => undefined,
): Promise<number> {
  const context = await studio.fresh()
  const turn = async (): Promise<number> => {
    const page = await context.newPage()
    await page.goto(`${studio.url}/audit`)
    await page.locator(click.selector, { hasText: click.text }).first().waitFor()
    await page.waitForTimeout(1000)
    const ms = await fromClick(page, click, target)
    await over(page)
    await page.close()
    return ms
  }
  await turn()
  const ms = await median(turn)
  await context.close()
  return ms
}

async function showSet(studio: Studio, page: Page): Promise<void> {
  await page.goto(`${studio.url}/c/config_set/${set}`)
  await page.locator('[role=gridcell]', { hasText: 'key_000000' }).first().waitFor()
}

async function keysInCell(page: Page): Promise<number[]> {
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('1')
  await page.getByRole('textbox', { name: /, row 1$/ }).waitFor()
  const times = await press(
    page,
    (at) => String(at % 10),
    (at) => at % 12 === 11,
  )
  await page.keyboard.press('Escape')
  return times
}

/** The time that the machine and its Chromium need for any key: one text field on an empty page. */
async function keysInBareField(context: BrowserContext): Promise<number[]> {
  const page = await context.newPage()
  await page.setContent('<input aria-label="Bare" />')
  await page.getByRole('textbox').focus()
  const times = await press(
    page,
    (at) => String(at % 10),
    (at) => at % 12 === 11,
  )
  await page.close()
  return times
}

async function keysInMonaco(page: Page): Promise<number[]> {
  const line = page.locator('.view-line', { hasText: '"label": "Invoice"' }).first()
  await line.waitFor()
  await line.click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  return press(
    page,
    (at) => String.fromCharCode(97 + (at % 26)),
    (at) => at % 40 === 39,
  )
}

/**
 * Presses one key after the other, each 20 to 45 milliseconds after the previous one arrived, like an expert typist or
 * a held key; `back` removes what was typed, so that the line stays short.
 */
async function press(
  page: Page,
  keyOf: (at: number) => string,
  back: (at: number) => boolean,
): Promise<number[]> {
  await noteKeys(page)
  for (let at = 0; at < roundsOf(keys); at += 1) {
    await paced(page, keyOf(at), at)
    if (back(at)) for (let many = 0; many < 10; many += 1) await paced(page, 'Backspace', at + many)
  }
  await page.waitForTimeout(200)
  return notedKeys(page)
}

async function paced(page: Page, key: string, at: number): Promise<void> {
  await page.keyboard.press(key)
  await page.waitForTimeout(20 + ((at * 7) % 25))
}

async function draftMany({ url }: Studio, context: BrowserContext, { keys: rows }: LargeOrg): Promise<void> {
  const slugs = rows.flatMap(({ key, rows: ranges }) =>
    ranges.map(({ env, from }) => `${key}_${env ?? 'org'}_${from}`),
  )
  for (let first = 0; first < changed; first += 2000) {
    const drafts = slugs.slice(first, first + 2000).map((slug) => ({
      id: `config_entry/${set}.${slug}`,
      version: 0,
      edits: [{ path: ['body', 'values', 'rate'], value: '1.25' }],
    }))
    const answer = await context.request.put(`${url}/setup/v3/drafts`, {
      headers: { origin: url },
      data: { drafts },
    })
    if (!answer.ok()) throw new Error(await answer.text())
  }
}

const changesShown = (studio: Studio): Promise<number> =>
  clicked(studio, toChanges, { selector: '.chg', text: '1.25' }, (page) =>
    page
      .getByRole('region', { name: 'Impact', exact: true })
      .filter({ hasNotText: /checking|Nothing is ticked/i })
      .waitFor(),
  )

async function weighed(studio: Studio, page: Page): Promise<{ heap: number; resident: number | null }> {
  await showSet(studio, page)
  await page.locator('.tree li', { hasText: /^objects/ }).click()
  await page.locator('.tree li', { hasText: /^invoice/ }).click()
  await page.locator('.view-line').first().waitFor()
  await page.locator(toChanges.selector).click()
  await page.locator('.chg').first().waitFor()
  await page.waitForTimeout(1000)
  return memoryOf(studio.browser, page)
}

async function median(turn: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < roundsOf(rounds); round += 1) times.push(await turn())
  return timingOf('', times).ms
}

function typed(what: string, times: readonly number[], bare: readonly number[]): Line[] {
  const work = `${times.length} keys`
  const beside = (ms: number, floor: number): Pick<Line, 'against' | 'ratio'> => ({
    against: `a bare field's ${duration(floor)}`,
    ratio: `${(ms / floor).toFixed(2)}×`,
  })
  const [middle, floor] = [timingOf('', times).ms, timingOf('', bare).ms]
  const [late, lateFloor] = [at95(times), at95(bare)]
  return [
    { ...bounded(`${what}, median`, work, middle, 16.7, '16 ms, one frame'), ...beside(middle, floor) },
    { ...bounded(`${what}, 95 of 100`, work, late, 50), ...beside(late, lateFloor) },
  ]
}

function at95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0
}

function plain(what: string, work: string, ours: string): Line {
  return { what, work, ours, against: '', ratio: '', aim: '', met: null }
}

function bounded(what: string, work: string, ms: number, most: number, aim = duration(most)): Line {
  return { ...plain(what, work, duration(ms)), aim: `≤ ${aim}`, met: ms <= most }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
