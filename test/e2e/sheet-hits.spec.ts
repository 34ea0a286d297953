// The sheet does not move during an action: a press, a drag or a key acts on what was under the pointer.
import type { Page } from '@playwright/test'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

const trials = Number(process.env['ALMANAC_TRIALS'] ?? 200)

/** Keys of one to six lanes, some with a gap: selecting them makes the timeline show more or less. */
function unevenKeys(): object[] {
  const rows: object[] = []
  for (let key = 0; key < 12; key += 1)
    for (let lane = 0; lane <= key % 6; lane += 1) {
      const name = `K${String(key).padStart(2, '0')}`
      const scope = lane === 0 ? { kind: 'org' } : { kind: 'app', app: `app_${lane}` }
      const slug = `${name.toLowerCase()}_${lane}`
      rows.push({
        type: 'config_entry',
        key: `uneven.${slug}`,
        label: slug,
        body: {
          set: 'uneven',
          key: name,
          scope,
          effectiveFrom: `20${10 + lane}-01-01`,
          effectiveTo: null,
          values: { rate: `0.${10 + key}` },
        },
      })
    }
  return rows
}

async function openUneven({ call, page, url }: Studio): Promise<Page> {
  const apps = [1, 2, 3, 4, 5].map((lane) => ({
    type: 'app',
    key: `app_${lane}`,
    label: `App ${lane}`,
    body: { objects: [], pages: [], flows: [] },
  }))
  const grants = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
  const set = {
    type: 'config_set',
    key: 'uneven',
    label: 'Uneven',
    body: {
      ...grants,
      cardinality: 'keyed',
      keyedBy: { key: 'territory', type: 'text' },
      scopes: ['app', 'org'],
      effectiveDated: true,
      asOfField: ['invoice.tax_point'],
      fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true, label: 'Rate' }],
    },
  }
  await call('POST', '/metadata/v3/apply', {
    components: [...apps, set, ...unevenKeys()],
    rationale: 'Uneven keys',
  })
  // Every fourth key has days without a value, so the repair of a gap appears and disappears with the selection.
  for (const key of [3, 7, 11]) {
    const id = `config_entry/uneven.k${String(key).padStart(2, '0')}_1`
    const { text } = await call<{ text: string }>('GET', `/metadata/v3/components/${id}`)
    const ended = text.replace('"effectiveTo": null', '"effectiveTo": "2012-01-01"')
    const later = JSON.parse(ended) as { key: string; body: Record<string, unknown> }
    later.key += 'b'
    Object.assign(later.body, { effectiveFrom: '2014-01-01', effectiveTo: null })
    await call('PUT', `/setup/v3/drafts/${id}`, { text: ended, version: 0 })
    await call('PUT', `/setup/v3/drafts/${id}b`, { text: JSON.stringify(later), version: 0 })
  }
  await page.goto(`${url}/c/config_set/uneven`)
  await expect(page.locator('[aria-rowindex="2"]')).toContainText('K00')
  return page
}

interface Miss {
  trial: number
  act: string
  wanted: string
  got: string
}

