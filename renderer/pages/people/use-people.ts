// Users and groups for the side and the page, and the unsaved edits of a page.
import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef } from 'vue'
import { fetchPeople, type GroupView, type PeopleView, type UserView } from '../../api/people.ts'
import { messageOf } from '../../api/request.ts'
import { useLive } from '../../stores/live.ts'
import { useLatest } from '../../stores/use-latest.ts'
import { isFound } from './people-search.ts'

export type UserState = 'all' | 'active' | 'deactivated'

export interface PrincipalEdit {
  name: string
  locale: string
  groups: string[]
  permissionSets: string[]
}

export const usePeople = defineStore('people', () => {
  const people = shallowRef<PeopleView | null>(null)
  const failure = ref('')
  const text = ref('')
  const state = ref<UserState>('all')
  const adding = ref<'user' | 'group' | null>(null)
  /** By `user/<key>` and `group/<key>`: unsaved edits, with the version that was seen. */
  const unsavedEdits = reactive(new Map<string, PrincipalEdit & { version: string }>())
  const latest = useLatest()

  function load(): Promise<void> {
    return latest.run(fetchPeople, {
      onResult(answer) {
        people.value = answer
        failure.value = ''
      },
      onError: (error) => (failure.value = messageOf(error)),
    })
  }

  /**
   * Reads everything again after any change, while `may` is true; merges many changes into one read. Returns the
   * function that stops it.
   */
  function follow(may: () => boolean): () => void {
    const live = useLive()
    let soon = 0
    const again = (): void => {
      window.clearTimeout(soon)
      soon = window.setTimeout(() => may() && void load(), 250)
    }
    const stops = [live.on('people', again), live.onReconnect(again)]
    return () => {
      window.clearTimeout(soon)
      for (const stop of stops) stop()
    }
  }

  const users = computed(() =>
    (people.value?.users ?? []).filter(
      (user) =>
        (state.value === 'all' || (state.value === 'active') === user.active) && isFound(user, text.value),
    ),
  )
  const counts = computed(() => {
    const all = people.value?.users ?? []
    const active = all.filter((user) => user.active).length
    return { all: all.length, active, deactivated: all.length - active }
  })
  const groupName = (key: string): string =>
    people.value?.groups.find((group) => group.key === key)?.name ?? key
  const setLabel = (key: string): string =>
    people.value?.permissionSets.find((set) => set.key === key)?.label ?? key
  const membersOf = (group: string): UserView[] =>
    (people.value?.users ?? []).filter((user) => user.groups.includes(group))

  /** Takes over what the server saved, without reading everything again. */
  function updateUser(user: UserView): void {
    const now = people.value
    if (now === null) return
    const others = now.users.filter(({ key }) => key !== user.key)
    people.value = { ...now, users: [...others, user].sort((a, b) => (a.key < b.key ? -1 : 1)) }
  }

  function updateGroup(group: GroupView): void {
    const now = people.value
    if (now === null) return
    const others = now.groups.filter(({ key }) => key !== group.key)
    people.value = { ...now, groups: [...others, group].sort((a, b) => (a.key < b.key ? -1 : 1)) }
  }

  return {
    ...{ people, failure, text, state, adding, unsavedEdits, users, counts },
    ...{ load, follow, groupName, setLabel, membersOf, updateUser, updateGroup },
  }
})
