// Gives a control without visible words its accessible name as a tooltip, unless it has a tooltip.
import { onMounted, onUnmounted } from 'vue'

const own = new WeakSet<Element>()

/** One listener for the whole window, so that no icon can be forgotten. */
export function useControlTitles(): void {
  onMounted(() => document.addEventListener('pointerover', nameControl, { capture: true, passive: true }))
  onUnmounted(() => document.removeEventListener('pointerover', nameControl, { capture: true }))
}

function nameControl({ target }: Event): void {
  if (!(target instanceof Element)) return
  const control = target.closest('button, a[href], [role="button"], [role="tab"]')
  const name = control?.getAttribute('aria-label')
  if (control == null || name == null) return
  if (!own.has(control) && control.closest('[title], [data-tip]') !== null) return
  if (shownWords(control) !== '') return
  own.add(control)
  control.setAttribute('title', name)
}

/** The visible text: not what only screen readers get, nor keys. */
function shownWords(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent?.trim() ?? ''
  if (!(node instanceof HTMLElement) || node.matches('.vh, kbd, [hidden], [aria-hidden="true"]')) return ''
  return [...node.childNodes].map(shownWords).join('')
}
