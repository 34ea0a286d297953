// A page that the tests of a worker share, because a new page takes longer than most tests do afterwards.
import type { Browser, BrowserContext, Disposable, Page } from '@playwright/test'

export const viewport = { width: 1440, height: 900 }
const shared = new WeakMap<Page, SharedPage>()

export interface SharedPage {
  page: Page
  /** Ends what runs in the page. It stays at its origin, because another one would cost a process. */
  leave(): Promise<void>
  /** Removes what a test left in the page, in its context and in the storage of its origin. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function openSharedPage(browser: Browser): Promise<SharedPage> {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  const removeScripts = [noteScripts(page), noteScripts(context)]
  page.clock.install = refuse
  let origin = ''
  const noteOrigin = (): void => {
    if (page.url().startsWith('http')) origin = new URL(page.url()).origin
  }
  page.on('framenavigated', noteOrigin)
  const leave = async (): Promise<void> => {
    if (origin === '' || page.url() === `${origin}${emptyPath}`) return
    await page.route(`**${emptyPath}`, (route) =>
      route.fulfill({ contentType: 'text/html', headers, body: '' }),
    )
    await page.goto(`${origin}${emptyPath}`)
    await page.unroute(`**${emptyPath}`)
  }
  const sharedPage: SharedPage = {
    page,
    leave,
    reset: async () => {
      await resetPage(page)
      page.on('framenavigated', noteOrigin)
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      for (const other of context.pages()) if (other !== page) await other.close()
      await leave()
      for (const remove of removeScripts) await remove()
      await context.clearPermissions()
      await context.clearCookies()
      await clearStorage(page, origin)
    },
    close: () => context.close(),
  }
  shared.set(page, sharedPage)
  return sharedPage
}

/** Removes what a test left in a page, but neither its document nor its scripts. */
export async function resetPage(page: Page): Promise<void> {
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null })
  await page.setViewportSize(viewport)
  await page.mouse.up()
  await page.mouse.move(0, 0)
}

export const refuse = (): Promise<never> =>
  Promise.reject(new Error('It would stay for later tests: use testInOwnPage.'))

/** The path of an empty document at every origin. */
const emptyPath = '/test/empty'
/** As the studio's: a document with another policy would get its own process. */
const headers = { 'cross-origin-opener-policy': 'same-origin', 'origin-agent-cluster': '?1' }

/** Ends what runs in a page, so that it does not report that its server stops. */
export const leave = (page: Page): Promise<void> => shared.get(page)?.leave() ?? page.close()

/** Notes the scripts that a test adds, and returns a function that removes them. */
function noteScripts(target: Page | BrowserContext): () => Promise<void> {
  const added: Disposable[] = []
  const add = target.addInitScript.bind(target) as (...terms: unknown[]) => Promise<Disposable>
  target.addInitScript = async (...terms: unknown[]) => {
    const script = await add(...terms)
    added.push(script)
    return script
  }
  return async () => {
    for (const script of added.splice(0)) await script.dispose()
  }
}

async function clearStorage(page: Page, origin: string): Promise<void> {
  if (origin === '') return
  await page.evaluate(() => sessionStorage.clear())
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
  await session.detach()
}
