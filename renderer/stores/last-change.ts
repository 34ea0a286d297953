// The last change in this window, in a text field or a sheet: undo reverts this one.

let last: object | null = null
let isListening = false

/** Records a change to something other than a text field. */
export function noteChange(of: object): void {
  listen()
  last = of
}

/** Whether undo in this place applies to `of`: the focus is not in a text field that was typed into since. */
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
