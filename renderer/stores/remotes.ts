// The remotes and the progress of their jobs, kept current by the server's events.
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { CustodyStatus, RemoteJobSummary, RemoteView } from '#wire/remotes.ts'
import { fetchRemotes } from '../api/remotes.ts'
import { messageOf } from '../api/request.ts'
import { useLive } from './live.ts'

export const useRemotes = defineStore('remotes', () => {
  /** Null until they are read. */
  const remotes = shallowRef<RemoteView[] | null>(null)
  const custody = shallowRef<CustodyStatus | null>(null)
  const failure = ref('')
  /** The last report of the server on each job. */
  const briefs = shallowRef(new Map<string, RemoteJobSummary>())
  /** Grows with every event about a remote itself, by key. */
  const changeCounts = shallowRef(new Map<string, number>())

  async function load(): Promise<void> {
    try {
      const result = await fetchRemotes()
      remotes.value = result.remotes
      custody.value = result.custody
      failure.value = ''
    } catch (error) {
      failure.value = messageOf(error)
    }
  }

  const byKey = computed(() => new Map((remotes.value ?? []).map((remote) => [remote.key, remote])))
  const of = (key: string): RemoteView | undefined => byKey.value.get(key)

  /** Takes a response of the server about one remote, which then need not be read again. */
  function updateRemote(remote: RemoteView): void {
    const others = (remotes.value ?? []).filter(({ key }) => key !== remote.key)
    remotes.value = [...others, remote].sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  let soon = 0
  function loadSoon(): void {
    window.clearTimeout(soon)
    soon = window.setTimeout(() => void load(), 150)
  }

  let listening = false
  /** Follows the server's events from the first page that shows remotes on. */
  function follow(): void {
    if (listening) return
    listening = true
    const live = useLive()
    live.on('remote', ({ remote, job }) => {
      if (job !== undefined) {
        briefs.value = new Map(briefs.value).set(job.id, job)
        if (job.state === 'running') return
      }
      changeCounts.value = new Map(changeCounts.value).set(remote, (changeCounts.value.get(remote) ?? 0) + 1)
      loadSoon()
    })
    live.onReconnect(() => {
      for (const { key } of remotes.value ?? [])
        changeCounts.value = new Map(changeCounts.value).set(key, (changeCounts.value.get(key) ?? 0) + 1)
      void load()
    })
  }

  return { remotes, custody, failure, briefs, moves: changeCounts, load, of, take: updateRemote, follow }
})
