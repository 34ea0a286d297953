// An expression checked as it is typed: the answer to the latest text, a moment after the last key.
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { checkExpression, type Checked, type ExpressionContext } from '../api/evaluate.ts'
import { messageOf } from '../api/request.ts'

const pause = 250

/** `anew` says what else, beside text and context, may change the answer. */
export function useChecked(
  text: () => string,
  context: () => ExpressionContext,
  anew: () => unknown = () => null,
) {
  /** Null while nothing is written or nothing is known yet. */
  const checked = shallowRef<Checked | null>(null)
  const failure = ref('')
  let asked = 0
  let timer = 0

  watch([text, () => JSON.stringify(context()), anew], later, { immediate: true })
  onBeforeUnmount(() => window.clearTimeout(timer))

  function later(): void {
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void check(), pause)
  }

  async function check(): Promise<void> {
    const mine = ++asked
    if (text().trim() === '') {
      checked.value = null
      return
    }
    try {
      const found = await checkExpression(text(), context())
      if (mine !== asked) return
      checked.value = found
      failure.value = ''
    } catch (error) {
      if (mine === asked) failure.value = messageOf(error)
    }
  }

  return { checked, failure }
}
