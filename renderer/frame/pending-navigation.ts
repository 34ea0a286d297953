// Whether the user is navigating to another page, which takes some time if that page is not loaded yet.
import type { RouteLocationNormalized, Router } from 'vue-router'

const pending = new WeakMap<Router, RouteLocationNormalized>()

/** From now on, `isNavigating` reports pending navigations. */
export function trackNavigations(router: Router): void {
  const removePending = (to: RouteLocationNormalized): void => {
    if (pending.get(router) === to) pending.delete(router)
  }
  router.beforeEach((to) => {
    pending.set(router, to)
  })
  router.afterEach(removePending)
  router.onError((_error, to) => removePending(to))
}

export function isNavigating(router: Router): boolean {
  const next = pending.get(router)
  return next !== undefined && next.path !== router.currentRoute.value.path
}
