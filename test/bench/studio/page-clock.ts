// Measures inside a page, by its own clock: until something is painted, and from a key press to its paint.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'

/**
 * Runs in the page. Resolves with the time at which something was painted: the observer found it after a change in the
 * page, and its frame has been drawn.
 */
const painted = `(selector, text) => new Promise((done, failed) => {
  setTimeout(() => failed(new Error('Not painted within a minute: ' + selector + ' with "' + text + '"')), 60000)
  const look = () => [...document.querySelectorAll(selector)].some((each) => each.textContent.includes(text))
  const out = () => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => done(performance.now())
    port2.postMessage(null)
  })
  if (look()) return out()
  const watch = new MutationObserver(() => {
    if (!look()) return
    watch.disconnect()
    out()
  })
  watch.observe(document, { childList: true, subtree: true, characterData: true })
})`

/** Milliseconds from the start of a navigation until all of these were painted. */
export async function untilPainted(page: Page, url: string, target: Record<string, string>): Promise<number> {
  const all = Object.entries(target).map(
    ([selector, text]) => `(${painted})(${json(selector)}, ${json(text)})`,
  )
  await page.addInitScript({ content: `window.painted = Promise.all([${all.join(', ')}])` })
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate('window.painted.then((moments) => Math.max(...moments))')
}

/** What to look for: the first element that matches a selector and contains a text. */
export interface ElementQuery {
  selector: string
  text: string
}

/** Milliseconds from a click until something was painted. */
export function fromClick(page: Page, click: ElementQuery, target: ElementQuery): Promise<number> {
  return page.evaluate(`(async () => {
    const all = [...document.querySelectorAll(${json(click.selector)})]
    const target = all.find((each) => each.textContent.includes(${json(click.text)}))
    const begun = performance.now()
    target.click()
    return (await (${painted})(${json(target.selector)}, ${json(target.text)})) - begun
  })()`)
}

/** From now on, records the time from each key press to the next paint. */
export async function noteKeys(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    window.pressed = []
    if (window.notesKeys) return
    window.notesKeys = true
    window.addEventListener('keydown', ({ timeStamp }) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => window.pressed.push(performance.now() - timeStamp)
        port2.postMessage(null)
      })
    }, true)
  })()`)
}

export const notedKeys = (page: Page): Promise<number[]> => page.evaluate('window.pressed')

/** Rows of a sheet that were blank or wrong right after each of many jumps. */
export function blankRows(page: Page, jumps: number): Promise<number> {
  return page.evaluate(
    async ({ jumps: many }) => {
      const host = document.querySelector('[role=grid]')!
      let blank = 0
      for (let jump = 0; jump < many; jump += 1) {
        host.scrollTop = ((jump * 7919) % 101) * ((host.scrollHeight - host.clientHeight) / 100)
        await new Promise((drawn) => requestAnimationFrame(drawn))
        const box = host.getBoundingClientRect()
        for (let y = box.top + 40; y < box.bottom - 30; y += 28) {
          const row = document.elementFromPoint(box.left + 120, y)?.closest('[role=row]')
          const target = Math.floor((y - box.top - 26 + host.scrollTop) / 28) + 2
          const right = Number(row?.getAttribute('aria-rowindex')) === target
          if (!right || !row?.querySelector('[role=gridcell]')?.textContent) blank += 1
        }
      }
      return blank
    },
    { jumps },
  )
}

/**
 * Memory of the page in bytes: its JavaScript heap after a collection, and the resident set of its process (Linux;
 * otherwise null).
 */
export async function memoryOf(
  browser: Browser,
  page: Page,
): Promise<{ heap: number; resident: number | null }> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
  const whole = await browser.newBrowserCDPSession()
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo')
  const sets = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id))
  const known = sets.filter((size) => size !== null)
  return { heap, resident: known.length === 0 ? null : Math.max(...known) }
}

function residentOf(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    return null
  }
}

const json = (value: unknown): string => JSON.stringify(value)
