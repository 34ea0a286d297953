// The open list: its request, its rows, the active and the chosen option.
import { RequestRunner } from './request-runner.ts'
import { set } from './dom.ts'
import { optionList, type OptionList } from './list.ts'
import { normalizeAnswer, type AnswerPage } from './options.ts'
import { keepPositioned } from './list-position.ts'
import type { PickerHost, ListQuery } from './list-query.ts'
import { Announcer } from './announcer.ts'
import type { LookupOption, LookupSearch } from './types.ts'
import type { View } from './view.ts'
import { failureText, words } from './words.ts'

/** The largest number of consecutive pages without a row that are skipped. */
const patience = 10
const none: AnswerPage = { options: [], next: null, total: null }

export class Picker {
  readonly #view: View
  readonly #host: PickerHost
  readonly #list: OptionList
  readonly #runner: RequestRunner
  /** A record that is being created is selected even if the list was closed. */
  readonly #maker: RequestRunner
  readonly #announcer: Announcer
  /** The request whose response or message is shown now. */
  #query: ListQuery | undefined
  #answer = none
  #known = new Set<string>()
  #active = -1
  /** Id of the record that is pointed at. */
  #value = ''
  /** The action of Enter when a line is shown instead of options. */
  #act: (() => void) | undefined
  #unplace: (() => void) | undefined
  /** Whether the list shows that a record is being created. */
  #making = false
  #moved = false
  /** Empty pages that can still be skipped. */
  #patience = patience

