// The open list: what is asked, what is painted, which option is active, which is chosen (specification 3.4).
import { Asker } from './asker.ts'
import { set } from './dom.ts'
import { optionList, type OptionList } from './list.ts'
import { answered, type Answered } from './options.ts'
import { placed } from './placing.ts'
import { Teller } from './teller.ts'
import type { LookupAnswer, LookupOption, LookupRequest, LookupSearch } from './types.ts'
import type { View } from './view.ts'
import { words } from './words.ts'

/** What the list is about, at the moment it is asked for. */
export interface Question {
  /** What was typed; the name of the record that is pointed at is no query. */
  query: string
  search: LookupSearch | null
  minChars: number
  matchFields: string[]
  displayFields: string[]
  /** Id of the record that is pointed at. */
  value: string
}

export interface PickerHost {
  /** Null where nothing may be asked. */
  question(): Question | null
  take(option: LookupOption): void
}

const none: Answered = { options: [], next: null, total: 0 }

export class Picker {
  readonly #view: View
  readonly #host: PickerHost
  readonly #list: OptionList
  readonly #asker = new Asker()
  readonly #teller: Teller
  /** What was asked and is answered, or is said, now. */
  #asked: Question | null = null
  #answer = none
  #known = new Set<string>()
  #active = -1
  /** What Enter does where a line stands instead of options. */
  #act: (() => void) | null = null
  #unplace: (() => void) | null = null
  #loading = false

