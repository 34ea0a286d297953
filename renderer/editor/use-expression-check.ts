// Checks an expression as it is typed: returns the result for the latest text, shortly after the last key.
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { checkExpression, type ExpressionCheck, type ExpressionContext } from '../api/evaluate.ts'
import { messageOf } from '../api/request.ts'

const pause = 250

/** The third parameter returns anything in addition to text and context that can change the result. */
export function useExpressionCheck(
  text: () => string,
  context: () => ExpressionContext,
  recheckWhen: () => unknown = () => null,
) {
  /** Null while the text is empty or not checked yet. */
  const checked = shallowRef<ExpressionCheck | null>(null)
  const failure = ref('')
  let asked = 0
  let timer = 0

  watch([text, () => JSON.stringify(context()), recheckWhen], later, { immediate: true })
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
