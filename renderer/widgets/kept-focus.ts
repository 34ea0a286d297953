// Keeps the focus where the user works: when its element goes or is disabled, such as the button of a deleted row, the one
// in its place takes it, so that a keyboard goes on from there and not from the top of the page.
import { onBeforeUnmount, onMounted, type Ref } from 'vue'

const stops = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled'
/** How often a dialog that is still open is looked at again, in milliseconds. */
const restMs = 100

export function useKeptFocus(host: Readonly<Ref<HTMLElement | null | undefined>>): void {
  let last: HTMLElement | null = null
  let place = 0
  let timer: number | undefined
  const all = (): HTMLElement[] =>
    [...(host.value?.querySelectorAll<HTMLElement>(stops) ?? [])].filter((each) => each.checkVisibility())
  const note = ({ target }: FocusEvent): void => {
    last = target as HTMLElement
    place = Math.max(0, all().indexOf(last))
  }
  function check(): void {
    window.clearTimeout(timer)
    if (last === null || (last.isConnected && last.matches(stops))) return
    const { activeElement } = document
    // A dialog gives the focus back when it closes.
    if (activeElement?.closest('[role="dialog"], [role="alertdialog"]'))
      return void (timer = window.setTimeout(check, restMs))
    const isLost = activeElement === null || activeElement === document.body || activeElement === last
    last = null
    if (!isLost || host.value == null) return
    const now = all()
    const next = now[Math.min(place, now.length - 1)] ?? host.value
    if (next === host.value) next.tabIndex = -1
    next.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(check)
  onMounted(() => {
    if (host.value == null) return
    host.value.addEventListener('focusin', note)
    const attributeFilter = ['disabled']
    observer.observe(host.value, { childList: true, subtree: true, attributes: true, attributeFilter })
  })
  onBeforeUnmount(() => {
    observer.disconnect()
    window.clearTimeout(timer)
  })
}
