// The value of an expression for the picked record and date, again after each change.
import { computed, onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import type { ExpressionPlace } from '#kernel/components/expression-slot.ts'
import { evaluateForRecord, type PreviewRequest, type ValuePreview } from '../api/evaluate.ts'
import { ApiError, messageOf } from '../api/request.ts'
import { useLatest } from '../stores/use-latest.ts'
import { dayFault } from '../text/words.ts'
import type { PartValue } from './expression-hint.ts'
import { usePreviewSubject } from './preview-subject.ts'
import { previewWords, storedFormOf, subjectObject } from './preview-words.ts'

const pause = 200

export type ExpressionPreviewState = ReturnType<typeof useExpressionPreview>

/** @param isValid whether the text compiles with the drafts of the author */
export function useExpressionPreview(
  text: () => string,
  context: () => ExpressionPlace & { component: unknown },
  isValid: () => boolean,
  recomputeWhen: () => unknown,
) {
  const subjects = usePreviewSubject()
  const shown = shallowRef<{ text: string; preview: ValuePreview } | null>(null)
  const failure = ref('')
  const latest = useLatest()
  let timer = 0
  /** The object whose records the expression reads; null without one, or without an expression. */
  const object = computed(() => (text().trim() === '' ? null : subjectObject(context().site)))
  const subject = computed(() => (object.value === null ? null : subjects.of(object.value)))

  /** Why the date is not one; null if it is, or if there is none. */
  const dateFault = computed(() => {
    const asOf = subject.value?.asOf ?? ''
    return asOf === '' ? null : dayFault(asOf)
  })

  const request = computed((): PreviewRequest | null => {
    if (object.value === null || subject.value === null || subject.value.id === '' || !isValid()) return null
    const { site, expects, component } = context()
    const { id, asOf } = subject.value
    if (dateFault.value !== null) return null
    const stored = storedFormOf(site, component)
    return {
      ...{ expression: text(), site, expects, id },
      ...(asOf === '' ? {} : { asOf }),
      ...(stored === null ? {} : { stored }),
    }
  })

  watch([() => JSON.stringify(request.value), recomputeWhen], later, { immediate: true })
  onBeforeUnmount(() => window.clearTimeout(timer))

  function later(): void {
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void compute(), pause)
  }

  function compute(): Promise<void> {
    const asked = request.value
    failure.value = ''
    if (asked === null) {
      latest.cancel()
      shown.value = null
      return Promise.resolve()
    }
    return latest.run(() => evaluateForRecord(asked), {
      onResult: (preview) => (shown.value = { text: asked.expression, preview }),
      onError(error) {
        shown.value = null
        failure.value = refusalOf(error)
      },
    })
  }

  const preview = computed(() => shown.value?.preview ?? null)
  /** Of the parts of the current text. */
  const values = computed((): PartValue[] =>
    shown.value?.text !== text()
      ? []
      : shown.value.preview.parts.map(({ start, end, value }) => ({
          start,
          end,
          words: previewWords(value),
        })),
  )
  return { object, subject, dateFault, preview, values, failure, isValid: computed(isValid) }
}

/** It compiles with the drafts, but records are computed with what is applied. */
function refusalOf(error: unknown): string {
  if (!(error instanceof ApiError) || error.code !== 'expression.invalid') return messageOf(error)
  const [first] = error.details as { message?: string }[]
  return `The value is computed with what is applied, without drafts. ${first?.message ?? error.message}`
}
