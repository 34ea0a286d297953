// "npm run shots": every page in every theme, at every size, in shots/ (or the given folder), for visual review. "npm
// run shots -- --theme dark --page home --page audit" makes only these.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../support/chromium.mjs'
import { bundleServer } from '../support/server-bundle.mjs'
import { loadRows } from './support/bulk.ts'
import { layEvents } from './support/channels.ts'
import { layRemote, layRequest } from './support/ground.ts'
import { deployWebhook, sendFromHub } from './support/webhooks.ts'
import { startStudio } from './support/studio-server.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { theme: { type: 'string', multiple: true }, page: { type: 'string', multiple: true } },
})
const folder = resolve(positionals[0] ?? join(import.meta.dirname, '../../shots'))
const themes = options.theme ?? ['light', 'dark', 'contrast']
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 390, height: 800 },
] as const
const settle = 1500

interface Shot {
  name: string
  path: string
  act?: (page: Page) => Promise<unknown>
  /** Needs space for two panes, so it is skipped on a phone. */
  wide?: boolean
  /** Undoes state that would also show on later pages. */
  undo?: (page: Page) => Promise<unknown>
}

const shots = (resultId: string): Shot[] => [
  // Without the query the studio opens the last tab.
  { name: 'home', path: '/?home' },
  {
    name: 'entries',
    path: '/c/config_set/vat_rate',
    act: (page) => page.getByPlaceholder('Filter entries').fill('ee org'),
  },
  { name: 'definition', path: '/c/config_set/vat_rate?view=form' },
  { name: 'entry', path: '/c/config_entry/vat_rate.ee_2025_07_01' },
  { name: 'object', path: '/c/object/invoice' },
  { name: 'flag', path: '/c/feature_flag/legacy_rounding' },
  { name: 'changes', path: '/changes' },
  {
    name: 'changes-text',
    path: '/changes',
    act: (page) => page.getByRole('button', { name: 'Summary and text' }).click(),
  },
  { name: 'requests', path: '/requests' },
  {
    name: 'request',
    path: '/requests',
    act: (page) => page.getByRole('link', { name: 'Colours of the catalogue' }).first().click(),
  },
  { name: 'playground', path: '/playground?set=vat_rate&key=DE&asOf=2020-08-01' },
  {
    name: 'result',
    path: `/results/${resultId}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Replay vintage' }).click()
      await page.getByRole('button', { name: 'Recompute now' }).click()
    },
  },
  { name: 'time', path: '/time/vat_rate?key=EE' },
  { name: 'time-list', path: '/time/vat_rate?key=EE&view=list' },
  { name: 'time-set', path: '/time/vat_rate?view=set&a=2@2020-08-01&b=3@2027-02-01' },
  {
    name: 'time-value',
    path: `/time/vat_rate?key=DE&a=2@2027-02-01&b=3@2027-02-01&result=${resultId}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Replay vintage' }).click()
      await page.getByRole('button', { name: 'Recompute now' }).click()
    },
  },
  { name: 'flags', path: '/flags' },
  { name: 'operate', path: '/operate/outbox' },
  { name: 'breakers', path: '/operate/breakers' },
  { name: 'bulk-jobs', path: '/operate/bulk' },
  { name: 'bulk-job', path: '/operate/bulk', act: (page) => page.locator('a.item').first().click() },
  { name: 'new-bulk-job', path: '/operate/bulk/new' },
  { name: 'traces', path: '/operate/trace' },
  { name: 'event-channels', path: '/operate/events' },
  { name: 'events', path: '/operate/events/invoice_changes' },
  { name: 'platform-events', path: '/operate/events/payments' },
  { name: 'event-log', path: '/operate/events/payments?view=log' },
  { name: 'subscriptions', path: '/operate/subscriptions' },
  {
    name: 'publish-event',
    path: '/operate/events/payments',
    act: async (page) => {
      await page.getByRole('button', { name: 'Publish an event…' }).click()
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
    },
  },
  {
    name: 'replay',
    path: '/operate/subscriptions',
    act: (page) =>
      page
        .getByRole('button', { name: /^Replay from/ })
        .first()
        .click(),
  },
  { name: 'flag-detail', path: '/flags/reverse_charge_hint' },
  {
    name: 'flag-retire',
    path: '/flags/reverse_charge_hint',
    act: (page) => page.getByRole('button', { name: 'Draft removal' }).click(),
  },
  { name: 'search', path: '/search?q=vat%20rate' },
  { name: 'generations', path: '/generations' },
  { name: 'generation', path: '/generations/2' },
  { name: 'restore', path: '/restore/1' },
  { name: 'revert', path: '/revert/2' },
  { name: 'people', path: '/people' },
  { name: 'user', path: '/people/users/mara' },
  { name: 'group', path: '/people/groups/finance' },
  { name: 'new-component', path: '/new/config_set' },
  { name: 'not-found', path: '/nothing/here' },
  { name: 'audit', path: '/audit' },
  { name: 'deploy', path: '/deploy' },
  { name: 'remote', path: '/deploy/itself?local=drafts' },
  { name: 'lookup', path: '/lookup' },
  {
    name: 'lookup-open',
    path: '/lookup?source=keys%3Avat_rate&mode=edit&label=Territory&display-fields=value,since,entries',
    act: (page) => page.locator('.live [part=input]').fill('de'),
  },
  {
    name: 'lookup-rtl',
    path: '/lookup?source=rtl&mode=edit&label=%D8%B9%D9%85%D9%8A%D9%84&display-fields=city,number&dir=rtl',
    act: (page) => page.locator('.live [part=input]').click(),
  },
  { name: 'lookup-placement', path: '/lookup?view=placement&layout=invoice_page' },
  { name: 'settings', path: '/settings' },
  {
    name: 'two-sides',
    wide: true,
    path: '/c/object/invoice',
    act: async (page) => {
      await page.keyboard.press('Control+\\')
      await page.getByRole('treeitem', { name: 'vat_rate' }).first().click()
    },
    undo: (page) => page.keyboard.press('Control+\\'),
  },
  { name: 'sign-in', path: '/sign-in' },
  { name: 'palette', path: '/c/config_set/vat_rate', act: (page) => page.keyboard.press('Control+k') },
  {
    name: 'new-value',
    path: '/c/config_set/vat_rate',
    act: (page) => page.getByRole('button', { name: /^New value/ }).click(),
  },
]

