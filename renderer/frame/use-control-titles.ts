// Gives a control without visible words its accessible name as a tooltip, and a text that is cut its whole text, unless
// it has a tooltip.
import { onMounted, onUnmounted } from 'vue'

const own = new WeakSet<Element>()

/** One listener for the whole window, so that no icon and no text can be forgotten. */
export function useControlTitles(): void {
  onMounted(() => document.addEventListener('pointerover', setTitles, { capture: true, passive: true }))
  onUnmounted(() => document.removeEventListener('pointerover', setTitles, { capture: true }))
}

function setTitles({ target }: Event): void {
  if (!(target instanceof Element)) return
  nameControl(target)
  nameCutText(target)
}

function nameCutText(target: Element): void {
  const text = target.closest('.clip')
  if (text === null || (!own.has(text) && text.closest('[title], [data-tip]') !== null)) return
  // The text and its room change.
  if (text.scrollWidth > text.clientWidth) {
    own.add(text)
    text.setAttribute('title', shownWords(text).replace(/\s+/g, ' '))
  } else if (own.delete(text)) text.removeAttribute('title')
}

function nameControl(target: Element): void {
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
