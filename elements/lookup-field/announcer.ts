// Polite announcements for users who do not see the list.
import { make } from './dom.ts'
import { secondLine } from './options.ts'
import type { LookupOption } from './types.ts'

/** Apple's screen readers do not announce the active option of a text field. */
const apple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform)

export class Announcer {
  readonly #line = make('div')
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `heard`: the live region, in which each announcer has its own line. */
  constructor(heard: HTMLElement) {
    heard.append(this.#line)
  }

  /** Announces a text once the typing pauses; null withdraws the last one. */
  announce(text: string | null): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.#line.textContent = text), 150)
  }

  /** Announces the active row, if nothing else does. */
  row(option: LookupOption | undefined, displayFields: readonly string[]): void {
    if (apple && option) this.announce(`${option.label} ${secondLine(option, displayFields)}`)
  }

  silence(): void {
    clearTimeout(this.#timer)
    this.#line.textContent = ''
  }
}
