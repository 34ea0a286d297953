// <svc-lookup-field> against three others: its size, and how soon after a key press the options are painted.
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import { findChromium } from '../../support/chromium.mjs'
import { roundsOf, timingOf } from '../support/compare.ts'
import { duration, times, type Line, type Part, type PartContext } from '../support/part.ts'
import { isInstalled, notInstalled, peersFolder, versionOf } from '../support/peer.ts'
import { bundle, publishModule, type Bundle } from './bundle.ts'

const counts = [50, 1_000, 10_000] as const
const rounds = 7
/** A side that needs longer than this for one key press, in milliseconds, is measured once, and not with more rows. */
const patience = 5_000
/** By number of results; milliseconds. */
const aims: Partial<Record<number, number>> = { 1_000: 16, 10_000: 30 }
const key = 'q'

interface Side {
  name: string
  /** The package name on npm; ours has none. */
  npm?: string
  bundle: Bundle
}

interface Row {
  value: string
  label: string
}

export const lookupPart: Part = {
  name: 'lookup',
  title: 'The lookup field',
  async run(context) {
    const busy = `The load was ${loadavg()[0]!.toFixed(1)} when the run began; above its ${availableParallelism()} cores, the machine did other work in the meantime.`
    if (!isInstalled('@vaadin/combo-box')) return { lines: [], notes: [notInstalled] }
    const sides = await allSides()
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-background-networking'],
    })
    try {
      const lines = weights(sides)
      let able: readonly Side[] = sides
      for (const count of counts) {
        const timed = await keyPresses(browser, able, count, context)
        lines.push(...linesOf(timed, count))
        able = timed.filter(({ ms }) => ms <= patience).map(({ side }) => side)
      }
      return { lines, notes: [...notes, busy] }
    } finally {
      await browser.close()
    }
  },
}

const notes = [
  'Each side is bundled by the same build, with everything that it needs to render and a few lines of the test; what it loads later on demand is not counted. Ours is the published module with its source over rows. A test keeps that module, with both sources, within the same bound.',
  'All sides have the same rows, of which a sixth do not match. The time is measured in the page, from the key’s event to the end of the first frame in which the right option is first. Frames of a 60 Hz display begin every 16.7 ms, so up to one frame of it is waiting. After each turn the number of results and the first five options are compared.',
  'Peers use their own filter; ours uses its array source without a delay. Rows in the document are counted once the options are painted. A side that needs more than five seconds for one key is measured once, and not with more rows; a side whose page crashes is omitted.',
]

async function allSides(): Promise<Side[]> {
  const at = (url: URL): string => fileURLToPath(url)
  const peer = async (file: string, npm: string): Promise<Side> => ({
    name: `${npm} ${versionOf(npm)}`,
    npm,
    bundle: await bundle(at(new URL(file, peersFolder))),
  })
  return [
    {
      name: 'ours',
      bundle: await bundle(at(new URL('almanac.mjs', import.meta.url)), await publishModule()),
    },
    await peer('lookup-vaadin.mjs', '@vaadin/combo-box'),
    await peer('lookup-spectrum.mjs', '@spectrum-web-components/combobox'),
    await peer('lookup-ui5.mjs', '@ui5/webcomponents'),
  ]
}

