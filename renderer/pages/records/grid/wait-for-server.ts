// Repeats what failed because the server did not respond, once it responds again.
import { isUnreachable } from '../../../api/request.ts'

interface Waiting<Work> {
  /** Calls back when the connection to the server is restored. Returns the function that ends this. */
  onReconnect(listener: () => void): () => void
  /** Fails as unreachable while the server does not respond. */
  probe(work: Work): Promise<unknown>
  resume(work: Work): void
}

/** Milliseconds between two probes: a short failure does not always end the connection. */
const [firstPause, longestPause] = [2000, 30_000]

export function waitForServer<Work>({ onReconnect, probe, resume }: Waiting<Work>) {
  const all = new Map<string, Work>()
  let pause = firstPause
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop: (() => void) | null = null
  let probing: Promise<void> | null = null

  /** One at a time. */
  function look(): Promise<void> {
    probing ??= probeOnce().finally(() => (probing = null))
    return probing
  }

  async function probeOnce(): Promise<void> {
    clearTimeout(timer)
    const [first] = all.values()
    if (first === undefined) return
    const isDown = await probe(first).then(() => false, isUnreachable)
    if (isDown) {
      timer = setTimeout(() => void look(), pause)
      pause = Math.min(pause * 2, longestPause)
      return
    }
    pause = firstPause
    const works = [...all.values()]
    all.clear()
    stop?.()
    stop = null
    for (const work of works) resume(work)
  }

  return {
    /** @param key replaces earlier work of the same key */
    add(key: string, work: Work): void {
      all.set(key, work)
      clearTimeout(timer)
      timer = setTimeout(() => void look(), pause)
      stop ??= onReconnect(() => void look())
    },
  }
}
