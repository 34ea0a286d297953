// What is said politely to those who do not see the list (specification 3.4).
import { secondLine } from './options.ts'
import type { LookupOption } from './types.ts'

/** Their screen readers do not say the active option of a text field by themselves. */
const apple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform)

export class Teller {
  readonly #heard: HTMLElement
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(heard: HTMLElement) {
    this.#heard = heard
  }

  /** Says something once the typing pauses. */
  tell(text: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.#heard.textContent = text), 150)
  }

  /** Says the active row, where nothing else does. */
  row(option: LookupOption | undefined, displayFields: readonly string[]): void {
    if (apple && option) this.tell(`${option.label} ${secondLine(option, displayFields)}`)
  }

  hush(): void {
    clearTimeout(this.#timer)
    this.#heard.textContent = ''
  }
}