/** Runs in the page. Each event goes to what is under the pointer at that moment, with frames in between. */
async function act({ many, seed }: { many: number; seed: number }): Promise<Miss[]> {
  let state = seed
  const random = (): number => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done))
  /** Lets the page draw what follows an event at once. */
  const drawn = (): Promise<unknown> => new Promise((done) => setTimeout(done))
  const host = document.querySelector<HTMLElement>('.sheet-host')!
  const bounds = host.getBoundingClientRect()
  const nameOf = (cell: Element | null): string => {
    const row = cell?.closest('[role="row"]')
    const texts = [...(row?.querySelectorAll('[role="gridcell"]') ?? [])].map((each) => each.textContent)
    return `${texts.slice(0, 4).join('|')} ${cell?.getAttribute('aria-colindex')}`
  }
  const cellUnder = (x: number, y: number): Element | null =>
    document.elementsFromPoint(x, y).find((each) => each.matches('[role="gridcell"]')) ?? null
  const send = (type: string, x: number, y: number, buttons: number): void => {
    const target = document.elementFromPoint(x, y) ?? document.body
    const init = {
      bubbles: true,
      cancelable: true,
      composed: true,
      clientX: x,
      clientY: y,
      button: 0,
      buttons,
    }
    target.dispatchEvent(
      type.startsWith('pointer') ? new PointerEvent(type, init) : new MouseEvent(type, init),
    )
  }
  const click = (x: number, y: number): void => {
    send('pointerdown', x, y, 1)
    send('pointerup', x, y, 0)
  }
  const press = (key: string, target: Element = document.activeElement ?? host): void =>
    void target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  const activeCell = (): Element | null =>
    document.getElementById(host.getAttribute('aria-activedescendant') ?? '')
  const misses: Miss[] = []
  for (let trial = 0; trial < many; trial += 1) {
    if (trial % 25 === 0) {
      host.scrollTop = Math.floor(random() * host.scrollHeight)
      await frame()
    }
    await drawn()
    const x = Math.floor(bounds.left + 60 + random() * (bounds.width - 220))
    const y = Math.floor(bounds.top + 30 + random() * (bounds.height - 150))
    send('pointermove', x, y, 0)
    const under = cellUnder(x, y)
    // The fill handle covers the corner of a cell, and is what a press there hits.
    if (document.elementFromPoint(x, y)?.matches('.fillhandle')) continue
    if (under === null || under.closest('.fresh')) continue
    const expectedName = nameOf(under)
    const kind = ['double-click', 'drag', 'key'][Math.floor(random() * 3)]!
    let got: string
    if (kind === 'double-click') {
      click(x, y)
      await frame()
      if (random() < 0.3) await frame()
      click(x, y)
      send('dblclick', x, y, 0)
      await drawn()
      const editor = document.querySelector<HTMLInputElement>('.sheet-editor input')
      const row = editor?.getAttribute('aria-label')?.match(/row (\d+)$/)?.[1]
      const cell = document.querySelector(
        `[aria-rowindex="${Number(row) + 1}"] > [aria-colindex="${under.getAttribute('aria-colindex')}"]`,
      )
      got = nameOf(cell)
      if (editor) press('Escape', editor)
    } else if (kind === 'drag') {
      const [toX, toY] = [x, y + 28 * Math.ceil(random() * 3)]
      const last = nameOf(cellUnder(toX, toY))
      send('pointerdown', x, y, 1)
      await drawn()
      send('pointermove', toX, toY, 1)
      await frame()
      await drawn()
      send('pointerup', toX, toY, 0)
      await drawn()
      const selected = [...host.querySelectorAll('[role="gridcell"][aria-selected="true"]')]
      const ends = [selected[0], selected.at(-1)].map((each) => nameOf(each ?? null))
      got =
        ends[0] === expectedName && (ends[1] === last || last.includes('new row'))
          ? expectedName
          : `${ends.join(' to ')}, not ${last}`
    } else {
      click(x, y)
      await frame()
      press('F2', host)
      await drawn()
      const editor = document.querySelector<HTMLInputElement>('.sheet-editor input')
      got = editor ? nameOf(activeCell()) : 'no editor'
      if (editor) press('Escape', editor)
    }
    if (got !== expectedName) misses.push({ trial, act: kind, wanted: expectedName, got })
  }
  return misses
}

test('a double-click, a drag and a key press hit what was under the pointer, in random trials', async ({
  studio,
}) => {
  // The trials do not measure speed.
  test.setTimeout(60_000 + trials * 600)
  await layGround(studio)
  const page = await openUneven(studio)
  // In the meantime, another user adds and discards rows above and between them.
  let isOver = false
  const others = (async () => {
    const id = 'config_entry/uneven.a00'
    const row = unevenKeys()[0] as { key: string; body: { key: string } }
    const text = JSON.stringify({ ...row, key: 'uneven.a00', body: { ...row.body, key: 'A00' } })
    while (!isOver) {
      await studio.call('PUT', `/setup/v3/drafts/${id}`, { text, version: 0 })
      await page.waitForTimeout(300)
      await studio.call('DELETE', `/setup/v3/drafts/${id}`)
      await page.waitForTimeout(300)
    }
    await studio.call('PUT', `/setup/v3/drafts/${id}`, { text, version: 0 })
  })()
  const misses = await page.evaluate(act, { many: trials, seed: 20261123 })
  isOver = true
  await others
  expect(misses.slice(0, 5), `${misses.length} of ${trials}`).toEqual([])
  // The change was only delayed: once the pointer rests, the other user's row is shown.
  await page.locator('.sheet-host').evaluate((host) => (host.scrollTop = 0))
  await expect(page.getByRole('gridcell', { name: 'A00' })).toBeVisible()
})

test('the sheet stays in place for any selected row', async ({ studio }) => {
  await layGround(studio)
  const page = await openUneven(studio)
  const tops = new Set<number>()
  for (let row = 2; row < 16; row += 1) {
    await page.locator(`[aria-rowindex="${row}"] > [aria-colindex="2"]`).click()
    tops.add((await page.locator('.sheet-host').boundingBox())!.y)
  }
  expect([...tops]).toHaveLength(1)
  // The timeline is resized only by the user, and keeps its height.
  const edge = page.getByRole('separator', { name: 'Height of the timeline' })
  await edge.focus()
  await page.keyboard.press('ArrowUp')
  const [before] = tops
  await expect.poll(async () => (await page.locator('.sheet-host').boundingBox())!.y).toBeLessThan(before!)
  const after = (await page.locator('.sheet-host').boundingBox())!.y
  await page.reload()
  await expect.poll(async () => (await page.locator('.sheet-host').boundingBox())?.y).toBe(after)
})
