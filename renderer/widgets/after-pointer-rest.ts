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
window.addEventListener('pointermove', () => (movedAt = performance.now()), { capture: true, passive: true })
window.addEventListener('pointerdown', () => (pressed = true), true)
for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, handleRelease, true)

/** Runs `work` now, or once the pointer rests and the click of its last press has been handled. */
export function runAfterPointerRest(work: () => void): void {
  const rest = movedAt + restMs - performance.now()
  if (pressed) waiting.add(work)
  else if (rest > 0) window.setTimeout(() => runAfterPointerRest(work), rest)
  else work()
}
