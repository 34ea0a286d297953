// What is said politely to those who do not see the list (specification 3.4).
import { make } from './dom.ts'
import { secondLine } from './options.ts'
import type { LookupOption } from './types.ts'

/** Their screen readers do not say the active option of a text field by themselves. */
const apple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform)

export class Teller {
  readonly #line = make('div')
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `heard`: the live region, in which each teller has a line of its own. */
  constructor(heard: HTMLElement) {
    heard.append(this.#line)
  }

  /** Says something once the typing pauses; null takes back what was said. */
  tell(text: string | null): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.#line.textContent = text), 150)
  }

  /** Says the active row, where nothing else does. */
  row(option: LookupOption | undefined, displayFields: readonly string[]): void {
    if (apple && option) this.tell(`${option.label} ${secondLine(option, displayFields)}`)
  }

  hush(): void {
    clearTimeout(this.#timer)
    this.#line.textContent = ''
  }
}
