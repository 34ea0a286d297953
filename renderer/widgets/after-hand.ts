// What may move the page waits while the pointer is pressed or moves, so that a press hits what it was aimed at.

const restMs = 200
let pressed = false
let movedAt = -Infinity
const waiting = new Set<() => void>()

function released(): void {
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
for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, released, true)

/** Runs `work` now, or once the pointer rests and the click of its last press was handled. */
export function afterHand(work: () => void): void {
  const rest = movedAt + restMs - performance.now()
  if (pressed) waiting.add(work)
  else if (rest > 0) window.setTimeout(() => afterHand(work), rest)
  else work()
}
