// The pages are read before they are asked for, while nothing else is done, so that the first visit of one is as quick as
// the next.
import type { Router } from 'vue-router'

type Later = () => Promise<unknown>

/** One after the other, once the first page is there. What cannot be read now is read when it is asked for. */
export async function warmPages(router: Router): Promise<void> {
  await router.isReady()
  const pages = new Set(router.getRoutes().flatMap(({ components }) => Object.values(components ?? {})))
  for (const page of pages) {
    await idle()
    if (typeof page === 'function') await (page as Later)().catch(() => undefined)
  }
}

const idle = (): Promise<void> =>
  new Promise((done) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => done())
    else setTimeout(done, 200)
  })
