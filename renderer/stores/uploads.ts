// Uploads of files to bulk jobs, part by part. They go on while other pages are shown, wait while the connection is lost,
// and a part that was not acknowledged is sent again.
import { defineStore } from 'pinia'
import { computed, reactive } from 'vue'
import { closeIngest, putIngestPart } from '../api/ingest.ts'
import { ApiError, isUnreachable, messageOf } from '../api/request.ts'
import { useLive } from './live.ts'

export interface Upload {
  job: string
  name: string
  bytes: number
  /** Parts that the server has, and how many there are. */
  sent: number
  parts: number
  /** Of the last part that was sent; null until one was. */
  bytesPerSecond: number | null
  /** `waiting` for the connection, or until the server has time. */
  state: 'sending' | 'paused' | 'waiting' | 'closing' | 'failed'
  /** Why it waits or has failed. */
  failure: string
}

/** Small enough to be sent again, and to show progress. */
export const partBytes = 8 * 1024 * 1024
/** Milliseconds until a part that could not be sent is tried again. */
const retryAfter = 3000

export const useUploads = defineStore('uploads', () => {
  const live = useLive()
  const uploads = reactive(new Map<string, Upload>())
  const files = new Map<string, File>()
  const requests = new Map<string, AbortController>()
  const timers = new Map<string, number>()

  const of = (job: string): Upload | undefined => uploads.get(job)
  const isAny = computed(() => uploads.size > 0)

  /** Sends a file to an open job. Parts that the job already has are replaced. */
  function start(job: string, file: File): void {
    forget(job)
    files.set(job, file)
    const parts = Math.max(1, Math.ceil(file.size / partBytes))
    const { name, size: bytes } = file
    uploads.set(job, {
      ...{ job, name, bytes, sent: 0, parts, bytesPerSecond: null },
      ...{ state: 'paused', failure: '' },
    })
    resume(job)
  }

  function forget(job: string): void {
    stop(job)
    uploads.delete(job)
    files.delete(job)
  }

  function stop(job: string): void {
    requests.get(job)?.abort()
    requests.delete(job)
    window.clearTimeout(timers.get(job))
  }

  function pause(job: string): void {
    const upload = uploads.get(job)
    if (upload === undefined) return
    stop(job)
    upload.state = 'paused'
  }

  function resume(job: string): void {
    const upload = uploads.get(job)
    if (upload === undefined || upload.state === 'sending' || upload.state === 'closing') return
    stop(job)
    upload.state = 'sending'
    upload.failure = ''
    const controller = new AbortController()
    requests.set(job, controller)
    void send(upload, controller.signal)
  }

  async function send(upload: Upload, signal: AbortSignal): Promise<void> {
    const file = files.get(upload.job)!
    try {
      while (upload.sent < upload.parts) {
        const began = performance.now()
        const sent = await sendPart(upload.job, file, upload.sent, signal)
        if (signal.aborted) return
        upload.sent += 1
        upload.bytesPerSecond = sent / Math.max(0.001, (performance.now() - began) / 1000)
      }
      upload.state = 'closing'
      await closeIngest(upload.job, upload.parts)
      forget(upload.job)
    } catch (error) {
      if (!signal.aborted) handleFailure(upload, error)
    }
  }

  function handleFailure(upload: Upload, error: unknown): void {
    if (!canPass(error)) {
      upload.state = 'failed'
      upload.failure = messageOf(error)
      return
    }
    upload.state = 'waiting'
    upload.failure = isUnreachable(error) ? '' : messageOf(error)
    const retry = (): void => {
      if (upload.state === 'waiting') resume(upload.job)
    }
    timers.set(upload.job, window.setTimeout(retry, retryAfter))
  }

  live.onReconnect(() => {
    for (const { job, state } of uploads.values()) if (state === 'waiting') resume(job)
  })
  window.addEventListener('beforeunload', (event) => {
    if (isAny.value) event.preventDefault()
  })

  return { uploads, of, start, pause, resume, forget }
})

/** Returns the bytes of the part. */
async function sendPart(id: string, file: File, index: number, signal: AbortSignal): Promise<number> {
  const part = file.slice(index * partBytes, (index + 1) * partBytes)
  let content: ArrayBuffer
  try {
    content = await part.arrayBuffer()
  } catch {
    throw new Error(`${file.name} cannot be read. If it was moved or changed, choose it again.`)
  }
  const digest = await digestOf(content)
  if (!signal.aborted)
    await putIngestPart({ id, number: index + 1, bytes: new Blob([content]), digest }, signal)
  return content.byteLength
}

/** Null on a page that is not secure, where browsers have no cryptography. */
async function digestOf(content: ArrayBuffer): Promise<string | null> {
  if (!window.isSecureContext) return null
  const digest = await window.crypto.subtle.digest('SHA-256', content)
  return window.btoa(String.fromCharCode(...new Uint8Array(digest)))
}

/** Whether the same request can succeed later. */
const canPass = (error: unknown): boolean =>
  error instanceof ApiError && [0, 408, 429, 502, 503, 504, 507].includes(error.status)
