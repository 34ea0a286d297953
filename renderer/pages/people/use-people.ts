// Users and groups for the side and the page, and the unsaved edits of a page.
import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import { fetchPeople, type GroupView, type PeopleView, type UserView } from '../../api/people.ts'
import { messageOf } from '../../api/request.ts'
import { useLive } from '../../stores/live.ts'
import { keepUnsavedCopy } from '../../stores/unsaved-copy.ts'
import { useLatest } from '../../stores/use-latest.ts'
import { isFound } from './people-search.ts'

export type UserState = 'all' | 'active' | 'deactivated'

export interface PrincipalEdit {
  name: string
  locale: string
  groups: string[]
  permissionSets: string[]
}

/** What is typed into the dialog of a new user or group, except a password. */
export interface NewPrincipal {
  key: string
  name: string
  groups: string[]
  permissionSets: string[]
  /** How a user signs in first. */
  first: 'link' | 'password' | 'none'
}

const hasInput = ({ key, name, groups, permissionSets }: NewPrincipal): boolean =>
  key !== '' || name !== '' || groups.length > 0 || permissionSets.length > 0

export const usePeople = defineStore('people', () => {
  const people = shallowRef<PeopleView | null>(null)
  const failure = ref('')
  const text = ref('')
  const state = ref<UserState>('all')
  const adding = ref<'user' | 'group' | null>(null)
  /** By `user/<key>` and `group/<key>`: unsaved edits, with the version that was seen. */
  const unsavedEdits = reactive(new Map<string, PrincipalEdit & { version: string }>())
  const latest = useLatest()

  /** What is typed into the dialogs of a new user and a new group. */
  const unsavedNew = reactive(new Map<'user' | 'group', NewPrincipal>())
  // Closing a dialog discards it.
  watch(adding, (_, before) => before !== null && unsavedNew.delete(before))

  /** The first read waits for what an earlier window has left: a page takes it over when it is opened. */
  const restored = Promise.all([
    keepUnsavedCopy<[id: string, edit: PrincipalEdit & { version: string }]>('people', {
      sources: [unsavedEdits],
      entries: () => [...unsavedEdits],
      restore([id, edit]) {
        if (!unsavedEdits.has(id)) unsavedEdits.set(id, edit)
      },
    }),
    keepUnsavedCopy<[kind: 'user' | 'group', principal: NewPrincipal]>('new-people', {
      sources: [unsavedNew],
      entries: () => [...unsavedNew].filter(([, principal]) => hasInput(principal)),
      restore([kind, principal]) {
        if (adding.value !== null) return
        unsavedNew.set(kind, principal)
        adding.value = kind
      },
    }),
  ])

  function newOf(kind: 'user' | 'group'): NewPrincipal {
    if (!unsavedNew.has(kind))
      unsavedNew.set(kind, { key: '', name: '', groups: [], permissionSets: [], first: 'link' })
    return unsavedNew.get(kind)!
  }

  function load(): Promise<void> {
    const read = (): Promise<PeopleView> => Promise.all([fetchPeople(), restored]).then(([view]) => view)
    return latest.run(read, {
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
    ...{ people, failure, text, state, adding, unsavedEdits, unsavedNew, newOf, users, counts },
    ...{ load, follow, groupName, setLabel, membersOf, updateUser, updateGroup },
  }
})
