// Whether the pointer is idle: other users' changes wait until then, so that nothing moves between two clicks or during
// a drag.

/** Longer than the longest pause of a double-click. */
const pause = 700

let isHeld = false
let movedAt = Number.NEGATIVE_INFINITY
let isListening = false

/** Resolves once no button is held and the pointer has not moved for a moment; at once if it rests already. */
export async function waitForPointerRest(): Promise<void> {
  listen()
  while (isPointerBusy())
    await new Promise((resolve) => setTimeout(resolve, Math.max(movedAt + pause - performance.now(), 50)))
}

export function isPointerBusy(): boolean {
  listen()
  return isHeld || performance.now() - movedAt < pause
}

function listen(): void {
  if (isListening) return
  isListening = true
  const note = (event: PointerEvent): void => {
    movedAt = performance.now()
    isHeld = event.type !== 'pointercancel' && event.buttons !== 0
  }
  for (const name of ['pointermove', 'pointerdown', 'pointerup', 'pointercancel'] as const)
    window.addEventListener(name, note, { capture: true, passive: true })
  // A button that is released outside of the window is not reported here.
  window.addEventListener('blur', () => (isHeld = false))
}
