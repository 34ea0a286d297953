// Maps the browser's events to actions: focus, typing and input methods, keys, clicks.
import { set } from './dom.ts'
import type { EditController } from './edit-controller.ts'
import type { Field } from './field.ts'

/** On Android every word is composed, letter by letter: waiting for its end would search nothing. */
const isAndroid = /Android/.test(globalThis.navigator?.userAgent)

export function attachEventHandlers(controller: EditController): void {
  const { root, view, field, picker } = controller
  const { input, clear, box } = view
  let composing = false

  input.addEventListener('focus', () => {
    // A field that was removed from the page gets no event for the end of a composition.
    composing = false
    controller.handleFocus()
  })
  input.addEventListener('click', () => {
    if (picker.open) return
    // After the browser has reset the selection of the press.
    setTimeout(() => {
      // Except if a part was selected by dragging.
      if (input.selectionStart === input.selectionEnd) controller.selectName()
    })
    picker.ask(0)
  })
  input.addEventListener('input', () => controller.handleInput(!composing || isAndroid))
  input.addEventListener('compositionstart', () => (composing = true))
  input.addEventListener('compositionend', () => {
    composing = false
    if (!isAndroid) controller.search()
  })
  const handleKey = (event: KeyboardEvent): void => {
    // Keys belong to an input method while it composes, including the one that ends it.
    if (composing || event.isComposing || event.keyCode === 229) return
    if (event.ctrlKey || event.metaKey || !acts(controller, event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  input.addEventListener('keydown', handleKey)
  clear.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') handleKey(event)
  })
  clear.addEventListener('click', () => controller.clear())
  // The input keeps the focus while options are pressed; the help text can be selected.
  box.addEventListener('mousedown', (event) => {
    if ((event.target as Element).closest('[part=listbox], [part=message]')) event.preventDefault()
  })
  // A truncated text is shown in full under the pointer.
  box.addEventListener('mouseover', ({ target }) => {
    const on = (target as Element).closest<HTMLInputElement>('.name, small, .group, input')
    if (!on) return
    const isCut = on.scrollWidth > on.clientWidth || on.scrollHeight > on.clientHeight
    set(on, { title: isCut ? on.value || on.textContent : null })
  })
  box.addEventListener('click', (event) => {
    const on = event.target as Element
    if (on.closest('button[part=link]')) controller.enterEditMode()
    // A label around the element would press it a second time.
    if (!on.closest('[part=label], a')) event.preventDefault()
  })
  root.addEventListener('focusout', (event) => {
    const to = (event as FocusEvent).relatedTarget as Node | null
    if (to && root.contains(to)) return
    if (!to && !field.ownerDocument.hasFocus()) return controller.pause()
    composing = false
    controller.leave()
  })
  // Handles a press on a label of the page, or on one around the element.
  field.addEventListener('click', (event) => {
    if (event.composedPath()[0] === field) field.focus()
  })
}

/** Returns whether the element handled the key. */
function acts(controller: EditController, { key, altKey, repeat }: KeyboardEvent): boolean {
  if (key === 'Delete' && altKey) {
    controller.clear()
    return true
  }
  // A key that is held down acts only once.
  const { picker, field } = controller
  if (key !== 'Enter') return picker.key(key, altKey) || (key === 'Escape' && controller.undo())
  if (repeat) return true
  // The box shows the value of the form, and the list has nothing for Enter.
  if (!controller.isTyped && picker.isIdle) {
    picker.close()
    return controller.undo() || submitForm(field)
  }
  if (picker.key(key, altKey)) return true
  // A form is never submitted with a record other than the one shown.
  if (controller.isTyped) picker.ask(0)
  return controller.isTyped || submitForm(field)
}

/** As in any text field: presses the form's own button; without one, sends a form that has only this field. */
function submitForm(field: Field): boolean {
  const { form } = field
  if (!form) return false
  // Image buttons are not in a form's elements, but they send it.
  const button = [
    ...(form.getRootNode() as ParentNode).querySelectorAll<HTMLButtonElement>('button, input'),
  ].find((each) => each.form === form && /^(submit|image)$/.test(each.type))
  if (button) button.click()
  else if (![...form.elements].some((each) => each !== field && isWritten(each as HTMLInputElement)))
    form.requestSubmit()
  return true
}

/** Whether a field accepts text. */
function isWritten(each: HTMLInputElement): boolean {
  const isPressed = /hidden|checkbox|radio|file|button|reset|range|color/.test(each.type)
  return each.matches('svc-lookup-field[mode=edit], input') && !isPressed
}
