// The user as whom records are shown, read-only. It ends with the window, or if a different user signs in.
import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { noteViewAs } from '../api/people.ts'
import { setViewedUser } from '../api/request.ts'
import { useOrg } from './org.ts'

interface Viewed {
  key: string
  name: string
  /** The user who views. */
  by: string
}

const place = 'almanac.viewed-user'

export const useViewedUser = defineStore('viewed-user', () => {
  const org = useOrg()
  const viewed = shallowRef<Viewed | null>(load())
  const isViewing = computed(() => viewed.value !== null)
  setViewedUser(viewed.value?.key ?? null)

  /** @throws ApiError if the current user cannot view as this one */
  async function start({ key, name }: { key: string; name: string }): Promise<void> {
    await noteViewAs(key)
    put({ key, name, by: org.org?.me.key ?? '' })
  }

  const stop = (): void => put(null)

  function put(now: Viewed | null): void {
    viewed.value = now
    setViewedUser(now?.key ?? null)
    if (now === null) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(now))
    org.markChanged()
  }

  watch(
    () => org.org?.me.key,
    (me) => {
      if (me !== undefined && viewed.value !== null && viewed.value.by !== me) stop()
    },
    { immediate: true },
  )
  return { viewed, isViewing, start, stop }
})

function load(): Viewed | null {
  try {
    const { key, name, by } = JSON.parse(sessionStorage.getItem(place) ?? 'null') as Viewed
    return { key: String(key), name: String(name), by: String(by) }
  } catch {
    return null
  }
}
