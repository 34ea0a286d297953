// The org for the top bar, kept current by the server's events.
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { authorPermissions } from '#kernel/components/permission-set/system-permissions.ts'
import { fetchOrg } from '../api/org.ts'
import { messageOf } from '../api/request.ts'
import type { ComponentId, Org } from '../api/wire.ts'
import { setBackupOwner } from './local-backup.ts'
import { useLive, type ServerEventData } from './live.ts'

/** A draft was saved under a version; 0 if it no longer exists. */
export type DraftEvent = ServerEventData['draft']

export const useOrg = defineStore('org', () => {
  const org = shallowRef<Org | null>(null)
  const failure = ref('')
  /** Grows with every new generation and every change to drafts; views then read their data again. */
  const epoch = ref(0)
  /** What the last epoch changed: the components of these drafts, or anything if null. */
  const lastChange = shallowRef<ReadonlySet<ComponentId> | null>(null)

  async function load(): Promise<void> {
    try {
      org.value = await fetchOrg()
      setBackupOwner(org.value.me.key)
      failure.value = ''
    } catch (error) {
      failure.value = messageOf(error)
    }
  }

  /** Reports that drafts or the generation changed. */
  function markChanged(): void {
    changedDrafts = null
    startEpoch()
  }

  /** The drafts that changed since the last epoch; null if more than drafts changed. */
  let changedDrafts: Set<ComponentId> | null = new Set()
  function startEpoch(): void {
    lastChange.value = changedDrafts
    changedDrafts = new Set()
    epoch.value++
    void load()
  }

  let soon = 0
  function scheduleEpoch(): void {
    window.clearTimeout(soon)
    soon = window.setTimeout(startEpoch, 250)
  }
  function scheduleMarkChanged(): void {
    changedDrafts = null
    scheduleEpoch()
  }

  const live = useLive()
  const draftListeners = new Set<(event: DraftEvent | null) => void>()
  function notifyDraftListeners(event: DraftEvent | null): void {
    for (const listener of draftListeners) listener(event)
    if (event === null) changedDrafts = null
    else changedDrafts?.add(event.id as ComponentId)
    scheduleEpoch()
  }

  /**
   * Calls back with each draft that changed; null if events may have been missed. Returns the function that stops it.
   */
  function onDraft(listener: (event: DraftEvent | null) => void): () => void {
    draftListeners.add(listener)
    return () => void draftListeners.delete(listener)
  }

  /** Follows the server's events for as long as the studio is open. */
  function follow(): void {
    live.on('generation', scheduleMarkChanged)
    live.on('draft', notifyDraftListeners)
    live.onReconnect(() => notifyDraftListeners(null))
    // The server's date changes while the page stays open.
    window.setInterval(() => void load(), 10 * 60_000)
  }

  const production = computed(() => /^prod/i.test(org.value?.environment ?? ''))
  const today = computed(() => org.value?.today ?? '')
  const can = (permission: string): boolean =>
    org.value?.me.permissions.some((held) => held === permission || held === 'platform.root') ?? false

  /** Whether the user cannot save drafts; if so, nothing offers an edit that would be refused. */
  const readOnly = computed(() => org.value !== null && !authorPermissions.some(can))

  return {
    org,
    failure,
    epoch,
    lastChange,
    production,
    today,
    can,
    readOnly,
    load,
    markChanged,
    scheduleMarkChanged,
    onDraft,
    follow,
  }
})
