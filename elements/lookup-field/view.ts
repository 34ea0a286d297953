// The shadow tree: every part exists from the beginning, and is hidden while it has no content
// (docs/reference/lookup-field.md).
import { drawing, make, set } from './dom.ts'
import { css } from './styles.ts'

export interface View {
  box: HTMLElement
  label: HTMLLabelElement
  labelText: Text
  star: HTMLElement
  combo: HTMLElement
  input: HTMLInputElement
  clear: HTMLButtonElement
  listbox: HTMLElement
  message: HTMLElement
  liveRegion: HTMLElement
  /** The link, or the trigger without a URL. */
  link(href: string | null): HTMLElement
}

const sheets = new WeakMap<Document, CSSStyleSheet>()
let count = 0

const glass = 'M10.5 10.5 14 14M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0Z'
const cross = 'm3 3 10 10M13 3 3 13'

/** All elements of a page share one adopted sheet, which a strict content policy allows. */
export function dress(root: ShadowRoot): void {
  const page = root.ownerDocument
  const Sheet = (page.defaultView ?? window).CSSStyleSheet
  let sheet = sheets.get(page)
  if (!sheet) {
    sheets.set(page, (sheet = new Sheet()))
    sheet.replaceSync(css)
  }
  root.adoptedStyleSheets = [sheet]
}

export function viewIn(root: ShadowRoot): { view: View; id: string } {
  dress(root)
  count += 1
  const id = `lookup${count}`
  const labelText = new Text()
  const star = make('span', { class: 'star', 'aria-hidden': 'true' }, ' *')
  const label = make('label', { part: 'label', id: `${id}-label`, for: `${id}-input` }, labelText, star)
  const input = make('input', {
    part: 'input',
    id: `${id}-input`,
    role: 'combobox',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'search',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': `${id}-list`,
  })
  const clear = make(
    'button',
    // Tab leaves the field; a key of the input clears it.
    { part: 'clear', type: 'button', tabindex: -1, 'aria-keyshortcuts': 'Alt+Delete' },
    drawing(cross),
  )
  const combo = make('div', { part: 'combo' }, drawing(glass, { part: 'icon' }), input, clear)
  const listbox = make('div', {
    part: 'listbox',
    role: 'listbox',
    id: `${id}-list`,
    hidden: '',
    tabindex: -1,
  })
  const message = make('div', { part: 'message', id: `${id}-message` })
  const heard = make('div', { class: 'heard', 'aria-live': 'polite' })
  const linkAs = (tag: 'a' | 'button'): HTMLElement =>
    make(tag, { part: 'link', id: `${id}-link`, type: tag === 'button' ? tag : null })
  let link = linkAs('button')
  const box = make('div', { class: 'box' }, label, link, combo, listbox, message, heard)
  root.append(box)
  return {
    id,
    view: {
      box,
      label,
      labelText,
      star,
      combo,
      input,
      clear,
      listbox,
      message,
      liveRegion: heard,
      link: (href) => {
        const tagName = href ? 'a' : 'button'
        const before = link
        if (before.localName !== tagName) before.after((link = linkAs(tagName)))
        set(link, { href })
        if (before !== link) {
          // The focus moves while both exist, so that it is not lost.
          if (root.activeElement === before) link.focus()
          before.remove()
        }
        return link
      },
    },
  }
}
