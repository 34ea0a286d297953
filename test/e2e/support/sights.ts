// Every page of the studio over the fixture: its URL, what shows that it is loaded, and what opens its parts.
import type { Page } from '@playwright/test'
import { visit } from './visit.ts'

/** Pages that have an open part, which would also be visible on the next page, or that have no frame. */
const used = new WeakSet<Page>()

/** Shows a page and its part. The page is loaded if it is the first one, or after a part. */
export async function show(
  page: Page,
  origin: string,
  { path, ready, act, frameless }: Sight,
): Promise<void> {
  if (used.has(page)) await page.goto(origin + path)
  else await visit(page, origin + path)
  used.delete(page)
  await page.locator(ready).first().waitFor()
  if (act !== undefined || frameless) used.add(page)
  await act?.(page)
}

export interface Sight {
  name: string
  path: string
  ready: string
  act?: (page: Page) => Promise<unknown>
  /** The page is not in the frame of the studio, so the next page is loaded again. */
  frameless?: true
}

export const pages = (resultId: string): Sight[] => [
  { name: 'home', path: '/', ready: '.homehead h1' },
  { name: 'entries', path: '/c/config_set/vat_rate', ready: '[role=row] >> text=0.1900' },
  { name: 'import', path: '/c/config_set/vat_rate?import', ready: '.dropzone' },
  { name: 'definition', path: '/c/config_set/vat_rate?view=form', ready: '.split .frow' },
  { name: 'invalid entry', path: '/c/config_entry/vat_rate.hr_2012_03_01', ready: '.said-by' },
  { name: 'object', path: '/c/object/invoice', ready: '.split .frow' },
  { name: 'permission set', path: '/c/permission_set/administrator', ready: '.split .frow' },
  { name: 'flag', path: '/c/feature_flag/split_payment', ready: '.split .frow' },
  { name: 'new', path: '/new/config_set', ready: '#new-key' },
  { name: 'missing', path: '/c/config_set/nothing', ready: 'h1:has-text("does not exist")' },
  { name: 'records', path: '/records', ready: '.prose h1' },
  { name: 'clients', path: '/people/clients', ready: '.ledger td' },
  { name: 'client', path: '/people/clients/local', ready: '.facts' },
  { name: 'bulk jobs', path: '/operate/bulk', ready: '.empty' },
  { name: 'new bulk job', path: '/operate/bulk/new', ready: '.dropzone' },
  { name: 'deliveries', path: '/operate/deliveries', ready: '.page .empty' },
  { name: 'refused deliveries', path: '/operate/deliveries/refused', ready: '.page .empty' },
  { name: 'test delivery', path: '/operate/deliveries/test', ready: '#test-body' },
  { name: 'outbox', path: '/operate/outbox', ready: '.both .empty' },
  { name: 'circuit breakers', path: '/operate/breakers', ready: '.page .ledger td, .page .empty' },
  { name: 'traces', path: '/operate/trace', ready: '.page .ledger td, .page .empty' },
  { name: 'event channels', path: '/operate/events', ready: '.page .ledger td, .page .empty' },
  { name: 'subscriptions', path: '/operate/subscriptions', ready: '.page .empty' },
  { name: 'apps', path: '/apps', ready: '.prose h1' },
  { name: 'changes', path: '/changes', ready: '.chg' },
  {
    name: 'changes, text',
    path: '/changes',
    ready: '.chg',
    act: async (page) => {
      await page.getByRole('button', { name: 'Summary and text' }).click()
      await page.locator('.textdock .view-line').first().waitFor()
    },
  },
  { name: 'requests', path: '/requests', ready: '.ledger td' },
  {
    name: 'request',
    path: '/requests',
    ready: '.ledger td',
    act: async (page) => {
      await page.getByRole('link', { name: 'Colours of the catalogue' }).first().click()
      await page.locator('.chg').first().waitFor()
    },
  },
  { name: 'playground', path: '/playground?set=vat_rate&key=DE&asOf=2020-08-01', ready: '.walk .hit' },
  { name: 'results', path: '/results', ready: '.tree li' },
  { name: 'result', path: `/results/${resultId}`, ready: '.bytes' },
  { name: 'time', path: '/time/vat_rate?key=DE', ready: '.spot' },
  { name: 'time, list', path: '/time/vat_rate?key=DE&view=list', ready: '.list td' },
  {
    name: 'time, whole set',
    path: '/time/vat_rate?view=set&a=2@2020-08-01&b=2@2026-01-01',
    ready: '.whole .ledger td',
  },
  { name: 'time, stored result', path: `/time/vat_rate?key=DE&result=${resultId}`, ready: '.bytes' },
  { name: 'flags', path: '/flags', ready: '.flags td' },
  { name: 'flag in detail', path: '/flags/split_payment', ready: '#flag-owner' },
  { name: 'search', path: '/search?q=vat', ready: '.hit mark' },
  { name: 'generations', path: '/generations', ready: '.chg' },
  { name: 'people', path: '/people', ready: '.people td' },
  { name: 'user', path: '/people/users/admin', ready: '.access .ledger td' },
  {
    name: 'new user',
    path: '/people',
    ready: '.people td',
    act: (page) => page.getByRole('button', { name: 'New user' }).last().click(),
  },
  { name: 'audit', path: '/audit', ready: '.ledger td' },
  { name: 'deploy', path: '/deploy', ready: '.ledger .env' },
  { name: 'remote', path: '/deploy/itself?local=drafts', ready: '.cmp .chg' },
  { name: 'remote, history', path: '/deploy/itself?view=history', ready: '.ledger td' },
  { name: 'remote, activity', path: '/deploy/itself?view=activity', ready: '.ledger td' },
  {
    name: 'lookup, list open',
    path: '/lookup?source=large&mode=edit&label=Customer&display-fields=city&required=',
    ready: '.live [part=input]',
    act: async (page) => {
      await page.getByRole('tab', { name: 'Accessibility' }).click()
      await page.locator('.live [part=input]').click()
      await page.locator('.live [part=option]').first().waitFor()
    },
  },
  {
    name: 'lookup, states',
    path: '/lookup?source=large&mode=read&label=Customer&value=made-00001&display=Alpen%20Handel%20AG&message=Who%20pays',
    ready: '.specs [part=link]',
  },
  { name: 'lookup, placement', path: '/lookup?view=placement', ready: '.placetext .view-line' },
  { name: 'settings', path: '/settings', ready: '#settings-required' },
  {
    name: 'two sides, by app, events',
    path: '/c/object/invoice',
    ready: '.split .frow',
    act: async (page) => {
      await page.keyboard.press('Control+\\')
      await page.getByRole('button', { name: 'App', exact: true }).click()
      await page.getByRole('tab', { name: 'Events' }).click()
      await page.getByRole('treeitem', { name: 'not in an app' }).waitFor()
    },
  },
  { name: 'sign-in', path: '/sign-in', ready: 'h1:has-text("Sign in")', frameless: true },
  { name: 'nowhere', path: '/no/such/page', ready: 'h1' },
]
