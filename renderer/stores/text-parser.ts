// The content of a text, for the views next to it: read at once, or after the frame of the key that changed it.
import { computed, shallowRef } from 'vue'
import type { JsonObject } from '../api/wire.ts'
import type { TextPosition } from '#kernel/components/text-position.ts'
import { placeOfFault, readLoosely } from '../text/minimal-edit.ts'

/** The delay if no frame is drawn, as in a hidden window. */
const atLatest = 100

export function createTextParser() {
  // The last state that could be read: a half-typed text has a misaligned tree, which no form should show.
  const lastRead = shallowRef<unknown>({})
  const fault = shallowRef<TextPosition | null>(null)
  const isForeign = shallowRef(false)
  /** Whether the last parsed value belongs to a different text and not to an earlier state of this one; the views then show nothing. */
  const unreadable = computed(() => fault.value !== null && isForeign.value)
  const value = computed((): JsonObject => (isObject(lastRead.value) ? lastRead.value : {}))
  const body = computed((): JsonObject => (isObject(value.value.body) ? value.value.body : {}))
  let waiting: string | null = null

  function parse(text: string): void {
    waiting = null
    const { value: json, faults } = readLoosely(text)
    fault.value = placeOfFault(text, faults)
    if (faults.length > 0) return
    lastRead.value = json
    isForeign.value = false
  }

  /** The next text is not an edit of the last one, for example a loaded draft. */
  function beginText(): void {
    isForeign.value = true
  }

  /** The key is drawn first, because the user is looking at the text. */
  function parseAfterFrame(text: string): void {
    const isAwaited = waiting !== null
    waiting = text
    if (isAwaited) return
    const read = (): void => {
      if (waiting !== null) parse(waiting)
    }
    requestAnimationFrame(() => window.setTimeout(read))
    window.setTimeout(read, atLatest)
  }

  return {
    ...{ whole: lastRead, value, body, fault, unreadable },
    ...{ beginText, now: parse, afterKey: parseAfterFrame },
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