  constructor(view: View, id: string, host: PickerHost) {
    this.#view = view
    this.#host = host
    this.#teller = new Teller(view.heard)
    this.#list = optionList(view.listbox, id, {
      choose: (at) => this.#choose(at),
      end: () => this.#more(),
    })
  }

  get open(): boolean {
    return this.#unplace !== null
  }

  /** Asks the source after a while, in milliseconds. */
  ask(delay: number): void {
    const asked = this.#host.question()
    if (asked === null) return
    const { query, search, minChars } = asked
    const missing = minChars - [...query].length
    this.#loading = false
    if (missing > 0) return this.#say(words.more(missing))
    if (search === null) return this.#say(words.noSource)
    this.#asker.ask(delay, (signal) => search(query, requestOf(asked, signal)), {
      waiting: () => this.#say(words.searching(query), null, false),
      answer: (answer) => {
        this.#asked = asked
        this.#known = new Set()
        this.#answer = answered(answer, this.#known)
        this.#paint(asked)
      },
      failed: () => this.#say(failed(), () => this.ask(0), false),
    })
  }

  close(): void {
    this.#asker.stop()
    this.#loading = false
    this.#unplace?.()
    this.#unplace = null
    this.#asked = null
    this.#answer = none
    this.#act = null
    this.release()
    this.#list.clear()
    set(this.#view.input, { 'aria-expanded': 'false' })
    this.#teller.hush()
  }

  /** No option is active. */
  release(): void {
    this.#activate(-1)
  }

  /** Whether a key was the list's. */
  key(key: string, alt: boolean): boolean {
    const { open } = this
    switch (key) {
      case 'ArrowDown':
        if (!open) this.ask(0)
        else if (!alt) this.#move(1)
        return true
      case 'ArrowUp':
        if (alt) this.close()
        else if (open) this.#move(-1)
        else this.ask(0)
        return true
      case 'PageDown':
      case 'PageUp':
        if (open) this.#leap(this.#list.page() * (key === 'PageUp' ? -1 : 1))
        return open
      case 'Enter':
        if (open && this.#active >= 0) this.#enter()
        return open
      case 'Escape':
        if (open) this.close()
        return open
      default:
        return false
    }
  }

  #paint(asked: Question, added = false): void {
    const { query, displayFields, value } = asked
    const { options, next, total } = this.#answer
    if (options.length === 0) return this.#say(words.none(query))
    this.#act = null
    this.#open()
    const all = total === null ? (next === null ? options.length : -1) : Math.max(total, options.length)
    this.#list.show({ options, query, displayFields, value, total: all, more: next !== null }, added)
    if (!added) this.#activate(query === '' ? options.findIndex((each) => each.value === value) : 0)
    // What makes a record is none that was found.
    const found = options.filter(({ make }) => make === undefined).length
    const known = all < 0 ? all : Math.max(total ?? 0, found)
    this.#teller.tell(found === 0 ? words.none(query) : words.count(found, known))
  }

  /** The page that follows, where the source offered one. */
  #more(): void {
    const [asked, { next, options, total }] = [this.#asked, this.#answer]
    const search = asked?.search ?? null
    if (asked === null || next === null || this.#loading || search === null) return
    this.#loading = true
    const question = (signal: AbortSignal): LookupAnswer | Promise<LookupAnswer> =>
      search(asked.query, { ...requestOf(asked, signal), cursor: next })
    const hearing = {
      waiting: () => this.#list.foot(words.loading),
      answer: (answer: LookupAnswer) => {
        this.#loading = false
        const more = answered(answer, this.#known)
        this.#answer = {
          options: [...options, ...more.options],
          // A page that brings nothing new is the last, whatever it says.
          next: more.options.length === 0 ? null : more.next,
          total: more.total ?? total,
        }
        this.#paint(asked, true)
      },
      failed: () => {
        this.#list.foot(failed())
        this.#teller.tell(failed())
        this.#loading = false
      },
    }
    // Out of the drawing that came upon the end.
    queueMicrotask(() => {
      if (this.#asked === asked) this.#asker.ask(0, question, hearing)
    })
  }

  /** A line instead of options, as real content of the list. `stop`: nothing is being asked. */
  #say(line: string, act: (() => void) | null = null, stop = true): void {
    if (stop) this.#asker.stop()
    this.#asked = null
    this.#answer = none
    this.#act = act
    this.#open()
    this.#list.say(line, act ?? undefined)
    this.#activate(act === null ? -1 : 0)
    this.#teller.tell(line)
  }

  #open(): void {
    const { listbox, combo, input } = this.#view
    if (this.open || !listbox.isConnected) return
    this.#unplace = placed(listbox, combo)
    set(input, { 'aria-expanded': 'true' })
  }

  #move(by: 1 | -1): void {
    const count = this.#answer.options.length || (this.#act === null ? 0 : 1)
    if (count === 0) return
    const from = this.#active < 0 && by < 0 ? 0 : this.#active
    this.#activate((from + by + count) % count, true)
  }

  #leap(by: number): void {
    const last = this.#answer.options.length - 1
    if (last >= 0) this.#activate(Math.min(last, Math.max(0, Math.max(0, this.#active) + by)), true)
  }

  #activate(at: number, told = false): void {
    const active = this.#list.activate(at)
    this.#active = active === null ? -1 : at
    // Keys come to the end of the list as scrolling does; where a page failed, it is asked for again.
    if (told && at === this.#answer.options.length - 1) this.#more()
    set(this.#view.input, { 'aria-activedescendant': active?.id ?? null })
    if (told) this.#teller.row(this.#answer.options[this.#active], this.#asked?.displayFields ?? [])
  }

  #enter(): void {
    if (this.#answer.options.length > 0) this.#choose(this.#active)
    else this.#act?.()
  }

  #choose(at: number): void {
    const option = this.#answer.options[at]
    const made = option?.make
    if (option === undefined) return
    if (made === undefined) return this.#host.take(option)
    this.#asker.ask(0, (signal) => pageOf(made(signal)), {
      waiting: () => this.#say(words.making(option.label), null, false),
      answer: (answer) => {
        const [got] = answered(answer).options
        if (got === undefined) this.close()
        else this.#host.take(got)
      },
      failed: () => this.#say(failed(), () => this.ask(0), false),
    })
  }
}

const failed = (): string => `${words.failed} ${words.again}`

function requestOf({ matchFields, displayFields }: Question, signal: AbortSignal): LookupRequest {
  return { matchFields, displayFields, signal }
}

async function pageOf(made: LookupOption | null | Promise<LookupOption | null>): Promise<LookupOption[]> {
  const option = await made
  return option === null ? [] : [option]
}