/** Over an org without approvals. */
const deliveryShots: readonly Shot[] = [
  { name: 'deliveries', path: '/operate/deliveries' },
  {
    name: 'delivery',
    path: '/operate/deliveries?state=dead',
    act: (page) => page.locator('a.item').first().click(),
  },
  {
    name: 'refused-deliveries',
    path: '/operate/deliveries/refused',
    act: (page) =>
      page
        .getByRole('button', { name: /^Signature:/ })
        .first()
        .click(),
  },
  {
    name: 'test-delivery',
    path: '/operate/deliveries/test?endpoint=hub',
    act: (page) => page.getByRole('button', { name: 'Sign and send' }).click(),
  },
]

mkdirSync(folder, { recursive: true })
await bundleServer('playwright')
const server = await startStudio({ name: 'Kestrel Optics', environment: 'prod', sample: true })
const open = await startStudio({ name: 'Kestrel Optics', environment: 'test' })
const asRoot = process.getuid?.() === 0
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: asRoot ? ['--no-sandbox'] : [],
})
try {
  await takeSample()
  await takeDeliveries()
} finally {
  await browser.close()
  await server.stop()
  await open.stop()
}

async function takeSample(): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(server.open)
  const resultId = await draft(page)
  await layRemote({ url: server.url, call: callOver(page) })
  await layRequest({ call: callOver(page) })
  const job = { object: 'customer', operation: 'insert', format: 'csv' }
  const rows = Array.from({ length: 300 }, (_, at) => `Customer ${at},${at % 9 === 4 ? 'XX' : 'DE'},Bonn`)
  const lines = ['name,territory,city', ...rows, '"never closed']
  await loadRows({ url: server.url, call: callOver(page), page }, lines.join('\n'), job)
  await layEvents({ call: callOver(page) })
  await takeAll(page, server.url, shots(resultId))
}

