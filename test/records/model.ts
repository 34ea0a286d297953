// The model of records: a slow store in memory that computes everything again from the committed rows. It shares the
// expression language with the engine, and none of its ways to load, order and write.
import type { AutomationAction } from '#kernel/components/automation/body.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { LocalObjectBody, ObjectField } from '#kernel/components/object/body.ts'
import { bindingOf, configurationInput, type Binding } from '#kernel/config/index.ts'
import { add, divide, parseDecimal, type Decimal } from '#kernel/decimal/decimal.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  compareValues,
  compileExpression,
  exprValueFromField,
  exprValueToStored,
  fieldPathsOf,
  valueToJson,
  type ExprValue,
  type Program,
} from '#kernel/expr/index.ts'
import type { ExpressionSite } from '#kernel/components/expression-slot.ts'
import {
  parseFieldValue,
  type FieldId,
  type ObjectId,
  type RecordSnapshot,
  type StoredBinding,
} from '#kernel/records/index.ts'
import type { SaveItem } from '../../server/records/index.ts'

export interface ModelRow {
  id: string
  object: ObjectId
  version: number
  values: Map<FieldId, FieldValue>
  bindings: Map<FieldId, StoredBinding>
  inputs: Map<FieldId, Record<string, unknown>>
}

type Rows = Map<string, ModelRow>

class Refusal extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** A write: of which record and version, and what it changed. */
export type ModelChange = [id: string, version: number, operation: string, fields: unknown]

/** What a save leaves for after the commit: what, of which automation and record, and its values as JSON. */
export type ModelEffect = [kind: string, action: string, record: string, version: number, body: unknown]

/** An event: of which record, and its payload. */
export type ModelEvent = [channel: string, record: string, payload: unknown]

export class RecordModel {
  rows: Rows = new Map()
  history: ModelChange[] = []
  effects: ModelEffect[] = []
  events: ModelEvent[] = []
  /** The generations that values have been bound to. */
  readonly #bound = new Set<number>()
  readonly #at: (generation: number) => RecordSnapshot
  readonly #newId: () => string

  constructor(at: (generation: number) => RecordSnapshot, newId: () => string) {
    this.#at = at
    this.#newId = newId
  }

  /** Returns `ok`, or the code of the error; a failed save changes nothing. */
  save(item: SaveItem, present: RecordSnapshot): string {
    const rows: Rows = new Map([...this.rows].map(([id, row]) => [id, copyOf(row)]))
    try {
      const transaction = new Transaction(rows, present, this.#at, this.#newId, this.#bound)
      transaction.save(item)
      this.history.push(...transaction.history)
      this.effects.push(...transaction.effects)
      this.events.push(...transaction.events)
    } catch (error) {
      if (error instanceof Refusal) return error.code
      throw error
    }
    this.rows = rows
    for (const { bindings } of rows.values())
      for (const { generation } of bindings.values()) this.#bound.add(generation)
    return 'ok'
  }
}

function copyOf({ values, bindings, inputs, ...row }: ModelRow): ModelRow {
  return { ...row, values: new Map(values), bindings: new Map(bindings), inputs: new Map(inputs) }
}

/** How an expression is read: of a formula, a default, a rule or a roll-up's filter. */
interface Compiled {
  program: Program
  source: string
  site: ExpressionSite
}

class Transaction {
  readonly #rows: Rows
  readonly #present: RecordSnapshot
  readonly #at: (generation: number) => RecordSnapshot
  readonly #newId: () => string
  readonly #bound: ReadonlySet<number>
  /** Rows as the item found them. */
  readonly #found = new Map<string, ModelRow | null>()
  readonly #ran = new Set<string>()
  readonly history: ModelChange[] = []
  readonly effects: ModelEffect[] = []
  readonly events: ModelEvent[] = []

  constructor(
    rows: Rows,
    present: RecordSnapshot,
    at: (generation: number) => RecordSnapshot,
    newId: () => string,
    bound: ReadonlySet<number>,
  ) {
    this.#bound = bound
    this.#rows = rows
    this.#present = present
    this.#at = at
    this.#newId = newId
  }

