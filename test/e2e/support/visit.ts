// Going to a page of the studio as a link in it does, which costs a tenth of loading it.
import type { Page } from '@playwright/test'

/** Goes to a URL of the studio, which is loaded if it is not in the page yet. */
export async function visit(page: Page, url: string): Promise<void> {
  const { origin, pathname, search } = new URL(url)
  if (!page.url().startsWith(`${origin}/`) || !(await hasStudio(page))) {
    await page.goto(url)
    return
  }
  // Goes through a page without content, so that nothing of the previous page is taken for something of this one.
  await follow(page, '/no/such/page')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await follow(page, pathname + search)
}

/** Whether the page is one of the studio, and not the empty one between two tests. */
export const hasStudio = async (page: Page): Promise<boolean> => (await page.locator('#app').count()) > 0

/** Navigates as the browser's Back and Forward do. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}