async function takeDeliveries(): Promise<void> {
  if (!deliveryShots.some(isWanted)) return
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(open.open)
  const ground = { url: open.url, call: callOver(page, open.url) }
  await deployWebhook(ground)
  for (let at = 1; at <= 12; at += 1) {
    const contact = { code: `H-${at}`, person: { name: `Customer ${at}` }, amount: at % 4 === 3 ? '-1' : '2' }
    await sendFromHub(ground, `evt_88403${at}`, contact)
    await sendFromHub(ground, `evt_88404${at}`, contact, { secret: 'other' })
  }
  await takeAll(page, open.url, deliveryShots)
}

async function takeAll(page: Page, url: string, all: readonly Shot[]): Promise<void> {
  for (const theme of themes)
    for (const size of sizes) {
      if (theme === 'contrast') await page.evaluate(() => localStorage.setItem('almanac.theme', 'contrast'))
      else
        await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' })
      await page.setViewportSize(size)
      for (const shot of all)
        if (isWanted(shot) && (size.width > 600 || !shot.wide))
          await take(page, url, shot, `${theme}-${size.width}`)
    }
}

function isWanted({ name }: Shot): boolean {
  return options.page === undefined || options.page.includes(name)
}

async function take(page: Page, url: string, { name, path, act, undo }: Shot, viewer: string): Promise<void> {
  await page.goto(url + path)
  await page.waitForTimeout(settle)
  await act?.(page)
  if (act) await page.waitForTimeout(settle / 2)
  const file = join(folder, `${name}-${viewer}.png`)
  await page.screenshot({ path: file })
  console.log(file)
  await undo?.(page)
}

/**
 * A new rate for Estonia that leaves one day without a value, and a longer payment term. Returns the id of a result to
 * replay.
 */
async function draft(page: Page): Promise<string> {
  const call = callOver(page)
  const keep = (type: string, key: string, text: string): Promise<unknown> =>
    call('PUT', `/setup/v3/drafts/${type}/${key}`, { text, version: 0 })
  const estonia = 'vat_rate.ee_2025_07_01'
  const { text } = await call<{ text: string }>('GET', `/metadata/v3/components/config_entry/${estonia}`)
  await keep('config_entry', estonia, text.replace('"effectiveTo": null', '"effectiveTo": "2027-07-01"'))
  const next = text
    .replace('2025-07-01', '2027-07-02')
    .replaceAll('2025_07_01', '2027_07_02')
    .replace('0.24', '0.25')
  await keep(
    'config_entry',
    'vat_rate.ee_2027_07_02',
    next.replace('EE from 2025-07-01', 'EE from 2027-07-02'),
  )
  const flag = await call<{ text: string }>('GET', '/metadata/v3/components/feature_flag/reverse_charge_hint')
  await keep(
    'feature_flag',
    'reverse_charge_hint',
    flag.text.replace(/"expiresOn": "[^"]*"/, '"expiresOn": "2027-03-31"'),
  )
  const { results } = await call<{ results: { id: string; label: string }[] }>('GET', '/setup/v3/results')
  return (results.find(({ label }) => label.startsWith('Offer')) ?? results[0])?.id ?? ''
}

/** Sends a request to the server as the page does. */
function callOver(page: Page, url = server.url) {
  return async <T>(method: string, path: string, data?: unknown): Promise<T> => {
    const response = await page.request.fetch(url + path, {
      method,
      headers: { origin: url },
      data,
    })
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}