  /** @param depth how many saves led to this one */
  save(item: SaveItem, depth = 0): void {
    const present = this.#present
    const object = present.names.objectId(item.object)
    if (object === undefined) throw new Refusal('object.not_found')
    if (item.op === 'insert') {
      const row: ModelRow = {
        ...{ id: this.#newId(), object, version: 0 },
        ...{ values: new Map(), bindings: new Map(), inputs: new Map() },
      }
      this.#found.set(row.id, null)
      const missing = this.#enter(row, item.object, item.values)
      this.#settle(row, { missing, isNew: true })
      this.#check(row, null)
      this.#adjust(row, null, { isNew: true })
      this.#rows.set(row.id, row)
      row.version = 1
      this.#note(row, 'insert', null, row)
      this.#follow(row, null, copyOf(row), depth)
      this.#effects(row, depth)
      return
    }
    const row = this.#rows.get(item.id)
    if (row?.object !== object) throw new Refusal('record.not_found')
    if (item.version !== null && item.version !== row.version) throw new Refusal('conflict.stale_version')
    const before = copyOf(row)
    if (!this.#found.has(row.id)) this.#found.set(row.id, before)
    if (item.op === 'delete') {
      if (this.#isReferenced(row)) throw new Refusal('record.referenced')
      this.#rows.delete(row.id)
      this.#note(row, 'delete', before, null)
      this.#follow(before, before, null, depth)
      return
    }
    if (item.op === 'fill' || item.op === 'follow' || item.op === 'erase')
      throw new Error('Jobs are compared on their own.')
    if (item.op === 'archive') {
      for (const [field, { mark, inputs }] of item.marks) {
        row.bindings.set(field, { ...row.bindings.get(field)!, archived: mark })
        row.inputs.set(field, inputs)
      }
      row.version += 1
      return this.#note(row, 'update', before, row)
    }
    if (item.op === 'recompute') {
      this.#settle(row, { recompute: true })
      if (isSame(row, before)) return
      this.#check(row, before)
    } else {
      this.#enter(row, item.object, item.values)
      this.#settle(row, { before })
      this.#check(row, before)
      this.#adjust(row, before, { before })
    }
    row.version += 1
    this.#note(row, 'update', before, row)
    this.#follow(row, before, copyOf(row), depth)
    this.#effects(row, depth)
  }

  #note({ id, version }: ModelRow, operation: string, before: ModelRow | null, after: ModelRow | null): void {
    this.history.push([id, version, operation, changesBetween(before?.values, after?.values)])
  }

  #automations(row: ModelRow, phase: string): ComponentOf<'automation'>[] {
    const object = this.#present.names.objectKey(row.object)!
    return [...this.#present.view.list('automation')]
      .filter(({ body }) => body.object === object && body.phase === phase)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  #fires(row: ModelRow, automation: ComponentOf<'automation'>): boolean {
    const place = `${automation.key} ${row.id}`
    const { when } = automation.body
    if (this.#ran.has(place) || (when !== undefined && this.#inAutomation(row, automation, when) !== true))
      return false
    this.#ran.add(place)
    return true
  }

  #inAutomation(row: ModelRow, { body }: ComponentOf<'automation'>, source: string): ExprValue {
    const present = this.#present
    const object = present.names.objectKey(row.object)!
    const compiled = compile(present, source, { kind: 'automation', object, phase: body.phase, params: [] })
    const asOf = dateIn(row, object, compiled.program, present)
    try {
      return this.#evaluate(row, object, compiled, present, { asOf, prior: this.#found.get(row.id) ?? null })
    } catch (error) {
      if (error instanceof AlmanacError) throw new Refusal('record.invalid')
      throw error
    }
  }

  #actionValues(
    row: ModelRow,
    automation: ComponentOf<'automation'>,
    object: string,
    values: Readonly<Record<string, string>>,
  ): Record<string, FieldValue> {
    const fields = bodyOf(this.#present, object)!.fields
    return Object.fromEntries(
      Object.entries(values).map(([name, source]) => {
        const field = fieldNamed(fields, name)!
        try {
          const value = stored(this.#inAutomation(row, automation, source), field)
          if (!parseFieldValue(field, value, this.#present.view).ok) throw new Refusal('record.invalid')
          return [field.key, value]
        } catch (error) {
          throw error instanceof RangeError ? new Refusal('record.invalid') : error
        }
      }),
    )
  }

  #raise(row: ModelRow, automation: ComponentOf<'automation'>, action: AutomationAction): void {
    if (action.type !== 'raise') return
    if (action.when === undefined || this.#inAutomation(row, automation, action.when) === true)
      throw new Refusal('record.invalid')
  }

  #adjust(row: ModelRow, before: ModelRow | null, options: { isNew?: boolean; before?: ModelRow }): void {
    const object = this.#present.names.objectKey(row.object)!
    const ids = this.#present.names.fieldIds(object)
    let isAssigned = false
    for (const automation of this.#automations(row, 'before_write')) {
      if (!this.#fires(row, automation)) continue
      for (const action of automation.body.actions) {
        this.#raise(row, automation, action)
        if (action.type !== 'assign') continue
        const values = this.#actionValues(row, automation, object, action.values)
        for (const [key, value] of Object.entries(values)) row.values.set(ids.get(key)!, value)
      }
      if (!automation.body.actions.some(({ type }) => type === 'assign')) continue
      isAssigned = true
      row.bindings = new Map(before?.bindings)
      row.inputs = new Map(before?.inputs)
      this.#settle(row, options, false)
    }
    if (!isAssigned) return
    this.#settle(row, options)
    this.#check(row, before)
  }

  #effects(row: ModelRow, depth: number): void {
    for (const automation of this.#automations(row, 'after_write')) {
      if (!this.#fires(row, automation)) continue
      const now = copyOf(row)
      for (const action of automation.body.actions) {
        this.#raise(now, automation, action)
        if (action.type === 'publish' || action.type === 'enqueue') this.#leave(now, automation, action)
        if (action.type !== 'create' && action.type !== 'update') continue
        const values = this.#actionValues(now, automation, action.object, action.values)
        const { object } = action
        if (action.type === 'create') {
          this.#deeper(depth)
          this.save({ op: 'insert', object, values }, depth + 1)
          continue
        }
        const id = this.#inAutomation(now, automation, action.record)
        if (typeof id !== 'string') continue
        this.#deeper(depth)
        this.save({ op: 'update', object, id, version: null, values }, depth + 1)
      }
    }
  }

  #leave(
    row: ModelRow,
    automation: ComponentOf<'automation'>,
    action: Extract<AutomationAction, { type: 'publish' | 'enqueue' }>,
  ): void {
    const values = (expressions: Readonly<Record<string, string>>): unknown =>
      Object.fromEntries(
        Object.entries(expressions).map(([name, source]) => [
          name,
          valueToJson(this.#inAutomation(row, automation, source)),
        ]),
      )
    const record = `${this.#present.names.objectKey(row.object)!}/${row.id}`
    // The call or the event has an id of its own.
    if (action.type === 'publish') {
      const schema = this.#present.view.get('event_channel', action.channel)!.body.schema ?? []
      const payload = Object.fromEntries(
        schema.map(({ key, type, precision, scale }) => [
          key,
          exprValueToStored(this.#inAutomation(row, automation, action.payload[key]!), {
            ...{ type, ...(precision === undefined ? {} : { precision }) },
            ...(scale === undefined ? {} : { scale }),
          }),
        ]),
      )
      this.#newId()
      this.events.push([action.channel, row.id, payload])
      return
    }
    const body = {
      ...{ credential: action.credential, method: action.method, path: action.path },
      ...{ pathParams: values(action.pathParams), query: values(action.query) },
      ...{ payload: values(action.payload), idempotencyKey: null },
    }
    this.#newId()
    this.effects.push(['enqueue', `${automation.key}.${action.key}`, record, row.version, body])
  }

  #deeper(depth: number): void {
    if (depth + 1 >= 8) throw new Refusal('limit.save_depth')
  }

  /** Returns the fields whose default applies. */
  #enter(row: ModelRow, object: string, sent: Readonly<Record<string, unknown>>): Set<FieldId> {
    const { view, names } = this.#present
    const ids = names.fieldIds(object)
    const fields = bodyOf(this.#present, object)!.fields
    const missing = new Set(
      fields.flatMap((field) => (field.default === undefined ? [] : [ids.get(field.key)!])),
    )
    const entered = new Set<string>()
    for (const [name, value] of Object.entries(sent)) {
      const field = fieldNamed(fields, name)
      if (field === undefined || field.formula !== undefined || field.rollup !== undefined)
        throw new Refusal('record.invalid')
      if (entered.has(field.key)) throw new Refusal('record.invalid')
      entered.add(field.key)
      const id = ids.get(field.key)!
      const parsed = parseFieldValue(field, value, view, row.values.get(id) ?? null)
      if (!parsed.ok) throw new Refusal('record.invalid')
      row.values.set(id, parsed.value)
      missing.delete(id)
    }
    return missing
  }

  /** Computes every cell, again and again until nothing changes. */
  #settle(
    row: ModelRow,
    options: {
      missing?: Set<FieldId>
      isNew?: boolean
      recompute?: boolean
      dirty?: Set<FieldId>
      before?: ModelRow
    },
    isChecked = true,
  ): void {
    const [bindings, inputs] = [new Map(row.bindings), new Map(row.inputs)]
    let cells: ModelCell[]
    let failed = true
    for (let isMoved = true; isMoved;) {
      // The dates along a reference that is computed are those of the record to which it leads now.
      row.bindings = new Map(bindings)
      row.inputs = new Map(inputs)
      cells = this.#cellsOf(row, options)
      const references = cells.filter(({ field }) => field.type === 'reference')
      const before = references.map(({ id }) => row.values.get(id) ?? null)
      for (const cell of cells) row.values.set(cell.id, null)
      failed = true
      for (let round = 0; round <= cells.length; round += 1) {
        failed = false
        for (const cell of cells) if (!this.#compute(row, cell)) failed = true
      }
      isMoved = references.some(({ id }, at) => (row.values.get(id) ?? null) !== before[at])
    }
    // A recompute ends what fields that were removed since are bound to, and any save what users enter now.
    const computed = new Set(cells!.map(({ id }) => id))
    for (const id of [...row.bindings.keys()])
      if (this.#isEntered(row, id) || (options.recompute === true && !computed.has(id))) {
        row.bindings.delete(id)
        row.inputs.delete(id)
      }
    if (isChecked && options.before !== undefined) this.#requireUnread(row, options.before)
    if (failed && isChecked) throw new Refusal('record.invalid')
  }

  #isEntered({ object }: ModelRow, id: FieldId): boolean {
    const { names } = this.#present
    const key = names.objectKey(object)!
    const field = bodyOf(this.#present, key)!.fields.find((each) => names.fieldIds(key).get(each.key) === id)
    return field !== undefined && field.formula === undefined && field.rollup === undefined
  }

  /** What an archived value was computed from stays. */
  #requireUnread(row: ModelRow, before: ModelRow): void {
    const names = this.#present.names
    const fields = new Set(names.fieldIds(names.objectKey(row.object)!).values())
    for (const [field, { archived }] of row.bindings)
      for (const id of archived === undefined || !fields.has(field) ? [] : archived.own)
        if (!this.#isEqual(row, id, before)) throw new Refusal('record.archived')
  }

  /** A deploy that adds decimal places changes no number. */
  #isEqual(row: ModelRow, id: FieldId, before: ModelRow): boolean {
    const { names } = this.#present
    const key = names.objectKey(row.object)!
    const field = bodyOf(this.#present, key)!.fields.find((each) => names.fieldIds(key).get(each.key) === id)
    const [now, then] = [row.values.get(id) ?? null, before.values.get(id) ?? null]
    const isNumber = field?.type === 'number' && now !== null && then !== null
    return now === then || (isNumber && Number(now) === Number(then))
  }

  #cellsOf(
    row: ModelRow,
    {
      missing = new Set(),
      isNew = false,
      recompute = false,
      dirty = new Set(),
    }: { missing?: Set<FieldId>; isNew?: boolean; recompute?: boolean; dirty?: Set<FieldId> },
  ): ModelCell[] {
    const present = this.#present
    const wanted = new Set(present.names.fieldIds(present.names.objectKey(row.object)!).values())
    const cells = new Map<FieldId, ModelCell>()
    const open = [...wanted]
    for (const id of open) {
      if (cells.has(id)) continue
      const now = this.#cellAt(row, id, present)
      let cell = now
      // It may have been computed before.
      if (now === null && this.#isEntered(row, id)) continue
      const binding = row.bindings.get(id)
      if (binding?.archived !== undefined && !recompute) {
        const isSameDate = ({ field, value }: { field: FieldId; value: FieldValue }): boolean =>
          (row.values.get(field) ?? null) === value
        if (binding.archived.dates.every(isSameDate)) continue
        if (now === null) continue
        cells.set(id, now)
        open.push(...this.#ownReads(now))
        continue
      }
      if (now?.field.default !== undefined) {
        if (!missing.has(id)) continue
      } else if (binding !== undefined && !recompute && (now === null || isBound(binding))) {
        const kept = this.#cellAt(row, id, this.#at(binding.generation))
        const sameDate = kept !== null && (!kept.dated || this.#dateOf(row, kept) === binding.asOf)
        const isSame = sameDate && kept !== null && this.#hasSameDates(row, kept)
        if (kept !== null && (isSame || now === null)) cell = { ...kept, kept: binding }
      }
      if (cell === null) continue
      if (cell.field.rollup !== undefined) {
        const moved = binding !== undefined && isBound(binding) && cell.kept === null
        if (!isNew && !recompute && !dirty.has(id) && binding !== undefined && !moved) continue
      }
      cells.set(id, cell)
      open.push(...this.#ownReads(cell))
    }
    return [...cells.values()]
  }

  #cellAt(row: ModelRow, id: FieldId, snapshot: RecordSnapshot): ModelCell | null {
    const object = snapshot.names.objectKey(row.object)
    if (object === undefined) return null
    const key = [...snapshot.names.fieldIds(object)].find(([, each]) => each === id)?.[0]
    const field = bodyOf(snapshot, object)!.fields.find((each) => each.key === key)
    if (field === undefined) return null
    const cell = { id, field, object, snapshot, kept: null }
    if (field.rollup !== undefined) {
      const { filter, child } = field.rollup
      if (filter === undefined) return { ...cell, compiled: null, dated: false }
      const compiled = compile(snapshot, filter, { kind: 'rollup_filter', object, field: field.key, child })
      return { ...cell, compiled, dated: compiled.program.dated }
    }
    const source = field.default ?? (field.formula?.stored === true ? field.formula.expression : undefined)
    if (source === undefined) return null
    const kind = field.default === undefined ? 'stored_formula' : 'field_default'
    const compiled = compile(snapshot, source, { kind, object, field: field.key })
    return { ...cell, compiled, dated: compiled.program.dated }
  }

  /** Fields of the same record that a cell reads, also through virtual formulas. */
  #ownReads({ compiled, object, snapshot, field }: ModelCell): FieldId[] {
    if (compiled === null || field.rollup !== undefined) return []
    const ids = snapshot.names.fieldIds(object)
    const found: FieldId[] = []
    const collect = ({ source, site }: Compiled, seen: readonly string[]): void => {
      for (const { path } of fieldPathsOf(source, site, snapshot.view)) {
        const read = fieldNamed(bodyOf(snapshot, object)!.fields, path[0]!)
        if (read === undefined || seen.includes(read.key)) continue
        found.push(ids.get(read.key)!)
        if (read.formula?.stored === false) collect(virtual(snapshot, object, read), [...seen, read.key])
      }
    }
    collect(compiled, [])
    return found
  }

  #compute(row: ModelRow, cell: ModelCell): boolean {
    const { id, field, compiled, snapshot, kept, object } = cell
    const asOf = compiled === null ? null : this.#dateOf(row, cell)
    const scopePath = kept?.scopePath ?? {}
    const inputs = this.#datesRead(row, cell)
    const isFormula = field.formula !== undefined
    if (isFormula || field.rollup !== undefined)
      row.bindings.set(
        id,
        kept ??
          (compiled === null
            ? { generation: snapshot.generation, asOf: null, config: {}, functions: {}, scopePath: {} }
            : bindingOf(compiled.program, { asOf, scopePath }, snapshot)),
      )
    row.inputs.delete(id)
    try {
      if (field.rollup !== undefined) row.values.set(id, this.#rollUp(row, cell, asOf))
      else {
        const note = (path: readonly string[], value: ExprValue): void => {
          const first = fieldNamed(bodyOf(snapshot, object)!.fields, path[0]!)
          if (isFormula && (path.length > 1 || first?.formula?.stored === false))
            inputs[path.join('.')] = valueToJson(value)
        }
        row.values.set(id, stored(this.#evaluate(row, object, compiled!, snapshot, { asOf, note }), field))
      }
      if (Object.keys(inputs).length > 0) row.inputs.set(id, inputs)
      return true
    } catch (error) {
      if (!(error instanceof AlmanacError || error instanceof RangeError)) throw error
      row.values.set(id, null)
      return false
    }
  }

  #evaluate(
    row: ModelRow,
    object: string,
    { program }: Compiled,
    snapshot: RecordSnapshot,
    {
      asOf,
      note,
      prior,
    }: {
      asOf: Binding['asOf']
      note?: (path: readonly string[], value: ExprValue) => void
      prior?: ModelRow | null
    },
  ): ExprValue {
    if (program.dated && asOf === null) return null
    return program.evaluate({
      field: (path) => {
        const value = this.#read(row, object, path, snapshot)
        note?.(path, value)
        return value
      },
      ...(prior == null
        ? {}
        : { prior: (path: readonly string[]) => this.#read(prior, object, path, snapshot) }),
      ...configurationInput({ asOf, scopePath: {} }, snapshot.slice),
    })
  }

  #read(
    row: ModelRow,
    object: string,
    [name, ...rest]: readonly string[],
    snapshot: RecordSnapshot,
  ): ExprValue {
    const field = fieldNamed(bodyOf(snapshot, object)?.fields ?? [], name!)
    if (field === undefined) return null
    const value = row.values.get(snapshot.names.fieldIds(object).get(field.key)!) ?? null
    if (rest.length > 0) {
      const target = typeof value === 'string' ? this.#rows.get(value) : undefined
      const key = target === undefined ? undefined : snapshot.names.objectKey(target.object)
      return key === undefined ? null : this.#read(target!, key, rest, snapshot)
    }
    if (field.formula?.stored !== false) return exprValueFromField(field.type, value)
    const compiled = virtual(snapshot, object, field)
    const asOf = dateIn(row, object, compiled.program, snapshot)
    return this.#evaluate(row, object, compiled, snapshot, { asOf })
  }

  /** Whether what was kept of the dates of virtual formulas, if anything, is what they are dated by now. */
  #hasSameDates(row: ModelRow, cell: ModelCell): boolean {
    const kept = row.inputs.get(cell.id) ?? {}
    return Object.entries(this.#datesRead(row, cell)).every(
      ([path, date]) => !(path in kept) || dayOf(kept[path]) === dayOf(date),
    )
  }

  /** The dates of the virtual formulas that a stored formula can read, by their paths. */
  #datesRead(root: ModelRow, { compiled, object, snapshot, field }: ModelCell): Record<string, unknown> {
    const found: Record<string, unknown> = {}
    const seen = new Set<string>()
    const collect = (
      row: ModelRow | undefined,
      at: string,
      { source, site }: Compiled,
      before: string[],
    ): void => {
      for (const { path } of fieldPathsOf(source, site, snapshot.view)) {
        let [of, key, chain]: [ModelRow | undefined, string | undefined, string[]] = [row, at, before]
        for (const name of path) {
          const read: ObjectField | undefined =
            key === undefined ? undefined : fieldNamed(bodyOf(snapshot, key)!.fields, name)
          if (read === undefined) break
          const ids = snapshot.names.fieldIds(key!)
          if (read.formula?.stored === false && !seen.has([...chain, read.key].join('.'))) {
            seen.add([...chain, read.key].join('.'))
            const inner = virtual(snapshot, key!, read)
            const { dated, asOfField } = inner.program
            if (dated)
              found[[...chain, asOfField!.field].join('.')] =
                of?.values.get(ids.get(asOfField!.field)!) ?? null
            collect(of, key!, inner, chain)
          }
          const next: FieldValue = of?.values.get(ids.get(read.key)!) ?? null
          of = typeof next !== 'string' ? undefined : next === root.id ? root : this.#rows.get(next)
          chain = [...chain, read.key]
          key = read.references
        }
      }
    }
    if (compiled !== null && field.formula !== undefined) collect(root, object, compiled, [])
    return found
  }

  #dateOf(row: ModelRow, { compiled, object, snapshot }: ModelCell): Binding['asOf'] {
    return compiled === null ? null : dateIn(row, object, compiled.program, snapshot)
  }

  #rollUp(row: ModelRow, { field, compiled, snapshot }: ModelCell, asOf: Binding['asOf']): FieldValue {
    const { child, via, op, of } = field.rollup!
    const { fields } = bodyOf(snapshot, child)!
    const ids = snapshot.names.fieldIds(child)
    const viaId = ids.get(fieldNamed(fields, via)!.key)!
    const operand = of === undefined ? undefined : fieldNamed(fields, of)
    const children = [...this.#rows.values()].filter(
      (each) => snapshot.names.objectKey(each.object) === child && each.values.get(viaId) === row.id,
    )
    const counted = children.filter(
      (each) => compiled === null || this.#evaluate(each, child, compiled, snapshot, { asOf }) === true,
    )
    if (op === 'count') return stored(parseDecimal(String(counted.length)), field)
    const values = counted.flatMap((each) => {
      const value = exprValueFromField(operand!.type, each.values.get(ids.get(operand!.key)!) ?? null)
      return value === null ? [] : [value]
    })
    if (values.length === 0) return null
    if (op === 'min' || op === 'max') {
      const ordered = values.toSorted((a, b) => compareValues(a, b))
      return stored(op === 'min' ? ordered[0]! : ordered.at(-1)!, field)
    }
    const sum = (values as readonly Decimal[]).reduce((total, value) => add(total, value))
    return stored(op === 'sum' ? sum : divide(sum, parseDecimal(String(values.length))!), field)
  }

  #check(row: ModelRow, before: ModelRow | null): void {
    const present = this.#present
    const object = present.names.objectKey(row.object)!
    const body = bodyOf(present, object)!
    const ids = present.names.fieldIds(object)
    const value = (of: ModelRow | null, { key }: ObjectField): FieldValue =>
      of?.values.get(ids.get(key)!) ?? null
    for (const field of body.fields) {
      const now = value(row, field)
      if (field.required && now === null) throw new Refusal('record.invalid')
      if (now === null || now === value(before, field)) continue
      if (field.type === 'reference' && field.formula === undefined) {
        const target = this.#rows.get(String(now))
        if (target === undefined || present.names.objectKey(target.object) !== field.references)
          throw new Refusal('record.invalid')
      }
      if (field.unique)
        for (const other of this.#rows.values())
          if (other.object === row.object && other.id !== row.id && value(other, field) === now)
            throw new Refusal('record.invalid')
    }
    for (const rule of body.validationRules) {
      const compiled = compile(present, rule.when, { kind: 'validation_rule', object })
      const asOf = dateIn(row, object, compiled.program, present)
      if (
        this.#evaluate(row, object, compiled, present, { asOf, prior: this.#found.get(row.id) ?? null }) ===
        true
      )
        throw new Refusal('record.invalid')
    }
  }

  #isReferenced(row: ModelRow): boolean {
    const { names } = this.#present
    for (const other of this.#rows.values()) {
      const object = names.objectKey(other.object)
      if (object === undefined || other.id === row.id) continue
      for (const field of bodyOf(this.#present, object)!.fields)
        if (field.type === 'reference' && other.values.get(names.fieldIds(object).get(field.key)!) === row.id)
          return true
    }
    return false
  }

  /** Saves the parents and readers of a row that was written. */
  #follow(row: ModelRow, before: ModelRow | null, after: ModelRow | null, depth: number): void {
    const parents = this.#parentsOf(row, before, after)
    for (const place of [...parents.keys()].sort()) this.#saveRelated(place, parents.get(place)!, depth)
    if (before === null || after === null) return
    for (const place of this.#readersOf(after, before)) this.#saveRelated(place, new Set(), depth)
  }

  #saveRelated(place: string, dirty: Set<FieldId>, depth: number): void {
    this.#deeper(depth)
    const row = this.#rows.get(place.split('/')[1]!)!
    const before = copyOf(row)
    if (!this.#found.has(row.id)) this.#found.set(row.id, before)
    this.#settle(row, { dirty, before })
    const isSame =
      JSON.stringify([valuesOf(row), inputsOf(row)]) === JSON.stringify([valuesOf(before), inputsOf(before)])
    if (isSame) {
      Object.assign(row, copyOf(before))
      return
    }
    this.#check(row, before)
    row.version += 1
    this.#note(row, 'update', before, row)
    this.#follow(row, before, copyOf(row), depth + 1)
    this.#effects(row, depth + 1)
  }

  #parentsOf(row: ModelRow, before: ModelRow | null, after: ModelRow | null): Map<string, Set<FieldId>> {
    const { view, names } = this.#present
    const object = names.objectKey(row.object)!
    const parents = new Map<string, Set<FieldId>>()
    for (const { key, body } of view.list('object'))
      for (const { key: name, rollup } of body.fields) {
        if (rollup?.child !== object) continue
        const via = names
          .fieldIds(object)
          .get(fieldNamed(bodyOf(this.#present, object)!.fields, rollup.via)!.key)!
        const rollUp = names.fieldIds(key).get(name)!
        if (before !== null && after !== null && !this.#rollsUpChange(rollUp, before, after)) continue
        for (const each of [before, after]) {
          const parent = each?.values.get(via)
          if (typeof parent !== 'string') continue
          const place = `${key}/${parent}`
          parents.set(place, (parents.get(place) ?? new Set()).add(rollUp))
        }
      }
    return parents
  }

  /** Whether a roll-up, as it is now or as a parent keeps it, reads a field that differs. */
  #rollsUpChange(rollUp: FieldId, before: ModelRow, after: ModelRow): boolean {
    const differs = (id: FieldId | undefined): boolean =>
      id !== undefined && (before.values.get(id) ?? null) !== (after.values.get(id) ?? null)
    return [this.#present.generation, ...this.#bound].some((generation) => {
      const snapshot = this.#at(generation)
      for (const { key, body } of snapshot.view.list('object')) {
        const field = body.fields.find((each) => snapshot.names.fieldIds(key).get(each.key) === rollUp)
        if (field?.rollup === undefined) continue
        const { child, via, of, filter } = field.rollup
        const childFields = bodyOf(snapshot, child)!.fields
        const ids = snapshot.names.fieldIds(child)
        const seen = new Set<string>()
        const reads = (name: string | undefined): boolean => {
          const read = name === undefined ? undefined : fieldNamed(childFields, name)
          if (read === undefined || seen.has(read.key)) return false
          seen.add(read.key)
          if (differs(ids.get(read.key))) return true
          if (read.formula?.stored !== false) return false
          const { source, site } = virtual(snapshot, child, read)
          return fieldPathsOf(source, site, snapshot.view).some(({ path }) => reads(path[0]))
        }
        const site = { kind: 'rollup_filter', object: key, field: field.key, child } as const
        // Only values that depend on configuration keep the filter of their generation.
        const compiled = filter === undefined ? null : compile(snapshot, filter, site)
        if (snapshot !== this.#present && (compiled === null || !dependsOnConfiguration(compiled, snapshot)))
          continue
        const filtered = filter === undefined ? [] : fieldPathsOf(filter, site, snapshot.view)
        if (reads(via) || reads(of) || filtered.some(({ path }) => reads(path[0]))) return true
      }
      return false
    })
  }

  /** Rows with a stored formula that can read a changed field of this row, as `<object>/<id>`. */
  #readersOf(row: ModelRow, before: ModelRow): string[] {
    const found = new Set<string>()
    for (const reader of this.#rows.values()) {
      const object = this.#present.names.objectKey(reader.object)
      if (object === undefined || reader.id === row.id) continue
      const generations = new Map([...reader.bindings].map(([id, { generation }]) => [id, generation]))
      const reads = [this.#present.generation, ...new Set(generations.values())].some((generation) => {
        const snapshot = this.#at(generation)
        const key = snapshot.names.objectKey(reader.object)
        const body = key === undefined ? null : bodyOf(snapshot, key)
        return (body?.fields ?? []).some((field) => {
          const id = snapshot.names.fieldIds(key!).get(field.key)!
          const applies = snapshot === this.#present || generations.get(id) === generation
          return (
            applies && field.formula?.stored === true && this.#canRead(snapshot, reader, field, row, before)
          )
        })
      })
      if (reads) found.add(`${object}/${reader.id}`)
    }
    return [...found].sort()
  }

  #canRead(
    snapshot: RecordSnapshot,
    reader: ModelRow,
    formula: ObjectField,
    row: ModelRow,
    before: ModelRow,
    isFar = false,
  ): boolean {
    const object = snapshot.names.objectKey(reader.object)!
    const { source, site } = compile(snapshot, formula.formula!.expression, formulaSite(object, formula))
    return fieldPathsOf(source, site, snapshot.view).some(({ path }) => {
      let at: ModelRow | undefined = reader
      for (const [index, name] of path.entries()) {
        const key: string | undefined = at === undefined ? undefined : snapshot.names.objectKey(at.object)
        const field = key === undefined ? undefined : fieldNamed(bodyOf(snapshot, key)!.fields, name)
        if (at === undefined || field === undefined) return false
        const id: FieldId = snapshot.names.fieldIds(key!).get(field.key)!
        const far = isFar || index > 0
        if (
          far &&
          at.id === row.id &&
          plainNumber(row.values.get(id) ?? null) !== plainNumber(before.values.get(id) ?? null)
        )
          return true
        const date = field.formula?.stored === false ? virtual(snapshot, key!, field).program.asOfField : null
        if (far && at.id === row.id && date !== null) {
          const dateId = snapshot.names.fieldIds(key!).get(date.field)!
          if (row.values.get(dateId) !== before.values.get(dateId)) return true
        }
        if (field.formula?.stored === false && this.#canRead(snapshot, at, field, row, before, far))
          return true
        const value: FieldValue = at.values.get(id) ?? null
        at = typeof value === 'string' ? this.#rows.get(value) : undefined
      }
      return false
    })
  }
}

interface ModelCell {
  id: FieldId
  field: ObjectField
  object: string
  snapshot: RecordSnapshot
  compiled: Compiled | null
  dated: boolean
  kept: Binding | null
}

const isBound = ({ config, functions }: Binding): boolean =>
  Object.keys(config).length > 0 || Object.keys(functions).length > 0

const dependsOnConfiguration = ({ program }: Compiled, snapshot: RecordSnapshot): boolean =>
  isBound(bindingOf(program, { asOf: null, scopePath: {} }, snapshot))

const formulaSite = (object: string, { key: field, formula }: ObjectField): ExpressionSite => ({
  kind: formula!.stored ? 'stored_formula' : 'virtual_formula',
  object,
  field,
})

const virtual = (snapshot: RecordSnapshot, object: string, field: ObjectField): Compiled =>
  compile(snapshot, field.formula!.expression, formulaSite(object, field))

const compilations = new WeakMap<RecordSnapshot, Map<string, Compiled>>()

function compile(snapshot: RecordSnapshot, source: string, site: ExpressionSite): Compiled {
  const known = compilations.get(snapshot) ?? new Map<string, Compiled>()
  compilations.set(snapshot, known)
  const key = JSON.stringify([source, site])
  let compiled = known.get(key)
  if (compiled === undefined) {
    const result = compileExpression(source, site, snapshot.view)
    if (!result.ok) throw new Error(`${source}: ${result.problems[0]!.message}`)
    compiled = { program: result.program, source, site }
    known.set(key, compiled)
  }
  return compiled
}

function bodyOf({ view }: RecordSnapshot, object: string): LocalObjectBody | null {
  const body = view.get('object', object)?.body
  return body?.storage === 'local' ? body : null
}

function fieldNamed(fields: readonly ObjectField[], name: string): ObjectField | undefined {
  return fields.find(({ key, aliases }) => key === name || aliases.includes(name))
}

function dateIn(
  row: ModelRow,
  object: string,
  { asOfField }: Program,
  { names }: RecordSnapshot,
): Binding['asOf'] {
  if (asOfField === null) return null
  const value = row.values.get(names.fieldIds(object).get(asOfField.field)!)
  return typeof value === 'string' ? (value.slice(0, 10) as Binding['asOf']) : null
}

function stored(value: ExprValue, { type, precision, scale }: ObjectField): FieldValue {
  return exprValueToStored(value, {
    type,
    ...(precision === undefined ? {} : { precision }),
    ...(scale === undefined ? {} : { scale }),
  })
}

const dayOf = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, 10) : null)

/** A field that has grown shows more zeros. */
const plainNumber = (value: FieldValue): FieldValue =>
  typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value

export const valuesOf = ({ values }: { values: ReadonlyMap<FieldId, FieldValue> }): unknown =>
  [...values]
    .filter(([, value]) => value !== null)
    .map(([id, value]): [FieldId, FieldValue] => [id, plainNumber(value)])
    .sort(([a], [b]) => a - b)

export const inputsOf = ({ inputs }: { inputs: ReadonlyMap<FieldId, unknown> }): unknown =>
  [...inputs].sort(([a], [b]) => a - b)

type Values = ReadonlyMap<FieldId, FieldValue>

/** Whether two rows have the same values, inputs and bindings. */
function isSame(one: ModelRow, other: ModelRow): boolean {
  const text = ({ values, inputs, bindings }: ModelRow): string => {
    const shown = [...values].filter(([, value]) => value !== null)
    const plain = shown.map(([id, value]) => [id, plainNumber(value)] as const)
    return JSON.stringify(
      [plain, [...inputs], [...bindings]].map((part) => [...part].sort(([a], [b]) => a - b)),
    )
  }
  return text(one) === text(other)
}

/** Field → before and after, in the order of the fields. */
export function changesBetween(before: Values = new Map(), after: Values = new Map()): unknown {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort((a, b) => a - b)
    .map((id) => [id, plainNumber(before.get(id) ?? null), plainNumber(after.get(id) ?? null)])
    .filter(([, was, is]) => was !== is)
}
