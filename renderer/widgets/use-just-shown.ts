// Whether a component has appeared only a moment ago: the second click of a double-click must not land on its buttons.
import { onMounted, onUnmounted, ref, type Ref } from 'vue'

/** Longer than the longest pause of a double-click, in milliseconds. */
const moment = 700

export function useJustShown(): Readonly<Ref<boolean>> {
  const isJustShown = ref(true)
  let timer = 0
  onMounted(() => (timer = window.setTimeout(() => (isJustShown.value = false), moment)))
  onUnmounted(() => window.clearTimeout(timer))
  return isJustShown
}
