// Delays work that could move the page while the pointer is pressed or moves, so a press hits its target.

const restMs = 200
let pressed = false
let movedAt = -Infinity
const waiting = new Set<() => void>()

function handleRelease(): void {
  pressed = false
  // The click comes after the release.
  window.setTimeout(() => {
    const works = [...waiting]
    waiting.clear()
    for (const work of works) work()
  })
}

function handleMove({ buttons }: PointerEvent): void {
  movedAt = performance.now()
  // The release of a scroll bar, or outside of the window, is not reported.
  if (pressed && buttons === 0) handleRelease()
}
window.addEventListener('pointermove', handleMove, { capture: true, passive: true })
window.addEventListener('pointerdown', () => (pressed = true), true)
for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, handleRelease, true)
window.addEventListener('blur', handleRelease)

/** Resolves immediately, or once the click of the press has been handled, so that it hits what was pressed. */
export const afterPress = (): Promise<void> =>
  new Promise((resolve) => {
    if (pressed) waiting.add(resolve)
    else resolve()
  })

/** Runs `work` now, or once the pointer rests and the click of its last press has been handled. */
export function runAfterPointerRest(work: () => void): void {
  const rest = movedAt + restMs - performance.now()
  if (pressed) waiting.add(work)
  else if (rest > 0) window.setTimeout(() => runAfterPointerRest(work), rest)
  else work()
}
