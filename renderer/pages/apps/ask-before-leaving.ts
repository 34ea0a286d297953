// Asks before the user leaves a page whose input would be lost.
import { onBeforeUnmount, ref } from 'vue'
import { onBeforeRouteLeave, onBeforeRouteUpdate, useRouter, type RouteLocationNormalized } from 'vue-router'
import { usePanes } from '../../stores/panes.ts'
import { useTabs } from '../../stores/tabs.ts'

/**
 * @param hasInput whether the page of a path has input that would be lost
 * @param discard forgets it, once the user has decided to leave
 */
export function useAskBeforeLeaving(hasInput: (path: string) => boolean, discard: (path: string) => unknown) {
  const panes = usePanes()
  const tabs = useTabs()
  const router = useRouter()
  const asking = ref(false)
  let decide: ((leaves: boolean) => void) | null = null

  function answer(leaves: boolean): void {
    asking.value = false
    decide?.(leaves)
    decide = null
  }

  async function guard(to: RouteLocationNormalized, from: RouteLocationNormalized): Promise<boolean> {
    // A different step, or the other side, beside which this page stays.
    if (to.path === from.path || !hasInput(from.path)) return true
    if (tabs.split && panes.locations.some((shown) => shown.path === to.path)) return true
    asking.value = true
    const leaves = await new Promise<boolean>((settle) => (decide = settle))
    if (leaves) discard(from.path)
    // A closed tab is shown again with its page.
    else panes.take(tabs.focused, router.currentRoute.value)
    return leaves
  }
  onBeforeRouteLeave(guard)
  onBeforeRouteUpdate(guard)

  onBeforeUnmount(() => answer(false))
  return { asking, answer }
}
