// Which of the browser's events is which deed: focus, typing and its input methods, keys, presses (specification 3.4).
import type { Editing } from './editing.ts'

export function listen(editing: Editing): void {
  const { root, view, field, picker } = editing
  const { input, clear, box } = view
  let composing = false

  input.addEventListener('focus', () => {
    // One that was taken from the page ends no input method.
    composing = false
    editing.focused()
  })
  input.addEventListener('click', () => {
    if (!picker.open) picker.ask(0)
  })
  input.addEventListener('input', () => editing.typed(!composing))
  input.addEventListener('compositionstart', () => (composing = true))
  input.addEventListener('compositionend', () => {
    composing = false
    editing.search()
  })
  input.addEventListener('keydown', (event) => {
    // Keys of an input method are its own, the one that ends it included.
    if (composing || event.isComposing || event.keyCode === 229) return
    if (event.ctrlKey || event.metaKey || !acts(editing, event)) return
    event.preventDefault()
    event.stopPropagation()
  })
  clear.addEventListener('click', () => editing.clear())
  box.addEventListener('click', (event) => {
    if ((event.target as Element).closest('button[part=link]') !== null) editing.visit()
  })
  root.addEventListener('focusout', (event) => {
    const to = (event as FocusEvent).relatedTarget as Node | null
    if (to !== null && root.contains(to)) return
    if (to === null && !document.hasFocus()) return editing.pause()
    composing = false
    editing.leave()
  })
  // A label of the page, or one that surrounds the element.
  field.addEventListener('click', (event) => {
    if (event.composedPath()[0] === field) field.focus()
  })
}

/** Whether the key was the element's. */
function acts(editing: Editing, { key, altKey }: KeyboardEvent): boolean {
  if (editing.picker.key(key, altKey)) return true
  if (key === 'Enter') return submitted(editing.field.form)
  return key === 'Escape' && editing.undo()
}

/** As in any text field: the form's own button is pressed. */
function submitted(form: HTMLFormElement | null): boolean {
  if (form === null) return false
  const button = [...form.elements].find((each) =>
    each.matches('button:not([type]), [type=submit], [type=image]'),
  ) as HTMLButtonElement | undefined
  if (button === undefined) form.requestSubmit()
  else button.click()
  return true
}
