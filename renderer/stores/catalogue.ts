// The options of pickers: components by type, fields of sets and objects, values of value sets, people.
import { defineStore } from 'pinia'
import { ref, shallowReactive, shallowRef } from 'vue'
import { fetchAllComponents, fetchComponent } from '../api/components.ts'
import { fetchPrincipals, type Principals } from '../api/org.ts'
import { splitId } from '#kernel/components/component.ts'
import type { ComponentId, ComponentRow, ComponentType, Envelope } from '../api/wire.ts'
import { readLoosely } from '../text/minimal-edit.ts'

export const useCatalogue = defineStore('catalogue', () => {
  const rows = shallowReactive(new Map<ComponentType, ComponentRow[]>())
  const envelopes = shallowReactive(new Map<ComponentId, Envelope | null>())
  const principals = shallowRef<Principals>({ users: [], groups: [] })
  const requestedLists = new Set<string>()
  /** The number of pending requests: while there are any, an empty list may simply not be loaded yet. */
  const loading = ref(0)

  function once(what: string, ask: () => Promise<unknown>): void {
    if (requestedLists.has(what)) return
    requestedLists.add(what)
    loading.value++
    ask()
      .catch(() => requestedLists.delete(what))
      .finally(() => loading.value--)
  }

  /** Components of a type, loaded on first use. */
  function list(type: ComponentType): ComponentRow[] {
    once(`list ${type}`, async () => rows.set(type, await fetchAllComponents({ type })))
    return rows.get(type) ?? []
  }

  /** A component as drafted, otherwise as active; undefined while it loads, null if it does not exist. */
  function envelope(type: ComponentType, key: string): Envelope | null | undefined {
    const id: ComponentId = `${type}/${key}`
    if (key !== '')
      once(id, async () => {
        const detail = await fetchComponent(type, key).catch(() => null)
        const drafted = detail?.draft?.text ? readLoosely(detail.draft.text).value : null
        const read = (drafted as Envelope | null) ?? detail?.component ?? null
        // The same object while its content is the same, so that values derived from it stay.
        if (!envelopes.has(id) || JSON.stringify(envelopes.get(id)) !== JSON.stringify(read))
          envelopes.set(id, read)
      })
    return envelopes.get(id)
  }

  function people(): Principals {
    once('principals', async () => (principals.value = await fetchPrincipals()))
    return principals.value
  }

  /** Reads again what is loaded of these components, or everything if null; until then, the earlier data is shown. */
  function readAgain(changed: ReadonlySet<ComponentId> | null): void {
    const changedTypes = changed === null ? null : new Set([...changed].map((id) => splitId(id).type))
    const types = [...rows.keys()].filter((type) => changedTypes?.has(type) ?? true)
    const ids = [...envelopes.keys()].filter((id) => changed?.has(id) ?? true)
    if (changed === null) requestedLists.clear()
    for (const type of types) requestedLists.delete(`list ${type}`)
    for (const id of ids) requestedLists.delete(id)
    for (const type of types) list(type)
    for (const id of ids) {
      const { type, key } = splitId(id)
      envelope(type, key)
    }
  }

  /** Reads users and groups again if they were read. */
  function readPeopleAgain(): void {
    if (requestedLists.delete('principals')) people()
  }
  return { loading, list, envelope, people, readAgain, readPeopleAgain }
})
