// The visible state of a live field: read again, at most once a frame, whenever its shadow tree changes.
import type { SvcLookupField } from '../../../elements/index.ts'
import { positionTextOf, accessibilityTreeOf, type AccessibleNode } from './accessibility-tree.ts'

export interface LiveFacts {
  open: boolean
  /** The active option, such as `1 of 7`; empty if none exists. */
  active: string
  spoken: AccessibleNode[]
}

/** Reports the facts now and after every change until it is stopped. */
export function watchFacts(field: SvcLookupField, report: (facts: LiveFacts) => void): () => void {
  const root = field.shadowRoot
  if (root === null) return () => undefined
  let frame = 0
  const read = (): void => {
    frame = 0
    const active = root.querySelector('[role=option][aria-selected=true]')
    report({
      open: field.open,
      active: active?.hasAttribute('aria-posinset') ? positionTextOf(active) : '',
      spoken: accessibilityTreeOf(root),
    })
  }
  const soon = (): void => {
    if (frame === 0) frame = requestAnimationFrame(read)
  }
  const observer = new MutationObserver(soon)
  observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
  // Typing and moving the focus change no node.
  for (const name of ['input', 'focusin', 'focusout']) root.addEventListener(name, soon)
  soon()
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    for (const name of ['input', 'focusin', 'focusout']) root.removeEventListener(name, soon)
  }
}
