// Which of the browser's events is which deed: focus, typing and its input methods, keys, presses (specification 3.4).
import type { Editing } from './editing.ts'

/** There every word is composed, letter by letter: whoever waited for its end would search nothing. */
const isAndroid = /Android/.test(globalThis.navigator?.userAgent)

export function listen(editing: Editing): void {
  const { root, view, field, picker } = editing
  const { input, clear, box, message } = view
  let composing = false

  input.addEventListener('focus', () => {
    // One that was taken from the page ends no input method.
    composing = false
    editing.focused()
  })
  input.addEventListener('click', () => {
    if (!picker.open) picker.ask(0)
  })
  input.addEventListener('input', () => editing.typed(!composing || isAndroid))
  input.addEventListener('compositionstart', () => (composing = true))
  input.addEventListener('compositionend', () => {
    composing = false
    if (!isAndroid) editing.search()
  })
  const keyed = (event: KeyboardEvent): void => {
    // Keys of an input method are its own, the one that ends it included.
    if (composing || event.isComposing || event.keyCode === 229) return
    if (event.ctrlKey || event.metaKey || !acts(editing, event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  input.addEventListener('keydown', keyed)
  clear.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') keyed(event)
  })
  clear.addEventListener('click', () => editing.clear())
  // The help is read, and is no way into the box.
  message.addEventListener('mousedown', (event) => event.preventDefault())
  box.addEventListener('click', (event) => {
    if ((event.target as Element).closest('button[part=link]') !== null) editing.visit()
  })
  root.addEventListener('focusout', (event) => {
    const to = (event as FocusEvent).relatedTarget as Node | null
    if (to !== null && root.contains(to)) return
    if (to === null && !field.ownerDocument.hasFocus()) return editing.pause()
    composing = false
    editing.leave()
  })
  // A label of the page, or one that surrounds the element.
  field.addEventListener('click', (event) => {
    if (event.composedPath()[0] === field) field.focus()
  })
}

/** Whether the key was the element's. */
function acts(editing: Editing, { key, altKey, repeat }: KeyboardEvent): boolean {
  // One that is held down has done what it was pressed for.
  if (key === 'Enter' && repeat) return true
  const isPassing = key === 'Enter' && editing.isUntouched
  if (!isPassing && editing.picker.key(key, altKey)) return true
  if (key === 'Enter') {
    editing.picker.close()
    return submitted(editing.field.form)
  }
  return key === 'Escape' && editing.undo()
}

/** As in any text field: the form's own button is pressed; without one, a form of this field alone is sent. */
function submitted(form: HTMLFormElement | null): boolean {
  if (form === null) return false
  const all = [...form.elements] as HTMLElement[]
  // Drawn buttons are none of a form's elements, but they send it.
  const button = [
    ...(form.getRootNode() as ParentNode).querySelectorAll<HTMLButtonElement>('button, input'),
  ].find((each) => each.form === form && /^(submit|image)$/.test(each.type))
  if (button !== undefined) button.click()
  else if (all.filter((each) => each.matches(written)).length === 1) form.requestSubmit()
  return true
}

/** Fields that are written in. */
const written =
  'svc-lookup-field, input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=button], [type=reset], [type=range], [type=color])'
