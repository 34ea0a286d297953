// People and groups that can own something now, found by what begins their key or name.
import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue'
import { fetchLivePrincipals } from '../api/org.ts'

const pause = 150

/** Offers as `user:mara` and `group:tax`: the first of all, then those that fit what is typed. */
export function useLivePrincipals(
  typed: () => string,
): Readonly<ShallowRef<{ value: string; label: string }[]>> {
  const offers = shallowRef<{ value: string; label: string }[]>([])
  let timer = 0
  let asked = 0
  onScopeDispose(() => window.clearTimeout(timer))

  async function ask(text: string): Promise<void> {
    const mine = ++asked
    const { users, groups } = await fetchLivePrincipals(text.replace(/^(user|group):/, ''))
    if (mine !== asked) return
    offers.value = [
      ...users.map(({ key, name }) => ({ value: `user:${key}`, label: name })),
      ...groups.map(({ key, name }) => ({ value: `group:${key}`, label: name })),
    ]
  }
  const askSoon = (text: string): void => {
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void ask(text).catch(() => undefined), pause)
  }
  // Whoever opens the list over an owner that is there already wants to see the others.
  askSoon('')
  watch(typed, askSoon)
  return offers
}