  constructor(view: View, id: string, host: PickerHost) {
    this.#view = view
    this.#host = host
    this.#runner = new RequestRunner(host.report)
    this.#maker = new RequestRunner(host.report)
    this.#announcer = new Announcer(view.liveRegion)
    this.#list = optionList(view.listbox, id, {
      choose: (at) => this.#choose(at),
      end: (byHand) => this.#more(byHand),
    })
  }

  get open(): boolean {
    return Boolean(this.#unplace)
  }

  /** Whether Enter has no effect in the list. */
  get isIdle(): boolean {
    return this.#active < 0 && !this.#making && !this.#runner.delayTimer
  }

  /** Calls the source after a delay in milliseconds. */
  ask(delay: number): void {
    const listQuery = this.#host.listQuery()
    if (!listQuery) return
    const { query, search, minChars } = listQuery
    const missing = minChars - [...query].length
    this.#making = false
    // The rows shown belong to an earlier request: no more pages of it are needed.
    this.#query = undefined
    if (missing > 0) return this.#say(words.more(missing))
    if (!search) return this.#say(words.noSource)
    // The question is read when it is sent, because a page can set another source in the meantime.
    if (delay > 0) return this.#runner.schedule(delay, () => this.ask(0))
    this.#known = new Set()
    this.#patience = patience
    this.#answer = none
    this.#put(listQuery, search, [])
  }

  close(): void {
    this.#runner.stop()
    this.#making = this.#moved = false
    this.#unplace?.()
    this.#unplace = this.#query = this.#act = undefined
    this.#answer = none
    this.release()
    this.#list.clear()
    set(this.#view.input, { 'aria-expanded': 'false' })
    this.#announcer.silence()
  }

  /** Drops a record that is being created, and its message. */
  cancelCreation(): void {
    this.#maker.stop()
    if (this.#making) this.close()
  }

  /** Cancels every request, including one that creates a record. */
  quit(): void {
    this.#maker.stop()
    this.close()
  }

  /** Another record is pointed at. */
  point(value: string): void {
    this.#value = value
    this.#list.point(value)
  }

  /** No option is active. */
  release(): void {
    this.#activate(-1)
  }

  /** Returns whether the list handled the key. */
  key(key: string, alt: boolean): boolean {
    const { open } = this
    const by = key.endsWith('Up') ? -1 : 1
    if (/^Arrow(Up|Down)$/.test(key)) {
      this.#moved = true
      if (alt && by < 0) this.close()
      else if (!open) this.ask(0)
      else if (!alt) this.#move(by)
      return true
    }
    if (key === 'Enter') {
      // Never from the list of an earlier query, unless an arrow went to one of its rows.
      if (this.#runner.delayTimer && this.#active < 0) this.ask(0)
      else if (open && this.#active >= 0) this.#choose(this.#active)
      else return open
      return true
    }
    const isKnown = /^(Escape|Page(Up|Down))$/.test(key)
    if (key === 'Escape') this.quit()
    else if (isKnown && open) this.#leap(this.#list.page() * by)
    return isKnown && open
  }

  #paint(listQuery: ListQuery, added: boolean): void {
    const { query } = listQuery
    const { options, next, total } = this.#answer
    if (options.length === 0) return this.#say(words.none(query))
    this.#act = undefined
    this.#open()
    // An option that creates a record is not a match; if no more are to come, the rows are the total.
    const records = options.filter(({ make }) => !make)
    const inAll = (drawn: number): number => (!next ? drawn : total! >= drawn ? total! : -1)
    this.#list.show(
      { ...listQuery, options, value: this.#value, total: inAll(options.length), more: Boolean(next) },
      added,
    )
    if (!added) {
      // With an empty box, the record pointed at is visible, and it is active only if an arrow key opened the list.
      this.#active = -1
      const isEmpty = query.trim() === ''
      // An option that creates a record is active only if an arrow goes to it.
      this.#activate(isEmpty ? this.#from : options.indexOf(records[0]!))
      if (isEmpty && !this.#moved) this.release()
    }
    this.#announcer.announce(
      records.length > 0 ? words.count(records.length, inAll(records.length)) : words.none(query),
    )
  }

  #add(listQuery: ListQuery, before: LookupOption[], { options, next, total }: AnswerPage): void {
    this.#query = listQuery
    this.#answer = { options: [...before, ...options], next, total: total ?? this.#answer.total }
    if (options.length > 0 || !next) {
      this.#patience = patience
      return this.#paint(listQuery, before.length > 0)
    }
    this.#patience -= 1
    if (this.#patience > 0) this.#more()
    else if (before.length > 0) this.#list.foot(words.again)
    else {
      const rest = this.#answer
      this.#say(words.further, () => this.#more(true))
      ;[this.#query, this.#answer] = [listQuery, rest]
    }
  }

  /** Reads the next page, if the source offered one. `byHand`: even if the last attempt failed. */
  #more(byHand = false): void {
    const [listQuery, { next, options }] = [this.#query, this.#answer]
    const search = listQuery?.search
    if (byHand) this.#patience = patience
    if (!listQuery || !next || !search || !this.#patience) return
    // Not during the rendering that reached the end.
    queueMicrotask(() => {
      if (this.#query === listQuery && !this.#runner.abortController)
        this.#put(listQuery, search, options, next)
    })
  }

  /** `before`: the rows of the earlier pages. */
  #put(listQuery: ListQuery, search: LookupSearch, before: LookupOption[], cursor?: unknown): void {
    const { query, matchFields, displayFields } = listQuery
    const isFirst = before.length === 0
    this.#runner.startRequest((signal) => search(query, { matchFields, displayFields, signal, cursor }), {
      onPending: () =>
        isFirst ? this.#say(words.searching(query), undefined, true) : this.#list.foot(words.loading),
      answer: (answer) => this.#add(listQuery, before, normalizeAnswer(answer, this.#known)),
      onFailure: () => {
        if (isFirst) return this.#say(failureText(), () => this.ask(0))
        this.#patience = 0
        this.#list.foot(failureText())
        this.#announcer.announce(failureText())
      },
    })
  }

  /**
   * Shows a line instead of options, as real content of the list. `asks`: whether the list keeps its height during a
   * request.
   */
  #say(line: string, act?: () => void, asks = false): void {
    if (!asks) this.#runner.stop()
    this.#query = undefined
    this.#answer = none
    this.#act = act
    this.#open()
    this.#list.showMessage(line, act, asks)
    this.#activate(act ? 0 : -1)
    this.#announcer.announce(line)
  }

  #open(): void {
    const { listbox, combo, input } = this.#view
    if (this.open || !listbox.isConnected) return
    this.#unplace = keepPositioned(listbox, combo)
    set(input, { 'aria-expanded': 'true' })
  }

  #move(by: 1 | -1): void {
    const count = this.#answer.options.length || (this.#act ? 1 : 0)
    if (count === 0) return
    // The first press goes to the record that is pointed at.
    if (this.#active < 0 && this.#from >= 0) return this.#activate(this.#from, true)
    const from = this.#active < 0 && by < 0 ? 0 : this.#active
    // More rows follow below the last one.
    const isOver = from + by === count && Boolean(this.#answer.next)
    this.#activate(isOver ? from : (from + by + count) % count, true)
  }

  /** The start for arrows: the active option, or else the record that is pointed at. */
  get #from(): number {
    if (this.#active >= 0 || this.#value === '') return this.#active
    return this.#answer.options.findIndex(({ value }) => value === this.#value)
  }

  #leap(by: number): void {
    const last = this.#answer.options.length - 1
    if (last >= 0) this.#activate(Math.min(last, Math.max(0, Math.max(0, this.#from) + by)), true)
  }

  #activate(at: number, announce = false): void {
    const active = this.#list.activate(at)
    this.#active = active ? at : -1
    // Keys reach the end of the list as scrolling does; a page that failed is requested again.
    if (announce && at === this.#answer.options.length - 1) this.#more(true)
    set(this.#view.input, { 'aria-activedescendant': active?.id })
    if (announce) this.#announcer.row(this.#answer.options[this.#active], this.#query?.displayFields ?? [])
  }

  #choose(at: number): void {
    const option = this.#answer.options[at]
    if (!option) return this.#act?.()
    this.cancelCreation()
    if (!option.make) this.#host.take(option)
    else this.#make(option.make, option.label)
  }

  #make(make: NonNullable<LookupOption['make']>, label: string): void {
    this.#making = true
    this.#maker.startRequest(async (signal) => [await make(signal)] as LookupOption[], {
      onPending: () => this.#say(words.making(label)),
      answer: (answer) => {
        const [got] = normalizeAnswer(answer).options
        if (got && !got.make) this.#host.take(got)
        else if (this.#making) this.close()
      },
      onFailure: () =>
        this.#making
          ? this.#say(failureText(words.unmade), () => this.#make(make, label))
          : this.#announcer.announce(words.unmade),
    })
  }
}
