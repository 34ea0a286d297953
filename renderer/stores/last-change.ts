// What was changed last in this window, a text field or a sheet: that is what undo takes back.

let last: object | null = null
let isListening = false

/** Something other than a text field was changed. */
export function noteChange(of: object): void {
  listen()
  last = of
}

/** Whether undo in this place belongs to `of`: the focus is not in a text that was typed into since. */
export function ownsUndo(of: object, target: EventTarget | null): boolean {
  listen()
  return (
    last === of &&
    !(target instanceof HTMLElement && target.closest('.monaco-editor, .sheet-editor, [role="dialog"]'))
  )
}

function listen(): void {
  if (isListening) return
  isListening = true
  window.addEventListener('input', ({ target }) => (last = target), { capture: true })
}
