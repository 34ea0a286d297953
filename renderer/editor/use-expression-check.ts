// Checks an expression as it is typed: returns the result for the latest text, shortly after the last key.
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { checkExpression, type ExpressionCheck, type ExpressionContext } from '../api/evaluate.ts'
import { messageOf } from '../api/request.ts'
import { useLatest } from '../stores/use-latest.ts'

const pause = 250

/** The third parameter returns everything besides text and context that can change the result. */
export function useExpressionCheck(
  text: () => string,
  context: () => ExpressionContext,
  recheckWhen: () => unknown = () => null,
) {
  /** Null while the text is empty or not checked yet. */
  const checked = shallowRef<ExpressionCheck | null>(null)
  const failure = ref('')
  const latest = useLatest()
  let timer = 0

  watch([text, () => JSON.stringify(context()), recheckWhen], later, { immediate: true })
  onBeforeUnmount(() => window.clearTimeout(timer))

  function later(): void {
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void check(), pause)
  }

  async function check(): Promise<void> {
    if (text().trim() === '') {
      latest.cancel()
      checked.value = null
      return
    }
    await latest.run(() => checkExpression(text(), context()), {
      onResult(result) {
        checked.value = result
        failure.value = ''
      },
      onError: (error) => (failure.value = messageOf(error)),
    })
  }

  return { checked, failure }
}