function weights([ours, ...theirs]: readonly Side[]): Line[] {
  const size = ours!.bundle.gzip
  const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`
  return theirs.map((peer, at) => ({
    what: 'size',
    work: 'minified, gzip',
    ours: kib(size),
    against: `${peer.name} ${kib(peer.bundle.gzip)}`,
    ratio: `${times(peer.bundle.gzip / size)} smaller`,
    aim: at === 0 ? '≤ 12 KiB' : '',
    met: at === 0 ? size <= 12 * 1024 : null,
  }))
}

interface Timed {
  side: Side
  ms: number
  /** The number of options in the document. */
  rows: number
}

async function keyPresses(
  browser: Browser,
  able: readonly Side[],
  count: number,
  { say }: PartContext,
): Promise<Timed[]> {
  const rows = rowsOf(count)
  const pages: Page[] = []
  const sides: Side[] = []
  for (const side of able)
    try {
      pages.push(await shown(browser, side, rows))
      sides.push(side)
    } catch (error) {
      // A peer that draws every row can be more than a page can hold.
      if (side.npm === undefined) throw error
      say(`${count}: ${side.name} is left out: ${(error as Error).message.split('\n')[0]}`)
    }
  const times = sides.map((): number[] => [])
  // The first round warms up the compiler; its answers are checked too.
  for (let round = 0; round <= roundsOf(rounds); round += 1)
    for (const [at, page] of pages.entries()) {
      if ((times[at]![0] ?? 0) > patience) continue
      const ms = await pressed(page, sides[at]!.name, rows, count)
      if (round > 0 || ms > patience) times[at]!.push(ms)
    }
  const timed: Timed[] = []
  for (const [at, side] of sides.entries()) {
    const { ms } = timingOf(side.name, times[at]!)
    timed.push({ side, ms, rows: await pages[at]!.evaluate<number>('side.rows()') })
    say(`${count}: ${side.name} ${duration(ms)}`)
    await pages[at]!.context().close()
  }
  return timed
}

function linesOf(all: readonly Timed[], count: number): Line[] {
  const [ours, ...theirs] = all
  const aim = aims[count]
  const work = `${count.toLocaleString('en-GB')} results`
  const timed = theirs.map(({ side: { name }, ms }, at): Line => ({
    what: 'key press to painted options',
    work,
    ours: duration(ours!.ms),
    against: `${name} ${duration(ms)}`,
    ratio: ms < ours!.ms ? `${times(ours!.ms / ms)} slower` : `${times(ms / ours!.ms)} faster`,
    aim: at === 0 && aim !== undefined ? `≤ ${aim} ms` : '',
    met: at === 0 && aim !== undefined ? ours!.ms <= aim : null,
  }))
  const counted: Line = {
    what: 'rows in the document',
    work,
    ours: String(ours!.rows),
    against: theirs.map(({ side: { name }, rows }) => `${name} ${rows}`).join('; '),
    ratio: '',
    aim: count > 50 ? '≤ 30' : '',
    met: count > 50 ? ours!.rows <= 30 : null,
  }
  return [...timed, counted]
}

/**
 * Every sixth label does not begin with the key. The first one does not either, so the first option changes with the
 * key.
 */
function rowsOf(count: number): Row[] {
  const all = Math.ceil(count * 1.2)
  return Array.from({ length: all }, (_, at) => ({
    value: `c${at}`,
    label: at % 6 === 0 ? `Other ${at}` : `Quill ${at}`,
  }))
}

async function shown(browser: Browser, { bundle: { files } }: Side, rows: readonly Row[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 800, height: 700 } })
  const page = await context.newPage()
  page.setDefaultTimeout(300_000)
  await page.route('http://side.invalid/**', async (route) => {
    const script = files.get(new URL(route.request().url()).pathname.slice(1))
    await route.fulfill(
      script === undefined
        ? {
            contentType: 'text/html',
            body: '<!doctype html><html lang="en"><title>Side</title><main></main><script type="module" src="/entry.js"></script></html>',
          }
        : { contentType: 'text/javascript', body: script },
    )
  })
  await page.goto('http://side.invalid/')
  await page.waitForFunction('window.side !== undefined')
  await page.evaluate(`side.mount(document.querySelector('main'), ${JSON.stringify(rows)})`)
  await page.waitForTimeout(1000)
  return page
}

/**
 * One key press in the empty field.
 * @throws Error if the options are not the expected ones
 */
async function pressed(page: Page, name: string, rows: readonly Row[], count: number): Promise<number> {
  await page.bringToFront()
  await page.evaluate('side.focus()')
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Backspace')
  await page.waitForTimeout(400)
  const matching = rows.filter(({ label }) => label.toLowerCase().startsWith(key))
  const measured = page.evaluate<number>(`side.painted(${JSON.stringify(matching[0]!.label)})`)
  await page.evaluate('1')
  await page.keyboard.press(key)
  const ms = await measured
  const answer = await page.evaluate<{ count: number; labels: string[] }>('side.answer()')
  const expected = { count, labels: matching.slice(0, 5).map(({ label }) => label) }
  if (matching.length !== count || JSON.stringify(answer) !== JSON.stringify(expected))
    throw new Error(`${name} returned ${JSON.stringify(answer)}, not ${JSON.stringify(expected)}.`)
  return ms
}
